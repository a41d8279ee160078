import { describe, expect, it } from 'vitest'
import { createFaults, spoiled, type Fault } from './index.ts'

const asked = { endpoint: 'guild', query: {}, keyId: 'key-1' } as const
const faultsOf = (...scripted: Fault[]) => {
  const faults = createFaults(1)
  for (const fault of scripted) faults.script(fault)
  return faults
}
const kinds = (faults: ReturnType<typeof createFaults>, count: number) =>
  Array.from({ length: count }, () => faults.next(() => asked).map(({ kind }) => kind))

describe('which failure meets a request', () => {
  it('is none by default', () => {
    expect(kinds(createFaults(1), 1)).toEqual([[]])
  })

  it('is the oldest whose time has come', () => {
    const faults = faultsOf({ kind: 'reset', after: 1, times: 2 }, { kind: 'hang', times: 2 })

    expect(kinds(faults, 5)).toEqual([['hang'], ['reset'], ['reset'], ['hang'], []])
  })

  it('depends on the operation and on the user', () => {
    const faults = faultsOf({ kind: 'reset', endpoint: 'user' }, { kind: 'hang', platformId: 'ann' })

    expect(faults.next(() => asked)).toEqual([])
    expect(faults.next(() => ({ ...asked, query: { platformId: 'ann' } }))).toMatchObject([{ kind: 'hang' }])
    expect(faults.next(() => ({ ...asked, endpoint: 'user', platformId: 'ann' }))).toMatchObject([{ kind: 'reset' }])
  })

  it('depends on the query and on the key', () => {
    const faults = faultsOf({ kind: 'reset', query: { page: 2 } }, { kind: 'hang', keyId: 'key-2' })

    expect(faults.next(() => asked)).toEqual([])
    expect(faults.next(() => ({ ...asked, query: { page: '2' } }))).toMatchObject([{ kind: 'reset' }])
    expect(faults.next(() => ({ ...asked, keyId: 'key-2' }))).toMatchObject([{ kind: 'hang' }])
  })

  it('is a sure one before a random one, and a delay besides', () => {
    const faults = faultsOf(
      { kind: 'reset', probability: 1 },
      { kind: 'hang', times: 1 },
      { kind: 'latency', ms: 5, times: 1 },
    )

    expect(kinds(faults, 2)).toEqual([['hang', 'latency'], ['reset']])
  })

  it('falls by the same dice for the same seed, about as often as it should', () => {
    const hits = (seed: number) => {
      const faults = createFaults(seed)
      faults.script({ kind: 'reset', probability: 0.3 })
      return kinds(faults, 1000)
    }

    expect(hits(1)).toEqual(hits(1))
    expect(hits(2)).not.toEqual(hits(1))
    expect(hits(1).flat().length).toBeGreaterThan(250)
    expect(hits(1).flat().length).toBeLessThan(350)
  })

  it('is told with how often each happened and is still to come', () => {
    const faults = faultsOf({ kind: 'reset', after: 2, times: 3 }, { kind: 'hang' })
    kinds(faults, 3)

    expect(faults.list()).toEqual([
      { fault: { kind: 'reset', after: 2, times: 3 }, happened: 1, left: 2, waits: 0 },
      { fault: { kind: 'hang' }, happened: 2, left: null, waits: 0 },
    ])
    expect(faultsOf({ kind: 'reset', after: 2 }).list()).toMatchObject([{ happened: 0, left: null, waits: 2 }])
  })

  it('is forgotten long after it is over', () => {
    const faults = faultsOf({ kind: 'hang', after: 1e6 })
    for (let i = 0; i < 1500; i++) {
      faults.script({ kind: 'reset', times: 1 })
      faults.next(() => asked)
    }

    expect(faults.list().length).toBeLessThan(1010)
    expect(faults.list()[0]).toMatchObject({ fault: { kind: 'hang' }, happened: 0, waits: 998_500 })
  })

  it('can be brought back, dice and all', () => {
    const faults = faultsOf({ kind: 'reset', probability: 0.5 }, { kind: 'hang', times: 1 })
    const before = faults.state()
    const first = kinds(faults, 20)
    faults.clear()
    faults.restore(before)

    expect(kinds(faults, 20)).toEqual(first)
  })
})

describe('what it makes of an answer', () => {
  const answer = {
    status: 200,
    headers: { 'x-ratelimit-limit': '10' },
    body: {
      success: true,
      data: [{ transactions: [{ amount: 1 }, { amount: 2 }] }],
      pagination: { page: 1, total: 3 },
    },
  }
  const made = (fault: Fault) => spoiled(answer, [fault], 'guild')

  it.each<[Fault, object]>([
    [
      { kind: 'internal-error' },
      { status: 500, body: { success: false, message: 'Failed to fetch guild transactions' } },
    ],
    [
      { kind: 'status', status: 418 },
      { status: 418, body: { success: false, message: expect.stringContaining('418') } },
    ],
    [
      { kind: 'status', status: 403, message: 'No' },
      { status: 403, body: { success: false, message: 'No' } },
    ],
    [
      { kind: 'status', status: 429, body: 'slow down', headers: { 'Retry-After': '5' } },
      { status: 429, body: 'slow down', headers: { 'retry-after': '5' } },
    ],
    [
      { kind: 'latency', ms: 5 },
      { ...answer, latencyMs: 5 },
    ],
    [{ kind: 'hang' }, { ...answer, ending: { kind: 'hang' } }],
    [{ kind: 'reset' }, { ...answer, ending: { kind: 'reset' } }],
    [
      { kind: 'truncate', bytes: 7 },
      { ...answer, ending: { kind: 'truncate', bytes: 7 } },
    ],
    [
      { kind: 'wrong-content-type' },
      { ...answer, headers: { 'x-ratelimit-limit': '10', 'content-type': 'text/plain' } },
    ],
    [{ kind: 'slow-body' }, { ...answer, ending: { kind: 'slow-body', chunkBytes: 16, intervalMs: 100 } }],
    [{ kind: 'redirect' }, { status: 302, headers: { location: 'https://elsewhere.test/' } }],
    [{ kind: 'schema', field: 'pagination' }, { body: { success: true, data: answer.body.data } }],
    [{ kind: 'schema', field: 'pagination.total', value: '3' }, { body: { pagination: { page: 1, total: '3' } } }],
    [
      { kind: 'schema', field: 'data[0].transactions[*].amount', value: null },
      { body: { data: [{ transactions: [{ amount: null }, { amount: null }] }] } },
    ],
    [{ kind: 'schema', field: 'nothing[3].like.this' }, answer],
    [{ kind: 'schema', field: 'data.length' }, answer],
    [{ kind: 'schema', field: 'data.length', value: 2 ** 32 - 1 }, answer],
    [{ kind: 'schema', field: '__proto__.polluted', value: 1 }, answer],
  ])('%o', (fault, expected) => {
    expect(made(fault)).toMatchObject(expected)
    expect(answer.body.pagination).toEqual({ page: 1, total: 3 })
  })

  it('malformed JSON is no JSON', () => {
    expect(() => JSON.parse(String(made({ kind: 'malformed-json' }).body)) as unknown).toThrow(SyntaxError)
  })

  it('a field that is left out is not there', () => {
    expect(made({ kind: 'schema', field: 'pagination' }).body).not.toHaveProperty('pagination')
  })
})

it.each<[unknown, string]>([
  [null, "A failure must be an object such as { kind: 'hang' }, not null."],
  [{ kind: { toString: 1 } }, 'kind must be one of'],
  [{ kind: 'boom' }, 'kind must be one of internal-error, status, latency'],
  [{ kind: 'hang', time: 1 }, 'A failure of kind hang has no field "time": did you mean times?'],
  [{ kind: 'hang', ms: 1 }, 'A failure of kind hang has no field "ms"'],
  [{ kind: 'hang', endpoint: 'all' }, 'endpoint must be guild or user, not "all".'],
  [{ kind: 'hang', times: 0 }, 'times must be a whole number of at least 1, not 0.'],
  [{ kind: 'hang', after: -1 }, 'after must be a whole number of at least 0, not -1.'],
  [{ kind: 'hang', probability: 2 }, 'probability must be a number from 0 to 1, not 2.'],
  [{ kind: 'status' }, 'status must be a whole number from 200 to 599, not nothing.'],
  [{ kind: 'status', status: 600 }, 'not 600.'],
  [{ kind: 'status', status: 204, body: 'x' }, 'A reply with status 204 has no body to hold body: leave it out.'],
  [{ kind: 'status', status: 304, message: 'x' }, 'no body to hold message'],
  [{ kind: 'status', status: 200, headers: { 'Content-Length': '9' } }, 'none of content-length, transfer-encoding'],
  [{ kind: 'status', status: 500, headers: { 'a b': '1' } }, 'headers must be headers such as'],
  [{ kind: 'latency', ms: Infinity }, 'ms must be a whole number from 0 to 2147483647, not Infinity.'],
  [{ kind: 'hang', query: 'page=2' }, 'query must be an object of texts and numbers'],
  [{ kind: 'slow-body', chunkBytes: 0 }, 'chunkBytes must be a whole number of at least 1, not 0.'],
  [{ kind: 'schema' }, 'field must be a path such as data[0].platformId, not nothing.'],
  [{ kind: 'schema', field: 'data[' }, 'field must be a path'],
  [{ kind: 'redirect', location: 'https://a.test/\r\nx: y' }, 'location must be text that a header can carry'],
  [{ kind: 'wrong-content-type', contentType: 'text/\u{1F4A9}' }, 'contentType must be text that a header can carry'],
  [{ kind: 'status', status: 200, headers: { a: '\u0001' } }, 'headers must be headers such as'],
  [{ kind: 'status', status: 200, headers: { 'retry-after': 5 } }, 'headers must be headers such as'],
  [{ kind: 'status', status: 200, headers: [['a', 'b']] }, 'headers must be headers such as'],
  [{ kind: 'status', status: 200, body: () => 1 }, 'body must be something that JSON can hold, not a function.'],
  [{ kind: 'redirect', status: 300 }, 'status must be 301 or 302 or 303 or 307 or 308, not 300.'],
])('refuses %j', (fault, message) => {
  const faults = createFaults(1)

  expect(() => faults.script(fault as Fault)).toThrow(message)
  expect(faults.next(() => asked)).toEqual([])
})

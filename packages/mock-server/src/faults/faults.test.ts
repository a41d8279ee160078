import { describe, expect, it } from 'vitest'
import { timeOf } from '../date-time.ts'
import type { MatchTarget } from '../request-matcher.ts'
import { applyFault } from './apply-faults.ts'
import { createFaults } from './faults.ts'
import type { Fault } from '../fault.ts'

const target = { endpoint: 'guild', query: {}, keyId: 'key-1' } as const
const now = timeOf('2026-01-01')
const context = { now, keyIds: ['key-1', 'key-2'] }
const plain = { status: 200, body: '{"success":true,"data":[{"platformId":"1"}]}' }
const faultsOf = (...scripted: Fault[]) => {
  const faults = createFaults(1)
  for (const fault of scripted) faults.script(fault, context)
  return faults
}
const met = (faults: ReturnType<typeof createFaults>, change: Partial<MatchTarget> = {}, at = now) =>
  faults.apply(plain, 'guild', () => ({ ...target, ...change }), at)
const kinds = (faults: ReturnType<typeof createFaults>, count: number) =>
  Array.from({ length: count }, () => met(faults).faults ?? [])

describe('createFaults', () => {
  it('returns the oldest fault that is due', () => {
    const faults = faultsOf({ kind: 'reset', after: 1, times: 2 }, { kind: 'hang', times: 2 })

    expect(kinds(faults, 5)).toEqual([['hang'], ['reset'], ['reset'], ['hang'], []])
  })

  it('returns sure faults before random ones, and a latency in addition', () => {
    const faults = faultsOf(
      { kind: 'reset', probability: 1 },
      { kind: 'hang', times: 1 },
      { kind: 'latency', ms: 5, times: 1 },
    )

    expect(kinds(faults, 2)).toEqual([['hang', 'latency'], ['reset']])
  })

  it('returns random faults by seed, about as often as their probability says', () => {
    const hits = (seed: number) => {
      const faults = createFaults(seed)
      faults.script({ kind: 'reset', probability: 0.3 }, context)
      return kinds(faults, 1000)
    }

    expect(hits(1)).toEqual(hits(1))
    expect(hits(2)).not.toEqual(hits(1))
    expect(hits(1).flat().length).toBeGreaterThan(250)
    expect(hits(1).flat().length).toBeLessThan(350)
  })

  it('lists faults with how often each happened and will still happen', () => {
    const faults = faultsOf({ kind: 'reset', after: 2, times: 3 }, { kind: 'hang' })
    kinds(faults, 3)

    expect(faults.list(now)).toEqual([
      { fault: { kind: 'reset', after: 2, times: 3 }, happened: 1, left: 2, waits: 0 },
      { fault: { kind: 'hang' }, happened: 2, left: null, waits: 0 },
    ])
    expect(faultsOf({ kind: 'reset', after: 2 }).list(now)).toMatchObject([{ happened: 0, left: null, waits: 2 }])
  })

  it('restores faults and the state of the random numbers', () => {
    const faults = faultsOf({ kind: 'reset', probability: 0.5 }, { kind: 'hang', times: 1 })
    const before = faults.state()
    const first = kinds(faults, 20)
    faults.clear()
    faults.restore(before)

    expect(kinds(faults, 20)).toEqual(first)
  })
})

describe('faults limited by time', () => {
  it('end at their time', () => {
    const faults = faultsOf({ kind: 'reset', until: '2026-01-01T00:00:05Z' })

    expect(met(faults, {}, now + 4999).faults).toEqual(['reset'])
    expect(met(faults, {}, now + 5000).faults).toBeUndefined()
    expect(faults.list(now + 5000)).toMatchObject([{ happened: 1, left: 0 }])
  })

  it('go on again where the clock goes back', () => {
    const faults = faultsOf({ kind: 'reset', until: new Date(now + 10) })

    expect([met(faults, {}, now + 10).faults, met(faults, {}, now).faults]).toEqual([undefined, ['reset']])
  })
})

describe('faults that change nothing', () => {
  it.each<Fault>([
    { kind: 'schema', field: 'data[1].platformId', times: 1 },
    { kind: 'schema', field: 'data[0].platformId', value: '1', times: 1 },
    { kind: 'latency', ms: 0, times: 1 },
    { kind: 'status', status: 200, body: plain.body, times: 1 },
  ])('%j does not count as happened', (fault) => {
    const faults = faultsOf(fault)

    expect(met(faults)).toEqual(plain)
    expect(faults.list(now)).toMatchObject([{ happened: 0, left: 1 }])
  })

  it('leave their place to the next fault', () => {
    expect(kinds(faultsOf({ kind: 'schema', field: 'data[1].platformId' }, { kind: 'reset' }), 1)).toEqual([['reset']])
  })
})

describe('distributions', () => {
  const drawn = (ms: { median: number; p99: number }) => {
    const faults = faultsOf({ kind: 'latency', ms })
    return Array.from({ length: 4000 }, () => met(faults).latencyMs ?? 0).toSorted((a, b) => a - b)
  }

  it('a latency has the median and the 99th percentile it was given', () => {
    const values = drawn({ median: 80, p99: 900 })

    expect(values[2000]).toBeGreaterThan(74)
    expect(values[2000]).toBeLessThan(86)
    expect(values[3960]).toBeGreaterThan(700)
    expect(values[3960]).toBeLessThan(1150)
  })

  it('are drawn by seed', () => {
    expect(drawn({ median: 80, p99: 900 })).toEqual(drawn({ median: 80, p99: 900 }))
    expect(new Set(drawn({ median: 80, p99: 80 }))).toEqual(new Set([80]))
  })

  it('a body has one speed from beginning to end', () => {
    const faults = faultsOf({ kind: 'slow-body', intervalMs: { median: 50, p99: 500 } })
    const [first, second] = [met(faults).connectionFault, met(faults).connectionFault]

    expect(first).toEqual({ kind: 'slow-body', chunkBytes: 16, intervalMs: expect.any(Number) })
    expect(first).not.toEqual(second)
    const byDefault = { kind: 'slow-body', chunkBytes: 16, intervalMs: 100 }
    expect(met(faultsOf({ kind: 'slow-body' })).connectionFault).toEqual(byDefault)
  })
})

describe('applyFault', () => {
  const data = [{ transactions: [{ amount: 1 }, { amount: 2 }] }]
  const page = { success: true, data, pagination: { page: 1, total: 3 } }
  const headers = { 'x-ratelimit-limit': '10' }
  const whole = { status: 200, headers, body: page }
  const before = { status: 200, headers, body: JSON.stringify(page) }
  const applied = (fault: Fault) => applyFault(before, fault, { endpoint: 'guild', random: () => 0.5 }) ?? before
  const isJson = ({ body }: { body: string }) => body.startsWith('{')

  it.each<[Fault, object]>([
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
    ...([301, 303, 307, 308] as const).map((status): [Fault, object] => [{ kind: 'redirect', status }, { status }]),
    [
      { kind: 'schema', field: 'pagination' },
      { body: expect.toSatisfy((body) => Object.keys(body as object).join() === 'success,data') },
    ],
    [{ kind: 'schema', field: 'pagination.total', value: '3' }, { body: { pagination: { page: 1, total: '3' } } }],
    [
      { kind: 'schema', field: 'data[0].transactions[*].amount', value: null },
      { body: { data: [{ transactions: [{ amount: null }, { amount: null }] }] } },
    ],
    [{ kind: 'schema', field: 'nothing[3].like.this' }, whole],
    [{ kind: 'schema', field: 'data.length' }, whole],
    [{ kind: 'schema', field: 'data.length', value: 2 ** 32 - 1 }, whole],
    [{ kind: 'schema', field: '__proto__.polluted', value: 1 }, whole],
  ])('applies %o', (fault, expected) => {
    const result = applied(fault)

    expect({ ...result, body: isJson(result) ? (JSON.parse(result.body) as unknown) : result.body }).toMatchObject(
      expected,
    )
  })
})

it.each<[unknown, string]>([
  [null, "`fault` must be an object such as { kind: 'hang' }, got null"],
  [{ kind: { toString: 1 } }, '`kind` must be one of'],
  [{ kind: 'boom' }, '`kind` must be one of internal-error, status, latency'],
  [{ kind: 'hang', time: 1 }, 'Unknown field `time`. Did you mean `times`?'],
  [{ kind: 'hang', endpoint: 'all' }, '`endpoint` must be one of guild, user'],
  [{ kind: 'hang', times: 0 }, '`times` must be an integer ≥ 1, got 0'],
  [{ kind: 'hang', after: -1 }, '`after` must be an integer ≥ 0, got -1'],
  [{ kind: 'hang', probability: 2 }, '`probability` must be a number above 0, up to 1, got 2'],
  [{ kind: 'hang', probability: 0 }, '`probability` must be a number above 0, up to 1, got 0'],
  [{ kind: 'status' }, '`status` must be an integer from 200 to 599, got undefined'],
  [{ kind: 'status', status: 204, body: 'x' }, 'A response with status 204 has no body: leave `body` out.'],
  [{ kind: 'status', status: 304, message: 'x' }, 'has no body: leave `message` out.'],
  [{ kind: 'status', status: 200, headers: { 'Content-Length': '9' } }, 'none of content-length, transfer-encoding'],
  [
    { kind: 'status', status: 200, headers: { trailer: 'x' } },
    'none of content-length, transfer-encoding, connection, trailer',
  ],
  [{ kind: 'status', status: 500, headers: { 'a b': '1' } }, '`headers` must be headers such as'],
  [
    { kind: 'latency', ms: Infinity },
    '`ms` must be an integer from 0 to 2147483647, or a distribution such as { median: 80, p99: 900 }, got Infinity',
  ],
  [{ kind: 'latency', ms: { median: 80 } }, '`p99` must be an integer ≥ 1, got undefined'],
  [{ kind: 'latency', ms: { median: 0, p99: 79 } }, '`median` must be an integer ≥ 1, got 0'],
  [{ kind: 'latency', ms: { median: 100, p99: 50 } }, '`p99` must not be below `median` (100), got 50'],
  [{ kind: 'latency', ms: { median: 100, p99: 500, p90: 1 } }, 'it has the unknown field `p90`'],
  [{ kind: 'slow-body', intervalMs: { median: 80, p99: '90' } }, '`p99` must be an integer ≥ 1, got "90"'],
  [
    { kind: 'hang', query: { from: /x/ as unknown as string } },
    "such as { from: 'shop' }, got an object with 1 field: `query.from` is the regular expression /x/",
  ],
  [{ kind: 'hang', until: 'soon' }, '`until` must be a date such as \'2026-02-01T00:00:00Z\', got "soon"'],
  [{ kind: 'hang', until: '2025-01-01' }, '`until` must be later than now (2026-01-01T00:00:00.000Z), got 2025-01-01'],
  [{ kind: 'hang', query: { frm: 'shop' } }, 'Unknown parameter `query.frm`. Did you mean `query.from`?'],
  [{ kind: 'hang', keyId: 'nope' }, 'Unknown keyId `nope`. Known keyIds: `key-1`, `key-2`.'],
  [{ kind: 'schema', field: 'data[0].transactions[0].amout' }, 'Did you mean `data[*].transactions[*].amount`?'],
  [{ kind: 'schema', field: 'data[*].transaction' }, 'Did you mean `data[*].transactions`?'],
  [{ kind: 'schema', field: 'data.platformID', endpoint: 'user' }, 'Did you mean `data.platformId`?'],
  [{ kind: 'schema', field: 'summary.totalValue', endpoint: 'user' }, 'Unknown response field `summary.totalValue`'],
  [{ kind: 'schema', field: 'data.length', endpoint: 'guild' }, 'Unknown response field `data.length`'],
  [{ kind: 'schema', field: '__proto__.polluted' }, 'Unknown response field `__proto__.polluted`'],
  [{ kind: 'hang', query: 'page=2' }, '`query` must be an object of strings and numbers'],
  [{ kind: 'slow-body', chunkBytes: 0 }, '`chunkBytes` must be an integer ≥ 1, got 0'],
  [{ kind: 'schema', field: 'data[' }, '`field` must be a path'],
  [{ kind: 'redirect', location: 'https://a.test/\r\nx: y' }, '`location` must be a string that a header can carry'],
  [
    { kind: 'wrong-content-type', contentType: 'text/\u{1F4A9}' },
    '`contentType` must be a string that a header can carry',
  ],
  [{ kind: 'status', status: 200, headers: { a: '\u0001' } }, '`headers` must be headers such as'],
  [{ kind: 'status', status: 200, headers: { 'retry-after': 5 } }, '`headers` must be headers such as'],
  [{ kind: 'status', status: 200, headers: [['a', 'b']] }, '`headers` must be headers such as'],
  [{ kind: 'status', status: 200, body: () => 1 }, '`body` must be a value that JSON can hold, got a function'],
  [{ kind: 'redirect', status: 300 }, '`status` must be one of 301, 302, 303, 307, 308, got 300'],
])('guild.fault rejects the fault %j', (fault, message) => {
  const faults = createFaults(1)

  expect(() => faults.script(fault as Fault, context)).toThrow(message)
  expect(faults.list(now)).toEqual([])
})

import { assumptionDefinitions, createMockLedger, type MockLedger } from '@guild-ledger/mock-server'
import {
  probe,
  ProbeError,
  probeMarkdownReport,
  probeTerminalReport,
  type ProbeOptions,
} from '@guild-ledger/mock-server/probe'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { filesFrom, probeWithData } from '../../src/probe/internal.ts'
import { inferFrom, respondFrom } from './run-inference.ts'

// A busy machine takes a while for some dozens of requests.
vi.setConfig({ testTimeout: 240_000 })

beforeEach(
  () =>
    void vi.useFakeTimers({ now: Date.UTC(2026, 5, 1), toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] }),
)
afterEach(() => void vi.useRealTimers())

const hidden = {
  pageUnit: 'group',
  sourceMatch: 'contains',
  invalidParameter: 'clamp',
  notFoundWhen: 'empty-ledger',
  emptyTotalPages: 1,
  userLimit: 33,
  userSortBy: 'total',
  repeatedParameter: 'last',
  groupOrder: 'platform-id',
} as const

const planted = 'planted-key-4f1d0c9a77e2b3'
const serviceWith = (options: Parameters<typeof createMockLedger>[0] = {}): MockLedger =>
  createMockLedger({ transactions: 150, apiKey: planted, assumptions: hidden, ...options })

/** Runs to the end in virtual time. */
const settled = async <Result>(work: Promise<Result>): Promise<Result> => {
  const state = { isOver: false }
  const end = work.finally(() => (state.isOver = true))
  end.catch(() => {})
  while (!state.isOver) await vi.advanceTimersByTimeAsync(250)
  return end
}

const optionsFor = (mock: MockLedger, more: Partial<ProbeOptions> = {}): ProbeOptions => ({
  apiKey: mock.apiKey,
  baseUrl: mock.origin,
  fetch: mock.fetch,
  ...more,
})

const respondWith =
  (status: number, body: string, headers: Record<string, string> = {}) =>
  async () =>
    new Response(body, { status, headers })
const json = (status: number, message: string) => respondWith(status, JSON.stringify({ success: false, message }))

it('reports the assumptions of a service, and a mock with them responds the same', async () => {
  const mock = serviceWith()
  const { assumptions, findings, proof, requests, unexplained } = await settled(probe(optionsFor(mock)))

  expect(assumptions).toMatchObject(hidden)
  expect(findings.map(({ key }) => key).toSorted()).toEqual(Object.keys(assumptionDefinitions).toSorted())
  expect(proof.different).toBe(0)
  expect(proof.requests).toBeGreaterThanOrEqual(12)
  expect(proof.compared).toBeGreaterThan(50)
  expect(unexplained).toEqual([])
  expect(requests.sent).toBeLessThanOrEqual(70)
  expect(mock.guild.audit().flatMap(({ findings: found }) => found)).toEqual([])
})

describe('under faults, a limit of 2 requests per second and another client', () => {
  it('reports the same, without a finding in the audit', async () => {
    const quiet = serviceWith()
    const noisy = serviceWith({ rateLimit: 2 })
    noisy.guild.fault({ kind: 'internal-error', probability: 0.05 })
    noisy.guild.fault({ kind: 'html-502', probability: 0.05 })
    noisy.guild.fault({ kind: 'malformed-json', probability: 0.05 })
    noisy.guild.fault({ kind: 'status', status: 503, probability: 0.05 })

    const expected = await settled(probe(optionsFor(quiet)))
    const report = await settled(probe(optionsFor(noisy, { maxRequests: 400 })))

    expect(report.assumptions).toMatchObject(expected.assumptions)
    expect(report.requests.rateLimited).toBeGreaterThan(0)
    expect(noisy.guild.audit().flatMap(({ findings }) => findings)).toEqual([])
  })

  it('leaves the rest of the rate limit to another client', async () => {
    const mock = serviceWith()
    const others = setInterval(() => {
      for (let i = 0; i < 6; i++)
        mock.respond({ method: 'GET', target: '/guild/ledger/transactions?limit=1', apiKey: mock.apiKey })
    }, 1000)

    const report = await settled(probe(optionsFor(mock)))
    clearInterval(others)

    expect(report.assumptions).toMatchObject(hidden)
  })
})

describe('if a transaction enters while the result is tested', () => {
  const probed = async (isRolling: boolean) => {
    const mock = serviceWith()
    const times = mock.guild.transactions.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
    const [oldest, newest] = [times[0], times.at(-1)]
    const newer = new Date(Date.parse(newest?.createdAt ?? '') + 1000).toISOString()
    const changes = vi.fn<() => void>(() => {
      mock.guild.add(newest ? [{ ...newest, transactionId: crypto.randomUUID(), createdAt: newer }] : [])
      if (isRolling && oldest) mock.guild.remove([oldest.transactionId])
    })
    const report = await settled(
      probe(
        optionsFor(mock, {
          fetch: async (input, init) => {
            if (changes.mock.calls.length === 0 && input.endsWith('?limit=3')) changes()
            return mock.fetch(input, init)
          },
        }),
      ),
    )
    expect(changes).toHaveBeenCalledOnce()
    return report
  }

  it('keeps what it has inferred', async () => {
    expect(await probed(false)).toMatchObject({ hasShrunk: false, assumptions: hidden })
  })

  it('infers nothing if the oldest one is removed at the same time', async () => {
    expect(await probed(true)).toMatchObject({ hasShrunk: true, assumptions: {} })
  })
})

it('writes no key, identifier or name into any report or file', async () => {
  const mock = serviceWith()
  const probed = await settled(probeWithData(optionsFor(mock)))
  const { files, withheld } = filesFrom(probed, { fixture: true, secrets: [planted] })
  const originals = mock.guild.transactions
  const texts = [...files.values(), probeTerminalReport(probed.report), probeMarkdownReport(probed.report)]
  const identifiers = originals.flatMap(({ platformId, transactionId, name }) => [platformId, transactionId, name])

  expect([...files.keys()]).toEqual(['assumptions.json', 'probe.json', 'probe.md', 'ledger.ndjson'])
  expect(withheld.size).toBe(0)
  expect([...identifiers, planted].filter((one) => texts.some((text) => text.includes(one)))).toEqual([])
})

it('writes a look-alike ledger on which a second probe decides the same', async () => {
  const mock = serviceWith()
  const probed = await settled(probeWithData(optionsFor(mock)))
  const again = createMockLedger({ transactions: 0, rateLimit: 'off', assumptions: mock.assumptions })
  again.guild.load(filesFrom(probed, { fixture: true, secrets: [] }).files.get('ledger.ndjson'))

  const { verdicts } = await inferFrom(respondFrom(again))

  const own = probed.report.findings.map(({ key, verdict, value }) => [key, verdict, value])
  expect(own).toEqual(expect.arrayContaining(verdicts.map(({ key, verdict, value }) => [key, verdict, value])))
})

it('writes the values of a range without its end, as values that are not decided', async () => {
  const mock = serviceWith({ assumptions: { startDateBound: 'inclusive', endDateBound: 'exclusive' } })
  const probed = await settled(probeWithData(optionsFor(mock)))
  const { report } = probed
  const written = filesFrom(probed, { fixture: false, secrets: [] }).files.get('assumptions.json') ?? ''

  expect(report.findings.find(({ key }) => key === 'endDateBound')).toMatchObject({
    verdict: 'consistent',
    value: 'exclusive',
    candidates: ['exclusive'],
  })
  expect(JSON.parse(written)).toMatchObject({ startDateBound: 'inclusive', endDateBound: 'exclusive' })
  expect(JSON.parse(written)).toEqual(report.assumptions)
  expect(report.proof.different).toBe(0)
  expect(probeTerminalReport(report)).toMatch(/^endDateBound +consistent +exclusive, not proven +needs createdAt /m)
  expect(probeTerminalReport(report)).toContain(' assumptions decided, 2 with a value that is not proven, ')
})

it('says that the default value is excluded where several others are left', async () => {
  const mock = serviceWith({ transactions: 0 })
  const report = await settled(probe(optionsFor(mock)))
  const finding = {
    key: 'lapsedSubscriptionStatus',
    verdict: 'consistent',
    candidates: [402, 403],
    evidence: [],
  } as const

  expect(probeTerminalReport({ ...report, findings: [finding] })).toMatch(/one of 402, 403, not the default 401$/m)
})

it('reports what differs from the values expected', async () => {
  const mock = serviceWith({ assumptions: { ...hidden, invalidParameter: 'reject' } })
  const { changes, findings } = await settled(
    probe(optionsFor(mock, { expected: { invalidParameter: 'clamp', userLimit: 33 } })),
  )

  expect(changes).toMatchObject([{ key: 'invalidParameter', expected: 'clamp', finding: { value: 'reject' } }])
  // Which others are decided by the way depends on chance.
  const others = findings.filter(({ verdict }) => verdict === 'consistent')
  expect(new Set(others.map(({ needs }) => needs))).toEqual(
    new Set(['not checked, because it is not among the expected values']),
  )
})

it('decides what further keys show, and with `burst` the response above the rate limit', async () => {
  const mock = serviceWith({
    assumptions: { ...hidden, expiredKeyStatus: 403, rateLimitStatus: 503, rateLimitHeaders: 'none' },
  })
  const { value: unscoped } = mock.guild.createKey({ name: 'no scope', scopes: [], expiresAt: '2030-01-01T00:00:00Z' })
  const { value: expired } = mock.guild.createKey({
    name: 'short',
    scopes: ['guild:read'],
    expiresAt: '2026-06-01T00:00:01Z',
  })
  await vi.advanceTimersByTimeAsync(2000)

  const { assumptions } = await settled(probe(optionsFor(mock, { burst: true, keys: { unscoped, expired } })))

  expect(assumptions).toMatchObject({
    expiredKeyStatus: 403,
    missingScopeStatus: 401,
    rateLimitStatus: 503,
    rateLimitHeaders: 'none',
  })
})

it.each([null, 2])('reads a part of a ledger that is too large, with maxPage %s', async (maxPage) => {
  const values = { ...hidden, pageUnit: 'transaction', maxPage } as const
  const mock = serviceWith({ transactions: 1000, users: 60, assumptions: values })

  const report = await settled(probe(optionsFor(mock, { maxTransactions: 250 })))

  expect(report.assumptions).toMatchObject(values)
  expect(report.isWindow).toBe(true)
  expect(report.transactions).toBeLessThan(250)
  expect(report.proof.different).toBe(0)
  expect(report.proof.requests).toBeGreaterThanOrEqual(12)
  expect(probeTerminalReport(report)).toContain('transactions read, the oldest of a larger ledger')
})

it('reads pages of users that are larger than the client allows by default', async () => {
  const mock = serviceWith({ transactions: 3200, users: 60, assumptions: { pageUnit: 'group' } })

  const { assumptions } = await settled(probe(optionsFor(mock, { maxRequests: 4 })))

  expect(assumptions).toMatchObject({ pageUnit: 'group' })
})

describe('with a key that shows nothing', () => {
  const findingsWith = async (fetch: typeof globalThis.fetch, more: Partial<ProbeOptions>) => {
    const { findings, requests } = await settled(probe(optionsFor(serviceWith(), { fetch, ...more })))
    return { requests, of: (name: string) => findings.find(({ key }) => key === name) }
  }
  const withKey = (respond: () => Promise<Response>): typeof globalThis.fetch => {
    const mock = serviceWith()
    return async (input, init) =>
      new Request(input, init).headers.get('x-api-key') === 'further' ? respond() : mock.fetch(input, init)
  }
  const forbidden = async () => Response.json({ success: false, message: 'Forbidden' }, { status: 403 })

  it('does not decide a status from the response to an unknown key', async () => {
    const fetch = withKey(json(401, 'Unauthorized - invalid API key'))
    const keys = { expired: 'further', unscoped: 'further', lapsed: 'further' }
    const { of } = await findingsWith(fetch, { keys })

    for (const [key, candidates] of [
      ['expiredKeyStatus', [401, 403]],
      ['missingScopeStatus', [401, 403]],
      ['lapsedSubscriptionStatus', [401, 402, 403]],
    ] as const) {
      expect(of(key)).toMatchObject({ verdict: 'consistent', candidates, needs: expect.stringContaining('mistyped') })
    }
  })

  it('keeps what it knows if a request with the key fails', async () => {
    const fetch = withKey(async () => Promise.reject(new TypeError('fetch failed')))
    const { of } = await findingsWith(fetch, { keys: { unscoped: 'further' } })

    expect(of('missingScopeStatus')).toMatchObject({
      verdict: 'skipped',
      needs: expect.stringMatching(/failed \(connection/),
    })
    expect(of('pageUnit')).toMatchObject({ verdict: 'decided', value: 'group' })
  })

  it('keeps the limit of requests for further keys and a burst', async () => {
    let sent = 0
    const respond = withKey(forbidden)
    const fetch: typeof globalThis.fetch = async (...request) => (sent++, respond(...request))
    const { of, requests } = await findingsWith(fetch, {
      maxRequests: 20,
      burst: true,
      keys: { unscoped: 'further', lapsed: 'further' },
    })

    expect(sent).toBeLessThanOrEqual(20)
    expect(requests.sent).toBe(sent)
    expect(of('missingScopeStatus')).toMatchObject({ verdict: 'skipped', needs: 'more requests: raise `maxRequests`' })
    expect(of('rateLimitStatus')).toMatchObject({ verdict: 'skipped', needs: expect.stringContaining('raise') })
  })
})

describe('rate-limited responses', () => {
  /** Responds with these statuses to the first requests that come at once, and to one request before. */
  const statusesWith = async (before: number, inBurst: readonly number[], maxRequests = 200) => {
    const mock = serviceWith({ rateLimit: 'off' })
    const left = [...inBurst]
    let count = 0
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const url = new URL(new Request(input, init).url)
      const isBurst = url.search === '?limit=1' && count > 20
      const status = ++count === 10 ? before : isBurst ? left.shift() : undefined
      return status === undefined || status === 200
        ? mock.fetch(input, init)
        : Response.json({ success: false, message: 'Busy' }, { status, headers: { 'retry-after': '1' } })
    }
    const { findings } = await settled(probe(optionsFor(mock, { fetch, burst: inBurst.length > 0, maxRequests })))
    return ['rateLimitStatus', 'rateLimitHeaders'].map((name) => findings.find(({ key }) => key === name))
  }

  it.each<[string, number, number[], object[]]>([
    ['nothing from a single 503', 503, [], [{ verdict: 'skipped' }, { verdict: 'skipped' }]],
    ['nothing from a single 503 of a burst', 200, [503], [{ verdict: 'consistent' }, { verdict: 'consistent' }]],
    ['nothing from two 503 of a burst', 200, [503, 503], [{ verdict: 'consistent' }, { verdict: 'consistent' }]],
    [
      'nothing from a service that is overloaded',
      200,
      [...Array.from({ length: 12 }, (_, i) => (i % 3 ? 503 : 200)), ...Array.from({ length: 31 }, () => 503)],
      [{ verdict: 'consistent' }, { verdict: 'consistent' }],
    ],
    [
      'nothing from a limit of requests at the same time',
      200,
      [...Array.from({ length: 10 }, () => 200), 503, 503],
      [{ verdict: 'consistent' }, { verdict: 'consistent' }],
    ],
    [
      '503 from those above a limit, twice',
      200,
      [
        ...Array.from({ length: 24 }, (_, i) => (i < 10 || i >= 19 ? 200 : 503)),
        ...Array.from({ length: 19 }, (_, i) => (i < 10 || i === 15 ? 200 : 503)),
      ],
      [{ value: 503 }, { value: 'retry-after' }],
    ],
    ['429 from a burst with a 503 too', 200, [503, 429], [{ value: 429 }, { value: 'retry-after' }]],
    ['429 from a single one', 429, [], [{ value: 429 }, { value: 'retry-after' }]],
  ])('decide %s', async (_, before, inBurst, expected) => {
    expect(await statusesWith(before, inBurst)).toMatchObject(expected)
  })

  it('decide nothing from a 503 if the limit of requests leaves none for a second attempt', async () => {
    expect(await statusesWith(200, [503], 140)).toMatchObject([{ verdict: 'consistent' }, { verdict: 'consistent' }])
  })
})

it('ends with the reason of the signal', async () => {
  const controller = new AbortController()
  const work = probe(optionsFor(serviceWith(), { signal: controller.signal }))
  work.catch(() => {})
  await vi.advanceTimersByTimeAsync(600)
  controller.abort(new Error('enough'))

  await expect(settled(work)).rejects.toThrow('enough')
})

it('says that the key was rejected meanwhile', async () => {
  const mock = serviceWith()
  let count = 0
  const fetch: typeof globalThis.fetch = async (...request) =>
    ++count > 5
      ? Response.json({ success: false, message: 'Unauthorized - invalid API key' }, { status: 401 })
      : mock.fetch(...request)

  await expect(settled(probe(optionsFor(mock, { fetch })))).rejects.toThrow('The service stopped accepting the key')
})

it.each([
  [
    'an HTML page',
    respondWith(200, '<html></html>'),
    'not-the-service',
    /is not a page of transactions\. Check the base URL/,
  ],
  ['a redirect', respondWith(302, '', { location: 'https://elsewhere.example/' }), 'not-the-service', /redirect/],
  ['an unknown path', json(404, 'No such path'), 'not-the-service', /404 No such path\. Check the base URL/],
  ['a dead key', json(401, 'Unauthorized - invalid API key'), 'key', /401 .*The service rejects the key/],
  ['a key without scope', json(403, 'Forbidden'), 'key', /scope guild:read/],
  ['a key that is bound to no guild', json(400, 'No guild ID provided'), 'key', /bound to no guild/],
  ['a service that is down', json(500, 'Failed to fetch guild transactions'), 'unreachable', /500 .*Try again later/],
  ['no connection', async () => Promise.reject(new TypeError('fetch failed')), 'unreachable', /failed/],
])('says what is wrong with %s', async (_, fetch, kind, message) => {
  const work = settled(probe({ apiKey: planted, baseUrl: 'https://ledger.example', fetch }))

  const error = await work.catch((reason: unknown) => reason)

  expect(error).toBeInstanceOf(ProbeError)
  expect(error).toMatchObject({ kind, message: expect.stringMatching(message) })
  expect(String(error)).not.toContain(planted)
})

it.each([
  [{ maxRequests: 0 }, '`maxRequests` must be an integer ≥ 1, got 0'],
  [{ requestsPerSecond: 11 }, '`requestsPerSecond` must be a number from 0.1 to 10, got 11'],
  [{ rps: 4 }, 'Unknown option `rps`.'],
  [{ expected: { pageUnits: 'group' } }, 'Unknown assumption `pageUnits`. Did you mean `pageUnit`?'],
  [{ keys: { unscoped: 7 } }, '`unscoped` must be a string, got a number'],
])('rejects the options %j', async (options, message) => {
  await expect(probe({ apiKey: planted, baseUrl: 'https://ledger.example', ...(options as object) })).rejects.toThrow(
    message,
  )
})

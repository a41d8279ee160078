import { createMockLedger } from '@guild-ledger/mock-server'
import { probe } from '@guild-ledger/mock-server/probe'
import { createRandom } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { assume } from '../../src/assumptions/index.ts'

// A busy machine takes a while for a large ledger.
vi.setConfig({ testTimeout: 240_000 })

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 5, 1), toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  vi.spyOn(Math, 'random').mockImplementation(createRandom(1))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A time that is this many ms later. */
const shifted = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString()

interface Foreign {
  /** Changes the request. */
  readonly before?: (query: URLSearchParams, isGuild: boolean) => void
  /** Changes the response. */
  readonly after?: (status: number, body: { data?: unknown }) => { status: number; body: object }
}

const count = process.env.CI ? 20_000 : 6000
const mock = createMockLedger({
  transactions: count,
  users: 60,
  rateLimit: 'off',
  keepRequests: 0,
  now: () => Date.UTC(2026, 5, 1),
})

const probed = async ({ before, after }: Foreign) => {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname, searchParams } = new URL(request.url)
    before?.(searchParams, pathname === '/guild/ledger/transactions')
    const target = `${pathname}?${searchParams.toString()}`
    const { status, headers, body } = mock.respond({ method: 'GET', target, apiKey: mock.apiKey })
    const sent = after?.(status, JSON.parse(body) as object) ?? { status, body: JSON.parse(body) as object }
    return Response.json(sent.body, { status: sent.status, headers })
  }
  const state = { isOver: false }
  const work = probe({ apiKey: mock.apiKey, baseUrl: mock.origin, fetch, requestsPerSecond: 10 })
  const end = work.finally(() => (state.isOver = true))
  end.catch(() => {})
  while (!state.isOver) await vi.advanceTimersByTimeAsync(250)
  return end
}

it.each<[title: string, affected: readonly string[], outside: readonly string[], foreign: Foreign]>([
  [
    'excludes the end of a range that has no start',
    ['endDateBound'],
    ['endDateBound'],
    {
      before(query, isGuild) {
        const end = query.get('endDate')
        if (isGuild && end !== null && !query.has('startDate') && !Number.isNaN(Date.parse(end)))
          query.set('endDate', shifted(end, -1))
      },
    },
  ],
  [
    'excludes the start of a range that has no end',
    ['startDateBound'],
    ['startDateBound'],
    {
      before(query, isGuild) {
        const start = query.get('startDate')
        if (isGuild && start !== null && !query.has('endDate') && !Number.isNaN(Date.parse(start)))
          query.set('startDate', shifted(start, 1))
      },
    },
  ],
  [
    'rejects invalid parameters with 422',
    ['invalidParameter'],
    ['invalidParameter'],
    { after: (status, body) => ({ status: status === 400 ? 422 : status, body }) },
  ],
  [
    'orders users by descending id',
    ['groupOrder'],
    // Of a part of the ledger, several values are left.
    [],
    {
      after(status, body) {
        const { data } = body
        if (!Array.isArray(data)) return { status, body }
        const groups = data as { platformId: string }[]
        return { status, body: { ...body, data: groups.toSorted((a, b) => (a.platformId < b.platformId ? 1 : -1)) } }
      },
    },
  ],
  [
    'excludes the least amount',
    // No assumption is about it.
    [],
    [],
    {
      before(query) {
        const least = Number(query.get('minAmount') ?? Number.NaN)
        if (least >= 0) query.set('minAmount', String(least + 0.001))
      },
    },
  ],
])('decides nothing wrongly about a large ledger of a service that %s', async (_, affected, outside, foreign) => {
  const report = await probed(foreign)
  const truth: Record<string, unknown> = { ...assume({}) }
  const named = report.findings.filter(({ verdict }) => verdict === 'outside').map(({ key }) => key)
  const wrong = Object.entries(report.assumptions).filter(
    ([key, value]) => affected.includes(key) || truth[key] !== value,
  )

  expect(named).toEqual(expect.arrayContaining([...outside]))
  expect(report.isWindow).toBe(true)
  expect(wrong).toEqual([])
  expect(report.requests.sent).toBeLessThanOrEqual(150)
})

import { probe, type ProbeReport } from '@guild-ledger/mock-server/probe'
import { createRandom } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { assume } from '../../src/assumptions/index.ts'
import { OrdinaryService, type Sent } from './ordinary-service.ts'
import { casesToRun, tellingLedger } from './random-service.ts'
import { unusualServices } from './unusual-services.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 5, 1), toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  vi.spyOn(Math, 'random').mockImplementation(createRandom(1))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const ledger = tellingLedger(60)

interface Probed {
  readonly report: ProbeReport
  /** When the service got each request. */
  readonly times: readonly number[]
}

/** Probes a service in virtual time. */
const probed = async (service: { respond(target: string): Sent }): Promise<Probed> => {
  const times: number[] = []
  const fetch = async (input: RequestInfo | URL): Promise<Response> => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    times.push(performance.now())
    const { status, body, headers = {} } = service.respond(pathname + search)
    return Response.json(body, { status, headers })
  }
  const state = { isOver: false }
  const work = probe({ apiKey: 'key', baseUrl: 'http://127.0.0.1', fetch }).finally(() => (state.isOver = true))
  work.catch(() => {})
  while (!state.isOver) await vi.advanceTimersByTimeAsync(250)
  return { report: await work, times }
}

/** Decided values that a service does not have. */
const wrongIn = ({ assumptions }: ProbeReport, truth: Readonly<Record<string, unknown>>, without: readonly string[]) =>
  Object.entries(assumptions).filter(([key, value]) => without.includes(key) || truth[key] !== value)

it('decides most values of a service that is written from the spec', async () => {
  const { report } = await probed(new OrdinaryService(ledger, assume()))

  expect(wrongIn(report, assume(), [])).toEqual([])
  expect(report.findings.filter(({ verdict }) => verdict === 'outside')).toEqual([])
  expect(Object.keys(report.assumptions).length).toBeGreaterThanOrEqual(18)
})

it.each(casesToRun(unusualServices))(
  'decides nothing wrongly about a service that $title, and keeps its limits',
  async ({ without, values, Service }) => {
    const truth = { ...assume(), ...values }

    const { report, times } = await probed(new Service(ledger, truth))

    expect(wrongIn(report, truth, without)).toEqual([])
    expect(report.findings.some(({ verdict }) => verdict === 'outside')).toBe(true)
    expect(times.length).toBeLessThanOrEqual(150)
    // The default is four requests per second.
    expect(times.filter((time, i) => time - (times[i - 4] ?? -Infinity) < 999)).toEqual([])
  },
)

it('does not decide what a page counts if each user has one transaction, whatever is listed by default', async () => {
  const oneEach = ledger.slice(0, 7).map((entry, i) => ({ ...entry, platformId: `user-${i}` }))
  const oldestFirst = unusualServices.find(({ title }) => title.startsWith('lists the oldest'))

  const { report } = await probed(new (oldestFirst?.Service ?? OrdinaryService)(oneEach, assume()))

  expect(report.assumptions).not.toHaveProperty('pageUnit')
  expect(report.assumptions).not.toHaveProperty('totalUnit')
})

it('does not decide what becomes of invalid values from one endpoint, although the ledger is empty', async () => {
  const otherVersion = unusualServices.find(({ title }) => title.startsWith('has another version'))

  const { report } = await probed(new (otherVersion?.Service ?? OrdinaryService)([], assume()))

  expect(report.assumptions).not.toHaveProperty('invalidParameter')
})

it('waits as long as a service says that counts requests per minute', async () => {
  const service = new OrdinaryService(ledger, assume())
  let windowStart = 0
  let count = 0
  const tooMany = {
    status: 429,
    body: { success: false, message: 'Too many requests' },
    headers: { 'retry-after': '60' },
  }
  const respond = (target: string): Sent => {
    if (Date.now() - windowStart >= 60_000) [windowStart, count] = [Date.now(), 0]
    return ++count > 20 ? tooMany : service.respond(target)
  }

  const { report } = await probed({ respond })

  expect(report.assumptions).toMatchObject({ pageUnit: 'transaction', userLimit: 20, rateLimitStatus: 429 })
})

it('does not decide the order of names if their case may break ties', async () => {
  const caseBreaksTies = unusualServices.find(({ title }) => title.startsWith('breaks ties'))
  const few = tellingLedger(45)

  const { report } = await probed(new (caseBreaksTies?.Service ?? OrdinaryService)(few, assume()))

  expect(report.assumptions).not.toHaveProperty('nameOrder')
})

it.each([
  ['amount', '12.50', 'a number'],
  ['createdAt', 1_767_225_600, 'a string'],
  ['createdAt', '2026-01-01 00:00:00', 'an ISO 8601 date-time in UTC'],
])('rejects a service whose transactions have the %s %j, and says what must be', async (field, value, expected) => {
  const broken = ledger.map((entry) => ({ ...entry, [field]: value }))
  const body = (platformId: string) => ({
    success: true,
    data: [{ platformId, transactions: broken.slice(0, 20) }],
    pagination: { page: 1, limit: 100, total: 20, totalPages: 1 },
    summary: { totalTransactions: 20, totalValue: 1, uniqueUsers: 1 },
  })

  const work = probed({ respond: () => ({ status: 200, body: body('9') }) })

  await expect(work).rejects.toMatchObject({
    name: 'ProbeError',
    kind: 'not-the-service',
    message: expect.stringContaining(`\`${field}\` of a transaction must be ${expected}`),
  })
})

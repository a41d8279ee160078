import { createMockLedger, type Assumptions } from '@guild-ledger/mock-server'
import { probe, type ProbeReport } from '@guild-ledger/mock-server/probe'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { assume } from '../../src/assumptions/index.ts'

// A busy machine takes a while for some dozens of requests.
vi.setConfig({ testTimeout: 240_000 })

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const notFound = () =>
  Response.json({ success: false, message: 'No transactions found for this guild' }, { status: 404 })

/** The page without its transactions; the totals are those of all pages. */
const emptied = async (response: Response): Promise<Response> => {
  if (response.status !== 200) return response
  const body = (await response.json()) as { data: unknown }
  const data = Array.isArray(body.data) ? [] : { ...(body.data as object), transactions: [] }
  return Response.json({ ...body, data })
}

/** A service that has no page above `most`, and says so as if it was a page after the last one. */
const probed = async (
  most: number,
  above: (response: Response) => Response | Promise<Response>,
  transactions: number,
  assumptions: Partial<Assumptions>,
): Promise<ProbeReport> => {
  const mock = createMockLedger({ transactions, users: 12, assumptions, rateLimit: 'off' })
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const page = Number(new URL(request.url).searchParams.get('page') ?? 1)
    const response = await mock.fetch(request)
    return page > most ? above(response) : response
  }
  const state = { isOver: false }
  const work = probe({ apiKey: mock.apiKey, baseUrl: mock.origin, fetch, requestsPerSecond: 10, maxRequests: 300 })
  const end = work.finally(() => (state.isOver = true))
  end.catch(() => {})
  while (!state.isOver) await vi.advanceTimersByTimeAsync(250)
  return end
}

const isThorough = process.env.CI !== undefined

/** Values that the probe took for decided, although the service has others. */
const wrongIn = ({ assumptions }: ProbeReport, truth: Partial<Assumptions>): string[] =>
  Object.entries({ ...assume(truth), maxPage: undefined }).flatMap(([key, value]) => {
    const found = assumptions[key as keyof Assumptions]
    return found === undefined || found === value ? [] : [`${key}: ${String(found)}`]
  })

describe.each([
  ['404', notFound],
  ['an empty page', emptied],
] as const)('about a service with %s above its largest page', (name, above) => {
  it.each([
    [1, 40],
    [5, 40],
    [2, 350],
    [9, 350],
  ])('decides no largest page, where it is %i of %i transactions', async (most, transactions) => {
    const units = isThorough ? (['transaction', 'group'] as const) : (['transaction'] as const)
    const values = ['no-match', 'empty-ledger'] as const
    const tried = isThorough || most === 1 ? values : most % 2 === 0 ? values.slice(0, 1) : values.slice(1)
    for (const pageUnit of units)
      for (const notFoundWhen of tried) {
        const report = await probed(most, above, transactions, { pageUnit, notFoundWhen })

        // With one page only, a page after the last one is a page above the largest.
        const isSame = most === 1 && name === '404'
        const seen = isSame ? { notFoundWhen: report.assumptions.notFoundWhen ?? notFoundWhen } : { notFoundWhen }
        expect(wrongIn(report, { pageUnit, ...seen })).toEqual([])
        expect(report.assumptions).not.toHaveProperty('maxPage')
      }
  })
})

it('decides that there is no largest page, if there is none that has transactions', async () => {
  const report = await probed(40, emptied, 40, {})

  expect(report.assumptions.maxPage).toBeNull()
  expect(report.proof.different).toBe(0)
})

import type { UserResponse } from '@guild-ledger/sdk/contract'
import * as fc from 'fast-check'
import { cases, transaction } from '@guild-ledger/test-kit'
import { describe, expect, it } from 'vitest'
import type { PaginatedPage } from '../../sdk/src/pagination/page-result.ts'
import { iterate } from '../../sdk/src/pagination/paginate.ts'
import { operationOf } from './operation.ts'
import { counted, growing, restless, shrinking, swapping, uncounted, unchanged } from './pagination-arbitraries.ts'
import { simulate, type Outcome, type Scenario } from './pagination-simulation.ts'

const idsOf = ({ yielded }: Outcome) => yielded.map(({ transactionId }) => transactionId)
const repeated = (outcome: Outcome) => idsOf(outcome).filter((id, i, ids) => ids.indexOf(id) !== i)
const missing = (outcome: Outcome) => {
  const seen = new Set(idsOf(outcome))
  const stayed = new Set(outcome.after)
  return outcome.before.filter((id) => stayed.has(id) && !seen.has(id))
}

/** Pairs of neighbours in the wrong order, where the spec or an assumption says what is right. */
const inversions = ({ yielded }: Outcome, { user, query, assumptions }: Scenario) => {
  const sortBy = query.sortBy ?? (user ? assumptions.userSortBy : 'createdAt') ?? 'createdAt'
  const sortOrder = query.sortOrder ?? (user ? assumptions.userSortOrder : 'desc')
  const isUndefined = assumptions.pageUnit === 'group' && user === undefined
  if (isUndefined || (sortBy === 'name' && assumptions.nameOrder !== 'code-point')) return []
  return yielded.flatMap((entry, i) => {
    const next = yielded[i + 1]
    if (!next || entry[sortBy] === next[sortBy]) return []
    return entry[sortBy] < next[sortBy] === (sortOrder === 'asc') ? [] : [[entry[sortBy], next[sortBy]]]
  })
}

// Elsewhere than in CI enough to see a mistake.
const scale = cases(12, 2) / 100

/** Scenarios, how many of them are tried, and what a pagination that keeps the guarantee has none of. */
type Guarantee = readonly [
  scenarios: fc.Arbitrary<Scenario>,
  runs: number,
  violations: (outcome: Outcome, scenario: Scenario) => readonly unknown[],
]

const noPages = { total: 0, limit: 1, totalPages: 0 }
const driftsOf = ({ drifts }: Outcome) => drifts
const isOfUsers = ({ assumptions, user }: Scenario) => assumptions.pageUnit === 'group' && user === undefined
/** A removal while pages of users are read again may move a user past them, and so often that not all is repaired. */
const missingOfShrinking: Guarantee[2] = (outcome, scenario) =>
  isOfUsers(scenario) && (outcome.isChangedAfterDrift || outcome.drifts.some(({ repaired }) => !repaired))
    ? []
    : missing(outcome)
/** What is neither yielded nor reported as lost of a ledger whose pages count transactions. */
const unaccounted: Guarantee[2] = ({ yielded, before, drifts }, scenario) =>
  isOfUsers(scenario) ? [] : before.slice(yielded.length + drifts.reduce((sum, { lost }) => sum + lost, 0))
/** Of a page of users with as many transactions as fit, it is not certain that it is the last. */
const tooManyRequests: Guarantee[2] = ({ requests, pages: { total, limit, totalPages } = noPages }, scenario) =>
  requests > totalPages + Number(total % limit === 0 || isOfUsers(scenario)) ? [requests] : []
const tooManyInFlight: Guarantee[2] = ({ mostInFlight }, { concurrency = 32 }) =>
  mostInFlight > concurrency ? [mostInFlight] : []

const guarantees = {
  'yields no transaction twice while others are added': [growing, 1500, repeated],
  'misses no transaction of the first request while others are added': [growing, 1500, missing],
  'reports no drift while transactions are only added': [growing, 300, driftsOf],
  'misses no transaction of the first request where no count covers what pages count': [uncounted, 500, missing],
  'reports no drift where no count covers what pages count and transactions are only added': [uncounted, 300, driftsOf],
  'misses no transaction that stays while others are removed': [shrinking, 800, missingOfShrinking],
  'yields no transaction twice while others are removed': [shrinking, 300, repeated],
  'yields or reports as lost each transaction of the first request, where pages count them': [
    shrinking,
    800,
    unaccounted,
  ],
  'misses no transaction that stays while as many are added as removed': [swapping, 500, missing],
  'yields no transaction twice while others are added and removed': [restless, 500, repeated],
  'misses no transaction of a ledger that does not change, whatever the total counts': [unchanged, 1000, missing],
  'yields no transaction of a ledger that does not change twice, whatever the total counts': [unchanged, 300, repeated],
  'reports no drift of a ledger that does not change, whatever the total counts': [unchanged, 1000, driftsOf],
  'yields transactions in the requested order where pages count them': [unchanged, 1000, inversions],
  'sends one request for each page of a ledger that does not change, and one more if the last may be full': [
    counted,
    1000,
    tooManyRequests,
  ],
  'has no more pages in flight than `concurrency`': [restless, 200, tooManyInFlight],
} satisfies Record<string, Guarantee>

const holds = ([scenarios, , violations]: Guarantee) =>
  fc.asyncProperty(scenarios, async (scenario) => {
    const outcome = await simulate(scenario)
    expect(outcome.error).toBeUndefined()
    expect(violations(outcome, scenario)).toEqual([])
  })

describe('pagination over a ledger that changes', () => {
  // A failure prints the seed that reproduces it.
  it.each(Object.entries<Guarantee>(guarantees))(
    '%s',
    { timeout: 120_000 * Math.max(1, scale) },
    async (_, guarantee) => {
      await expect(fc.assert(holds(guarantee), { numRuns: guarantee[1] * scale })).resolves.toBeUndefined()
    },
  )
})

describe('the end of a pagination', () => {
  /** A page has as many transactions as `counts` says; `overrides` replaces what the service says about the result. */
  const yieldedOf = async (counts: readonly number[], overrides: (page: number) => object) => {
    const operation = operationOf<{ page?: number; limit?: number }, UserResponse & PaginatedPage>(
      { groups: ({ data }) => [data] },
      async ({ page = 1 }) => ({
        success: true,
        data: {
          platformId: 'ann',
          transactions: Array.from({ length: counts[page - 1] ?? 0 }, (_, i) => ({
            ...transaction,
            transactionId: `0b9d1c1e-6f6a-4d3e-9c55-${String(10 * page + i).padStart(12, '0')}`,
          })),
        },
        pagination: { page, limit: 2, total: 5, totalPages: 3, ...overrides(page) },
      }),
    )
    return (await Array.fromAsync(iterate(operation, {}, {}))).length
  }
  const moreAndMore = (page: number) => ({ total: 2 * page + 2, totalPages: page + 1 })

  it('is not a short page before the last', async () => {
    expect(await yieldedOf([2, 1, 2], () => ({}))).toBe(5)
  })

  it('is an empty page, whatever the totals say', async () => {
    expect(await yieldedOf([2, 2], moreAndMore)).toBe(4)
  })
})

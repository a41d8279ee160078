import type { UserResponse } from '@guild-ledger/sdk/contract'
import * as fc from 'fast-check'
import { cases, transaction } from '@guild-ledger/test-kit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type * as Backfill from '../../sdk/src/pagination/backfill.ts'
import type * as Extent from '../../sdk/src/pagination/extent.ts'
import type * as Order from '../../sdk/src/pagination/order.ts'
import type * as PageResult from '../../sdk/src/pagination/page-result.ts'
import type { PaginatedPage } from '../../sdk/src/pagination/page-result.ts'
import { iterate } from '../../sdk/src/pagination/paginate.ts'
import type * as ResultVersion from '../../sdk/src/pagination/result-version.ts'
import type * as Seen from '../../sdk/src/pagination/seen.ts'
import type * as Tally from '../../sdk/src/pagination/tally.ts'
import { operationOf } from './operation.ts'
import { counted, growing, restless, shrinking, swapping, uncounted, unchanged } from './pagination-arbitraries.ts'
import { simulate, type Outcome, type Scenario } from './pagination-simulation.ts'

/** The functions that the guarantees rest on, each replaced by a faulty one where a test says so. */
interface Mutant {
  compareVersions?: (sound: typeof ResultVersion.compareVersions) => typeof ResultVersion.compareVersions
  unitOf?: (sound: typeof PageResult.unitOf) => typeof PageResult.unitOf
  orderOf?: typeof Order.orderOf
  createExtent?: (sound: Extent.Extent) => Extent.Extent
  createSeen?: (sound: Seen.Seen) => Seen.Seen
  createTally?: (sound: Tally.Tally) => Tally.Tally
  backfill?: typeof Backfill.backfill
}

const replaced = vi.hoisted((): { by: Mutant } => ({ by: {} }))
vi.mock('../../sdk/src/pagination/result-version.ts', async (importOriginal) => {
  const original = await importOriginal<typeof ResultVersion>()
  const compareVersions: typeof original.compareVersions = (...versions) =>
    (replaced.by.compareVersions?.(original.compareVersions) ?? original.compareVersions)(...versions)
  return { ...original, compareVersions }
})
vi.mock('../../sdk/src/pagination/page-result.ts', async (importOriginal) => {
  const original = await importOriginal<typeof PageResult>()
  const unitOf: typeof original.unitOf = (page) => (replaced.by.unitOf?.(original.unitOf) ?? original.unitOf)(page)
  return { ...original, unitOf }
})
vi.mock('../../sdk/src/pagination/order.ts', async (importOriginal) => {
  const original = await importOriginal<typeof Order>()
  const orderOf: typeof original.orderOf = (sort) => (replaced.by.orderOf ?? original.orderOf)(sort)
  return { ...original, orderOf }
})
vi.mock('../../sdk/src/pagination/extent.ts', async (importOriginal) => {
  const original = await importOriginal<typeof Extent>()
  const createExtent: typeof original.createExtent = () => {
    const sound = original.createExtent()
    return replaced.by.createExtent?.(sound) ?? sound
  }
  return { ...original, createExtent }
})
vi.mock('../../sdk/src/pagination/seen.ts', async (importOriginal) => {
  const original = await importOriginal<typeof Seen>()
  const createSeen: typeof original.createSeen = () => {
    const sound = original.createSeen()
    return replaced.by.createSeen?.(sound) ?? sound
  }
  return { ...original, createSeen }
})
vi.mock('../../sdk/src/pagination/tally.ts', async (importOriginal) => {
  const original = await importOriginal<typeof Tally>()
  const createTally: typeof original.createTally = (...parts) => {
    const sound = original.createTally(...parts)
    return replaced.by.createTally?.(sound) ?? sound
  }
  return { ...original, createTally }
})
vi.mock('../../sdk/src/pagination/backfill.ts', async (importOriginal) => {
  const original = await importOriginal<typeof Backfill>()
  const backfill: typeof original.backfill = (...parts) => (replaced.by.backfill ?? original.backfill)(...parts)
  return { ...original, backfill }
})
afterEach(() => {
  replaced.by = {}
})

const run = (scenario: Scenario, mutant: Mutant = {}): Promise<Outcome> => {
  replaced.by = mutant
  return simulate(scenario)
}

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
  if (isUndefined || (sortBy === 'name' && assumptions.nameOrder !== 'code-unit')) return []
  return yielded.flatMap((entry, i) => {
    const next = yielded[i + 1]
    if (!next || entry[sortBy] === next[sortBy]) return []
    return entry[sortBy] < next[sortBy] === (sortOrder === 'asc') ? [] : [[entry[sortBy], next[sortBy]]]
  })
}

// Elsewhere than in CI enough to see a mistake.
const scale = cases(25, 2) / 100

/** Scenarios, how many of them are tried, and what a pagination that keeps the guarantee has none of. */
type Guarantee = readonly [
  scenarios: fc.Arbitrary<Scenario>,
  runs: number,
  violations: (outcome: Outcome, scenario: Scenario) => readonly unknown[],
]

const noPages = { total: 0, limit: 1, totalPages: 0 }
const driftsOf = ({ drifts }: Outcome) => drifts
const isOfUsers = ({ assumptions, user }: Scenario) => assumptions.pageUnit === 'group' && user === undefined
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
  'misses no transaction that stays while others are removed': [shrinking, 800, missing],
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
    const outcome = await run(scenario)
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

const totalOnly = (total: number) => ({ total, summary: undefined })

const missesNone = 'misses no transaction of the first request while others are added'
const repeatsNone = 'yields no transaction twice while others are added'
const unordered: ReturnType<typeof Order.orderOf> = (groups) =>
  groups.flatMap(({ platformId, transactions }) => transactions.map((one) => ({ ...one, platformId })))

/** Mistakes one could make in the code, each with a guarantee that it breaks. */
const mutants: readonly [string, keyof typeof guarantees, Mutant][] = [
  ['takes pages as they come, whatever their versions', missesNone, { compareVersions: () => () => 'none' }],
  [
    'takes every page with another version for a loss',
    'reports no drift while transactions are only added',
    { compareVersions: (sound) => (a, b) => (sound(a, b) === 'none' ? 'none' : 'removed') },
  ],
  ['assumes that pages count transactions', missesNone, { unitOf: () => () => 'transaction' }],
  ['assumes that pages count users', missesNone, { unitOf: () => () => 'group' }],
  [
    'takes an ambiguous page for one that counts transactions',
    missesNone,
    { unitOf: (sound) => (page) => sound(page) ?? 'transaction' },
  ],
  [
    'makes no further pass for users it has not met',
    missesNone,
    { createTally: (sound) => derive(sound, { isDone: () => true }) },
  ],
  [
    'yields what it knows',
    repeatsNone,
    { createSeen: (sound) => derive(sound, { add: (entry) => sound.add(entry) || true }) },
  ],
  ['forgets what it yielded some transactions ago', repeatsNone, { createSeen: () => forgetful(6) }],
  [
    'reads no earlier page again after transactions vanished',
    'misses no transaction that stays while others are removed',
    { backfill: async () => ({ pages: [], from: 1, isComplete: true }) },
  ],
  [
    'leaves the groups of a page as they are',
    'yields transactions in the requested order where pages count them',
    { orderOf: () => unordered },
  ],
  [
    'compares totals only',
    'misses no transaction that stays while as many are added as removed',
    { compareVersions: (sound) => (a, b) => sound(totalOnly(a.total), totalOnly(b.total)) },
  ],
]

/** The original with some members replaced; a copy would not follow its `unit`. */
const derive = <T extends object>(sound: T, members: Partial<T>): T => Object.assign(Object.create(sound) as T, members)

/** Remembers the last transactions, and takes everything else for new. */
const forgetful = (remembered: number): Seen.Seen => {
  const last: string[] = []
  let size = 0
  return {
    get size() {
      return size
    },
    has: ({ transactionId }) => last.includes(transactionId),
    add({ transactionId }) {
      if (last.includes(transactionId)) return false
      size++
      last.push(transactionId)
      if (last.length > remembered) last.shift()
      return true
    },
  }
}

describe('the guarantees above do not hold for a pagination that', () => {
  it.each(mutants)('%s', { timeout: 120_000 }, async (_, broken, mutant) => {
    const [scenarios, , violations]: Guarantee = guarantees[broken]
    const isUnnoticed = fc.asyncProperty(
      scenarios,
      async (scenario) => violations(await run(scenario, mutant), scenario).length === 0,
    )
    const { errorInstance } = await fc.check(isUnnoticed, { numRuns: 5000, seed: 1, endOnFailure: true })
    expect(String(errorInstance)).toContain('returning false')
  })
})

describe('the end of a pagination', () => {
  /** A page has as many transactions as `counts` says; `overrides` replaces what the service says about the result. */
  const yieldedOf = async (counts: readonly number[], overrides: (page: number) => object, mutant: Mutant = {}) => {
    replaced.by = mutant
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
  const shortInTheMiddle = [2, 1, 2]
  const moreAndMore = (page: number) => ({ total: 2 * page + 2, totalPages: page + 1 })

  it('is not a short page before the last, which a pagination that ends there does not survive', async () => {
    expect(await yieldedOf(shortInTheMiddle, () => ({}))).toBe(5)
    const mutant: Mutant = { createExtent: (sound) => derive(sound, { lastPage: () => 0 }) }
    expect(await yieldedOf(shortInTheMiddle, () => ({}), mutant)).toBe(3)
  })

  it('is an empty page, whatever the totals say', async () => {
    expect(await yieldedOf([2, 2], moreAndMore)).toBe(4)
  })
})

import type { Assumptions } from '@guild-ledger/mock-server'
import type { GuildQuery, LedgerEntry } from '@guild-ledger/sdk'
import * as fc from 'fast-check'
import type { Change, Scenario } from './pagination-simulation.ts'

// Few values, so that many are equal.
const few = fc.integer({ min: 0, max: 5 })
const hex = (n: number, digits: number) => (n >>> 0).toString(16).padStart(digits, '0').slice(-digits)

const entry: fc.Arbitrary<LedgerEntry> = fc
  .record({
    user: fc.integer({ min: 0, max: 7 }),
    amount: few,
    quantity: few,
    total: fc.constantFrom(0, 0.1, 0.2, 1, 2.5, 7),
    name: fc.constantFrom('Axe', 'axe', 'Bow', 'bow', 'Éclair', 'Zither'),
    source: fc.constantFrom('shop', 'Shop', 'quest'),
    time: fc.integer({ min: 0, max: 12 }),
    id: fc.nat(2 ** 31 - 1),
  })
  .map(({ user, time, id, ...transaction }) => ({
    ...transaction,
    platformId: `u${user}`,
    transactionId: hex(id, 8),
    createdAt: new Date(1_767_225_600_000 + time * 400).toISOString(),
  }))

const assumptions: fc.Arbitrary<Partial<Assumptions>> = fc.record({
  pageUnit: fc.constantFrom('transaction', 'group'),
  totalUnit: fc.constantFrom('page-unit', 'page-unit', 'other'),
  groupOrder: fc.constantFrom('first-transaction', 'platform-id', 'platform-id-descending', 'ledger'),
  sourceMatch: fc.constantFrom('exact', 'case-insensitive', 'contains', 'prefix', 'like-contains'),
  maxLimit: fc.constantFrom(100, 100, 100, 1, 2, 3),
  notFoundWhen: fc.constantFrom('no-match', 'empty-page', 'empty-ledger'),
  nameOrder: fc.constantFrom('code-point', 'case-insensitive', 'language'),
  tieOrder: fc.constantFrom('transaction-id', 'ledger'),
  summaryScope: fc.constantFrom('match', 'guild', 'page'),
  totalValueOf: fc.constantFrom('total', 'amount'),
  emptyTotalPages: fc.constantFrom(0, 1),
  createdAtFormat: fc.constantFrom('milliseconds', 'seconds', 'offset', 'microseconds'),
  userSortBy: fc.constantFrom('createdAt', 'amount', 'quantity', 'total'),
  userSortOrder: fc.constantFrom('desc', 'asc'),
})

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof(fc.constant(undefined), arbitrary, arbitrary)

const queryOf = (sortFields: readonly GuildQuery['sortBy'][]): fc.Arbitrary<GuildQuery> =>
  fc.record({
    limit: fc.constantFrom(1, 2, 2, 3, 3, 4, 5, 7),
    sortBy: maybe(fc.constantFrom(...sortFields)),
    sortOrder: maybe(fc.constantFrom('asc', 'desc')),
    from: fc.constantFrom(undefined, undefined, undefined, undefined, 'shop'),
    minAmount: fc.constantFrom(undefined, undefined, undefined, undefined, 0, 2),
  })

/** Mostly a few transactions, now and then a flood. */
const addition = fc.oneof(
  { weight: 6, arbitrary: fc.array(entry, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(entry, { minLength: 10, maxLength: 40, size: 'max' }) },
)
const grow = addition.map((add): Change => ({ add }))
const shrink = fc.array(fc.nat(1000), { minLength: 1, maxLength: 6 }).map((remove): Change => ({ remove }))

/** Makes each identifier of what was drawn for it, which decides ties, and of a number, so that no two are equal. */
const numbered = (scenario: Scenario): Scenario => {
  let count = 0
  const number = (transaction: LedgerEntry): LedgerEntry => {
    count++
    const platformId = scenario.user ?? transaction.platformId
    return {
      ...transaction,
      platformId,
      transactionId: `${transaction.transactionId}-0000-4000-8000-${hex(count, 12)}`,
    }
  }
  return {
    ...scenario,
    transactions: scenario.transactions.map(number),
    changes: scenario.changes.map((change) => (change.add ? { ...change, add: change.add.map(number) } : change)),
  }
}

const scenario = (changes: fc.Arbitrary<Change[]>): fc.Arbitrary<Scenario> =>
  fc.constantFrom(undefined, undefined, undefined, 'u1').chain((user) =>
    fc
      .record({
        user: fc.constant(user),
        assumptions,
        transactions: fc.array(entry, { maxLength: 50, size: 'max' }),
        query: queryOf(['amount', 'quantity', 'total', 'createdAt', ...(user ? [] : (['name'] as const))]),
        concurrency: maybe(fc.integer({ min: 1, max: 6 })),
        changes,
        slow: fc.boolean(),
        seed: fc.nat(2 ** 31 - 1),
      })
      .map(numbered),
  )

const assuming =
  (values: Partial<Assumptions>) =>
  (one: Scenario): Scenario => ({ ...one, assumptions: { ...one.assumptions, ...values } })
/** The total counts what pages are split into: otherwise it does not show every change. */
const withOwnTotal = assuming({ totalUnit: 'page-unit' })

/** A ledger that does not change. */
export const unchanged = scenario(fc.constant([]))
/** The same where the total counts what pages count, and the summary what matches. */
export const counted = unchanged.map(assuming({ totalUnit: 'page-unit', summaryScope: 'match' }))
const grown = scenario(fc.array(grow, { maxLength: 12, size: 'max' }))
/** A ledger to which transactions are added during pagination. */
export const growing = grown.map(withOwnTotal)
/** The same where no count of the responses covers what pages count. */
export const uncounted = grown.map(assuming({ totalUnit: 'other', summaryScope: 'page' }))
/** A ledger from which transactions are removed during pagination. */
export const shrinking = scenario(fc.array(shrink, { minLength: 1, maxLength: 6, size: 'max' })).map(withOwnTotal)
/** A ledger with changes of both kinds. */
export const restless = scenario(fc.array(fc.oneof(grow, shrink), { maxLength: 12, size: 'max' })).map(withOwnTotal)

/** A ledger in which once as much is added as removed, where the summary adds up what matches. */
export const swapping = scenario(
  fc
    .array(fc.tuple(entry, fc.nat(1000)), { minLength: 1, maxLength: 6 })
    .map((pairs) => [{ add: pairs.map(([added]) => added), remove: pairs.map(([, n]) => n) }]),
).map((one): Scenario => {
  const { from: _, minAmount: __, ...query } = one.query
  const withValue = (transaction: LedgerEntry, i: number) => ({ ...transaction, total: i + 1, amount: i + 1 })
  return {
    ...one,
    user: undefined,
    query,
    assumptions: { ...one.assumptions, summaryScope: 'match', totalUnit: 'page-unit' },
    transactions: one.transactions.map(withValue),
    changes: one.changes.map((change) => ({
      ...change,
      add: change.add?.map((added, i) => withValue(added, 1000 * (i + 1))),
    })),
  }
})

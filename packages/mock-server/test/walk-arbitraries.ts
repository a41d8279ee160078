import type { Assumptions } from '@guild-ledger/mock-server'
import type { GuildQuery, LedgerEntry } from '@guild-ledger/sdk'
import * as fc from 'fast-check'
import type { Change, Scenario } from './walk-world.ts'

// Few values, so that many are equal.
const few = fc.integer({ min: 0, max: 5 })
const hex = (n: number, digits: number) => (n >>> 0).toString(16).padStart(digits, '0').slice(-digits)

const entry: fc.Arbitrary<LedgerEntry> = fc
  .record({
    user: fc.integer({ min: 0, max: 7 }),
    amount: few,
    quantity: few,
    total: fc.constantFrom(0, 0.1, 0.2, 1, 2.5, 7),
    name: fc.constantFrom('Axe', 'axe', 'Bow', 'bow', 'Zither'),
    source: fc.constantFrom('shop', 'Shop', 'quest'),
    time: fc.integer({ min: 0, max: 12 }),
    id: fc.nat(2 ** 31 - 1),
  })
  .map(({ user, time, id, ...row }) => ({
    ...row,
    platformId: `u${user}`,
    transactionId: hex(id, 8),
    createdAt: new Date(1_767_225_600_000 + time * 400).toISOString(),
  }))

const assumptions: fc.Arbitrary<Partial<Assumptions>> = fc.record({
  pageUnit: fc.constantFrom('transaction', 'group'),
  groupOrder: fc.constantFrom('first-transaction', 'platform-id', 'ledger'),
  sourceMatch: fc.constantFrom('exact', 'case-insensitive', 'contains'),
  notFoundWhen: fc.constantFrom('no-match', 'empty-page', 'empty-ledger'),
  nameOrder: fc.constantFrom('code-unit', 'case-insensitive'),
  tieOrder: fc.constantFrom('transaction-id', 'ledger'),
  summaryScope: fc.constantFrom('match', 'guild', 'page'),
  totalValueOf: fc.constantFrom('total', 'amount'),
  emptyTotalPages: fc.constantFrom(0, 1),
  createdAtFormat: fc.constantFrom('milliseconds', 'seconds', 'offset'),
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

/** The first of a group of rows tells how many come; often one, now and then a flood. */
const addition = fc.oneof(
  { weight: 6, arbitrary: fc.array(entry, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(entry, { minLength: 10, maxLength: 40, size: 'max' }) },
)
const grow = addition.map((add): Change => ({ add }))
const shrink = fc.array(fc.nat(1000), { minLength: 1, maxLength: 6 }).map((remove): Change => ({ remove }))

/** Makes identifiers of what was drawn for them, which decides ties, and of a count, so that no two are equal. */
const numbered = (scenario: Scenario): Scenario => {
  let count = 0
  const number = (row: LedgerEntry): LedgerEntry => {
    count += 1
    const platformId = scenario.user ?? row.platformId
    return { ...row, platformId, transactionId: `${row.transactionId}-0000-4000-8000-${hex(count, 12)}` }
  }
  return {
    ...scenario,
    rows: scenario.rows.map(number),
    changes: scenario.changes.map((change) => (change.add ? { ...change, add: change.add.map(number) } : change)),
  }
}

// What vanishes is found again among what is remembered.
const rememberMuch = (one: Scenario): Scenario => ({ ...one, remember: 32 })

const scenario = (changes: fc.Arbitrary<Change[]>): fc.Arbitrary<Scenario> =>
  fc.constantFrom(undefined, undefined, undefined, 'u1').chain((user) =>
    fc
      .record({
        user: fc.constant(user),
        assumptions,
        rows: fc.array(entry, { maxLength: 50, size: 'max' }),
        query: queryOf(['amount', 'quantity', 'total', 'createdAt', ...(user ? [] : (['name'] as const))]),
        concurrency: maybe(fc.integer({ min: 1, max: 6 })),
        changes,
        slow: fc.boolean(),
        seed: fc.nat(2 ** 31 - 1),
        remember: fc.constantFrom(1, 2, 3, 32),
      })
      .map(numbered),
  )

/** A ledger to which things are added while it is walked. */
export const growing = scenario(fc.array(grow, { maxLength: 12, size: 'max' }))
/** A ledger from which things vanish while it is walked. */
export const shrinking = scenario(fc.array(shrink, { minLength: 1, maxLength: 6, size: 'max' })).map(rememberMuch)
/** A ledger to which anything happens. */
export const restless = scenario(fc.array(fc.oneof(grow, shrink), { maxLength: 12, size: 'max' })).map(rememberMuch)

/** A ledger in which once as much appears as vanishes, where the summary adds up what matches. */
export const swapping = scenario(
  fc
    .array(fc.tuple(entry, fc.nat(1000)), { minLength: 1, maxLength: 6 })
    .map((pairs) => [{ add: pairs.map(([row]) => row), remove: pairs.map(([, n]) => n) }]),
).map((one): Scenario => {
  const { from: _, minAmount: __, ...query } = one.query
  const worth = (row: LedgerEntry, i: number) => ({ ...row, total: i + 1, amount: i + 1 })
  return {
    ...rememberMuch(one),
    user: undefined,
    query,
    assumptions: { ...one.assumptions, summaryScope: 'match' },
    rows: one.rows.map(worth),
    changes: one.changes.map((change) => ({ ...change, add: change.add?.map((row, i) => worth(row, 1000 * (i + 1))) })),
  }
})

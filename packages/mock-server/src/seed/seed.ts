import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { createFaker, type Faker } from './faker.ts'
import { createItems, type Item } from './items.ts'
import { seededTimes, type Time } from './times.ts'

/** How many transactions to generate, and from what. */
export interface SeedOptions {
  /** Same seed, same transactions. */
  readonly seed: number
  readonly users: number
  readonly transactions: number
}

/**
 * Sources of purchases, the frequent ones more than once. The spec names none. Filters for `shop` and `Shop` find
 * different transactions under each value of the assumption `sourceMatch`.
 */
const sources = ['shop', 'shop', 'shop', 'Shop', 'workshop', 'quest', 'quest', 'market', 'trade', 'refund']

const roundToCents = (value: number): number => Math.round(value * 100) / 100

/** What one purchase is about. From five on there is a discount, so `total` is not always `amount` times `quantity`. */
const purchaseOf = ({ name, price }: Item, kind: Time['kind'], faker: Faker) => {
  const amount = faker.datatype.boolean() ? price : roundToCents(price * faker.number.float({ min: 0.8, max: 1.2 }))
  const quantity = 1 + Math.floor(20 * faker.number.float() ** 4)
  const total = roundToCents(amount * quantity * (quantity < 5 ? 1 : 0.9))
  const source = kind === 'reward' ? 'daily-reward' : faker.helpers.arrayElement(sources)
  return { amount, quantity, name, source, total }
}

const platformIdForms = [
  ['', 18],
  ['9', 16],
  ['1', 18],
] as const
/** Identifiers of 17, 18 and 19 digits, as chat platforms have them: they sort differently as numbers and as strings. */
const seededPlatformIds = (users: number, faker: Faker): string[] => {
  const generated = new Set<string>()
  while (generated.size < users) {
    const [first, length] = platformIdForms[generated.size % 3] ?? ['', 18]
    generated.add(first + faker.string.numeric({ length, allowLeadingZeros: first !== '' }))
  }
  return [...generated]
}

/** Of two purchases in the same moment, the first has the greater id, so that the order of ties shows. */
const seededIds = (times: readonly Time[], faker: Faker): string[] => {
  const ids = times.map(() => faker.string.uuid())
  for (const [i, { kind }] of times.entries()) {
    if (kind !== 'again') continue
    const pair = ids.slice(i - 1, i + 1).toSorted()
    ids.splice(i - 1, 2, ...pair.toReversed())
  }
  return ids
}

/**
 * Generates transactions, oldest first. They are irregular where the spec leaves something open, so that natural requests
 * get other responses under other assumptions: ties in every field, prices that are not products, days that start with a
 * transaction, names and sources that differ by case. A few users have most transactions, every fifth has a single one, and
 * each has one if there are enough.
 */
export const seededTransactions = (
  { seed, users, transactions }: SeedOptions,
  loadFaker: () => Faker,
): LedgerEntry[] => {
  if (transactions === 0) return []
  const faker = createFaker(seed, loadFaker())
  const drawItem = createItems(faker)
  const platformIds = seededPlatformIds(users, faker)
  const busyUsers = users - Math.floor(users / 5)
  // Spread over the whole time, so that everyone has one.
  const step = Math.max(1, Math.floor(transactions / users))
  const times = seededTimes(transactions, faker)
  const ids = seededIds(times, faker)
  let user = 0
  let purchase = purchaseOf(drawItem(), 'purchase', faker)
  return times.map(({ at, kind }, i) => {
    const isNextUser = i % step === 0 && i / step < users
    const isSameUser = kind === 'again' && user < busyUsers && faker.datatype.boolean()
    if (isNextUser) user = i / step
    else if (!isSameUser) user = Math.floor(faker.number.float() ** 3 * busyUsers)
    if (kind !== 'again') purchase = purchaseOf(drawItem(), kind, faker)
    return Object.freeze({
      platformId: platformIds[user] ?? '',
      transactionId: ids[i] ?? '',
      ...purchase,
      createdAt: new Date(at).toISOString(),
    })
  })
}

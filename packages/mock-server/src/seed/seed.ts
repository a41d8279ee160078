import type { faker as sharedFaker } from '@faker-js/faker/locale/en'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'

/** How many transactions to generate, and from what. */
export interface SeedOptions {
  /** Same seed, same transactions. */
  readonly seed: number
  readonly users: number
  readonly transactions: number
}

/** Transactions are created in the 90 days before this time, whatever the clock says. */
const latestAt = Date.UTC(2026, 0, 31, 12)
const spanMs = 90 * 24 * 60 * 60 * 1000

/** Sources of transactions, the frequent ones more than once. The spec names none. */
const sources = ['shop', 'shop', 'shop', 'quest', 'quest', 'market', 'market', 'trade', 'daily-reward', 'refund']
const itemCount = 120

/** The library that generates transactions. */
export type Faker = typeof sharedFaker

/** An instance of our own: the shared one belongs to whoever else uses faker. */
const createFaker = (seed: number, library: Faker): Faker => {
  const FakerClass = library.constructor as new (options: { locale: unknown; seed: number }) => Faker
  return new FakerClass({ locale: library.rawDefinitions, seed })
}

const generateDistinct = (count: number, generate: () => string): string[] => {
  const generated = new Set<string>()
  while (generated.size < count) generated.add(generate())
  return [...generated]
}

const roundToCents = (value: number): number => Math.round(value * 100) / 100

/** Generates transactions, oldest first. A few users have most of them; each user has one if there are enough. */
export const seededTransactions = (
  { seed, users, transactions }: SeedOptions,
  loadFaker: () => Faker,
): LedgerEntry[] => {
  if (transactions === 0) return []
  const faker = createFaker(seed, loadFaker())
  const items = Array.from({ length: itemCount }, () => ({
    name: faker.commerce.productName(),
    price: faker.number.float({ min: 0.5, max: 250, fractionDigits: 2 }),
  }))
  const platformIds = generateDistinct(users, () => faker.string.numeric({ length: 18, allowLeadingZeros: false }))
  const times = Array.from({ length: transactions }, () => latestAt - faker.number.int({ max: spanMs }))

  return times
    .toSorted((a, b) => a - b)
    .map((at, i) => {
      const busyness = faker.number.float() ** 3
      // The last transactions go to one user after the other, so that everyone has one.
      const user = transactions - i <= users ? transactions - i - 1 : Math.floor(busyness * users)
      const { name, price } = faker.helpers.arrayElement(items)
      const quantity = 1 + Math.floor(20 * faker.number.float() ** 4)
      const amount = roundToCents(price * faker.number.float({ min: 0.8, max: 1.2 }))
      return Object.freeze({
        platformId: platformIds[user] ?? '',
        transactionId: faker.string.uuid(),
        amount,
        quantity,
        name,
        source: faker.helpers.arrayElement(sources),
        total: roundToCents(amount * quantity),
        createdAt: new Date(at).toISOString(),
      })
    })
}

import type { faker as shared } from '@faker-js/faker/locale/en'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'

/** How many rows to make, and from what. */
export interface SeedOptions {
  /** Same seed, same rows. */
  readonly seed: number
  readonly users: number
  readonly transactions: number
}

/** Rows lie in the 90 days before this moment, whatever the clock says. */
const lastAt = Date.UTC(2026, 0, 31, 12)
const spanMs = 90 * 24 * 60 * 60 * 1000

/** Where transactions come from, the frequent ones more than once. The document names none. */
const sources = ['shop', 'shop', 'shop', 'quest', 'quest', 'market', 'market', 'trade', 'daily-reward', 'refund']
const itemCount = 120

/** The library that makes rows up. */
export type Faker = typeof shared

/** An own instance: the shared one belongs to whoever uses faker besides us. */
const createFaker = (seed: number, library: Faker): Faker => {
  const Own = library.constructor as new (options: { locale: unknown; seed: number }) => Faker
  return new Own({ locale: library.rawDefinitions, seed })
}

const distinct = (count: number, make: () => string): string[] => {
  const made = new Set<string>()
  while (made.size < count) made.add(make())
  return [...made]
}

const cents = (value: number): number => Math.round(value * 100) / 100

/** Makes rows, oldest first. A few users make most of them; each user has one if there are enough. */
export const seededRows = ({ seed, users, transactions }: SeedOptions, load: () => Faker): LedgerEntry[] => {
  if (transactions === 0) return []
  const faker = createFaker(seed, load())
  const items = Array.from({ length: itemCount }, () => ({
    name: faker.commerce.productName(),
    price: faker.number.float({ min: 0.5, max: 250, fractionDigits: 2 }),
  }))
  const platformIds = distinct(users, () => faker.string.numeric({ length: 18, allowLeadingZeros: false }))
  const times = Array.from({ length: transactions }, () => lastAt - faker.number.int({ max: spanMs }))

  return times
    .toSorted((a, b) => a - b)
    .map((at, i) => {
      const busy = faker.number.float() ** 3
      // The last rows go round, so that nobody is left out.
      const user = transactions - i <= users ? transactions - i - 1 : Math.floor(busy * users)
      const { name, price } = faker.helpers.arrayElement(items)
      const quantity = 1 + Math.floor(20 * faker.number.float() ** 4)
      const amount = cents(price * faker.number.float({ min: 0.8, max: 1.2 }))
      return Object.freeze({
        platformId: platformIds[user] ?? '',
        transactionId: faker.string.uuid(),
        amount,
        quantity,
        name,
        source: faker.helpers.arrayElement(sources),
        total: cents(amount * quantity),
        createdAt: new Date(at).toISOString(),
      })
    })
}

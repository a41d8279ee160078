import { createHash } from 'node:crypto'
import { faker } from '@faker-js/faker/locale/en'
import { describe, expect, it } from 'vitest'
import { violationOf } from '../store/index.ts'
import { seededTransactions, type SeedOptions } from './seed.ts'

const seeded = (options: SeedOptions) => seededTransactions(options, () => faker)
const checksum = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

describe('seededTransactions', () => {
  // A new version of faker may generate other words for the same seed. Then this fails, and the changelog has to say so.
  it('generates the same transactions for seed 1 in every version', () => {
    expect(checksum(seeded({ seed: 1, users: 20, transactions: 500 }))).toBe(
      'f185e4731fb8e700cbfc78a4b853f44b142b7941a75f18a126e7dc94f9864e43',
    )
  })

  it('generates the same transactions whatever happens to the shared faker', () => {
    const before = seeded({ seed: 7, users: 3, transactions: 20 })
    faker.seed(99)
    faker.person.fullName()

    expect(seeded({ seed: 7, users: 3, transactions: 20 })).toEqual(before)
  })

  it('does not change the shared faker', () => {
    faker.seed(5)
    const expected = faker.number.int()
    faker.seed(5)

    seeded({ seed: 7, users: 3, transactions: 20 })

    expect(faker.number.int()).toBe(expected)
  })

  it('generates other transactions for another seed', () => {
    const [one] = seeded({ seed: 1, users: 3, transactions: 20 })
    const [other] = seeded({ seed: 2, users: 3, transactions: 20 })

    expect(one).not.toEqual(other)
  })

  it('generates valid transactions with distinct ids, oldest first', () => {
    const transactions = seeded({ seed: 3, users: 12, transactions: 300 })

    expect(transactions.map(violationOf).filter(Boolean)).toEqual([])
    expect(new Set(transactions.map(({ transactionId }) => transactionId)).size).toBe(300)
    expect(transactions.map(({ createdAt }) => createdAt)).toEqual(
      transactions.map(({ createdAt }) => createdAt).toSorted(),
    )
  })

  it('gives every user a transaction, and a few users most of them', () => {
    const transactions = seeded({ seed: 3, users: 20, transactions: 1000 })
    const counts = new Map<string, number>()
    for (const { platformId } of transactions) counts.set(platformId, (counts.get(platformId) ?? 0) + 1)
    const busiest = [...counts.values()].toSorted((a, b) => b - a).slice(0, 5)

    expect(counts.size).toBe(20)
    expect(busiest.reduce((sum, count) => sum + count)).toBeGreaterThan(500)
  })

  it('generates a total of amount times quantity, to the cent', () => {
    const transactions = seeded({ seed: 4, users: 5, transactions: 200 })

    for (const { amount, quantity, total } of transactions) expect(total).toBeCloseTo(amount * quantity, 2)
  })
})

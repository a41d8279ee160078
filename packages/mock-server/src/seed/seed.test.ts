import { createHash } from 'node:crypto'
import { faker } from '@faker-js/faker/locale/en'
import { describe, expect, it } from 'vitest'
import { violationOf } from '../store/validate-transactions.ts'
import { seededTransactions, type SeedOptions } from './seed.ts'

const seeded = (options: SeedOptions) => seededTransactions(options, () => faker)
const checksum = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

describe('seededTransactions', () => {
  // A new version of faker may generate other words for the same seed. Then this fails, and the changelog has to say so.
  it('generates the same transactions for seed 1 in every version', () => {
    expect(checksum(seeded({ seed: 1, users: 20, transactions: 500 }))).toBe(
      'cda42f91d10a36516e74bd15570a5bc7190d80f0abc6659f51197ccbe269b3f1',
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

  it('gives every user a transaction, some only one, and a few users most of them', () => {
    const transactions = seeded({ seed: 3, users: 20, transactions: 1000 })
    const counts = new Map<string, number>()
    for (const { platformId } of transactions) counts.set(platformId, (counts.get(platformId) ?? 0) + 1)
    const busiest = [...counts.values()].toSorted((a, b) => b - a).slice(0, 5)

    expect(counts.size).toBe(20)
    expect(busiest.reduce((sum, count) => sum + count)).toBeGreaterThan(500)
    expect([...counts.values()].filter((count) => count === 1)).toHaveLength(4)
  })

  it('generates totals to the cent, which are not always amount times quantity', () => {
    const transactions = seeded({ seed: 4, users: 5, transactions: 200 })
    const differing = transactions.filter(({ amount, quantity, total }) => Math.abs(amount * quantity - total) > 0.005)

    for (const { total } of transactions) expect(total).toBeCloseTo(Math.round(total * 100) / 100, 9)
    expect(differing.length).toBeGreaterThan(30)
    expect(differing.length).toBeLessThan(100)
  })

  it('generates sources and names that differ by case, and names that are not ASCII', () => {
    const transactions = seeded({ seed: 1, users: 20, transactions: 500 })
    const names = new Set(transactions.map(({ name }) => name))
    const sources = new Set(transactions.map(({ source }) => source))

    expect(sources).toEqual(new Set(['shop', 'Shop', 'workshop', 'quest', 'market', 'trade', 'refund', 'daily-reward']))
    expect([...names]).toEqual(expect.arrayContaining(['Amber Ring', 'amber ring', 'Épée de fer']))
  })

  it('generates transactions in the same millisecond, in the same second, and exactly at the start of days', () => {
    const times = seeded({ seed: 1, users: 20, transactions: 500 }).map(({ createdAt }) => createdAt)
    const seconds = times.map((time) => time.slice(0, 19))
    const repeated = (values: readonly string[]) => values.length - new Set(values).size

    expect(repeated(times)).toBeGreaterThan(20)
    expect(repeated(seconds) - repeated(times)).toBeGreaterThan(20)
    expect(times).toContain('2026-01-01T00:00:00.000Z')
    expect(new Set(times.filter((time) => time.endsWith('T00:00:00.000Z'))).size).toBe(84)
  })

  it('generates platformIds that sort differently as strings and as numbers', () => {
    const ids = [...new Set(seeded({ seed: 1, users: 3, transactions: 9 }).map(({ platformId }) => platformId))]

    expect(ids.toSorted()).not.toEqual(ids.toSorted((a, b) => Number(BigInt(a) - BigInt(b))))
  })
})

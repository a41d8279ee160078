import { createHash } from 'node:crypto'
import { faker } from '@faker-js/faker/locale/en'
import { describe, expect, it } from 'vitest'
import { seededRows as seededRowsBy, type SeedOptions } from './seed.ts'
import { flawOf } from './store/index.ts'

const seededRows = (options: SeedOptions) => seededRowsBy(options, () => faker)
const checksum = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

describe('seededRows', () => {
  // A new faker may pick other words for the same seed. Then this fails, and the change belongs in the changelog.
  it('makes the rows it has always made for seed 1', () => {
    expect(checksum(seededRows({ seed: 1, users: 20, transactions: 500 }))).toBe(
      'f185e4731fb8e700cbfc78a4b853f44b142b7941a75f18a126e7dc94f9864e43',
    )
  })

  it('makes the same rows whatever happens to the shared faker', () => {
    const before = seededRows({ seed: 7, users: 3, transactions: 20 })
    faker.seed(99)
    faker.person.fullName()

    expect(seededRows({ seed: 7, users: 3, transactions: 20 })).toEqual(before)
  })

  it('leaves the shared faker alone', () => {
    faker.seed(5)
    const expected = faker.number.int()
    faker.seed(5)

    seededRows({ seed: 7, users: 3, transactions: 20 })

    expect(faker.number.int()).toBe(expected)
  })

  it('makes other rows for another seed', () => {
    const [one] = seededRows({ seed: 1, users: 3, transactions: 20 })
    const [other] = seededRows({ seed: 2, users: 3, transactions: 20 })

    expect(one).not.toEqual(other)
  })

  it('keeps the contract, with distinct ids, oldest first', () => {
    const rows = seededRows({ seed: 3, users: 12, transactions: 300 })

    expect(rows.map(flawOf).filter(Boolean)).toEqual([])
    expect(new Set(rows.map((row) => row.transactionId)).size).toBe(300)
    expect(rows.map((row) => row.createdAt)).toEqual(rows.map((row) => row.createdAt).toSorted())
  })

  it('gives every user a row, and a few users most of them', () => {
    const rows = seededRows({ seed: 3, users: 20, transactions: 1000 })
    const counts = new Map<string, number>()
    for (const { platformId } of rows) counts.set(platformId, (counts.get(platformId) ?? 0) + 1)
    const busiest = [...counts.values()].toSorted((a, b) => b - a).slice(0, 5)

    expect(counts.size).toBe(20)
    expect(busiest.reduce((sum, count) => sum + count)).toBeGreaterThan(500)
  })

  it('has total as amount times quantity, to the cent', () => {
    const rows = seededRows({ seed: 4, users: 5, transactions: 200 })

    for (const { amount, quantity, total } of rows) expect(total).toBeCloseTo(amount * quantity, 2)
  })
})

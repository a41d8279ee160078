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

  it('generates valid transactions with distinct ids, oldest first', () => {
    const transactions = seeded({ seed: 3, users: 12, transactions: 300 })

    expect(transactions.map(violationOf).filter(Boolean)).toEqual([])
    expect(new Set(transactions.map(({ transactionId }) => transactionId)).size).toBe(300)
    expect(transactions.map(({ createdAt }) => createdAt)).toEqual(
      transactions.map(({ createdAt }) => createdAt).toSorted(),
    )
  })
})

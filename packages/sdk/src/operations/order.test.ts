import { describe, expect, it } from 'vitest'
import { entry } from '@guild-ledger/test-kit'
import type { GuildQuery, Transaction } from '../contract/index.ts'
import { orderOf } from './order.ts'

const sequence = (sort: GuildQuery, groups: readonly (readonly Partial<Transaction>[])[]) => {
  const entries = groups.map((values, user) =>
    values.map((one, i) => entry(1, { platformId: `user ${user}`, transactionId: `${'abc'[user]}${i + 1}`, ...one })),
  )
  return orderOf(sort)(entries)
    .map(({ transactionId }) => transactionId)
    .join(' ')
}
const named = (name: unknown) => ({ name: name as string })
const byName = { sortBy: 'name', sortOrder: 'asc' } as const

describe('order of a page', () => {
  it('is by time where times are written with another number of digits', () => {
    const [first, second, third] = ['2026-01-31T10:00Z', '2026-01-31T10:00:01.000Z', '2026-01-31T10:00:02Z']
    const at = (createdAt = '') => ({ createdAt })
    expect(sequence({ sortOrder: 'asc' }, [[at(third)], [at(second)], [at(first)]])).toBe('c1 b1 a1')
    expect(sequence({ sortOrder: 'desc' }, [[at(second)], [at(first)], [at(third)]])).toBe('c1 a1 b1')
  })

  it('distinguishes createdAt beyond milliseconds', () => {
    const at = (micros: string) => ({ createdAt: `2026-01-31T10:00:00.000${micros}Z` })
    expect(sequence({ sortOrder: 'asc' }, [[at('100'), at('300')], [at('200')]])).toBe('a1 b1 a2')
  })

  it.each(['amount', 'quantity', 'total'] as const)('is by %s in both directions', (sortBy) => {
    const of = (value: number) => ({ [sortBy]: value })
    const one = [of(1), of(9)]
    const other = [of(-5), of(5)]
    expect(sequence({ sortBy, sortOrder: 'desc' }, [one.toReversed(), other.toReversed()])).toBe('a1 b1 a2 b2')
    expect(sequence({ sortBy, sortOrder: 'asc' }, [one, other])).toBe('b1 a1 b2 a2')
  })

  it('keeps the order of the service where values are equal', () => {
    expect(sequence({ sortBy: 'amount' }, [[{}, {}], [{}]])).toBe('a1 a2 b1')
  })

  it('keeps the order of the service where a value has a type that the contract does not allow', () => {
    const dated = (createdAt: unknown) => ({ createdAt: createdAt as string })
    const priced = (amount: unknown) => ({ amount: amount as number })
    expect(sequence({ sortOrder: 'asc' }, [[dated(5)], [dated(3)]])).toBe('a1 b1')
    expect(sequence({ sortBy: 'amount', sortOrder: 'asc' }, [[priced('10')], [priced('9')]])).toBe('a1 b1')
  })

  it('keeps the order of the service where times are equal that are written with another number of digits', () => {
    const [short, long] = [{ createdAt: '2026-01-31T10:00:00Z' }, { createdAt: '2026-01-31T10:00:00.000Z' }]
    expect(sequence({ sortOrder: 'asc' }, [[short], [long]])).toBe('a1 b1')
    expect(sequence({ sortOrder: 'asc' }, [[long], [short]])).toBe('a1 b1')
  })

  it('keeps the order of the service where names are equal', () => {
    const groups = [[named('Bow'), named('Bow')], [named('Axe')], [named('Bow')]]
    expect(sequence(byName, groups)).toBe('b1 a1 a2 c1')
    expect(sequence({ sortBy: 'name', sortOrder: 'desc' }, groups)).toBe('a1 a2 c1 b1')
    expect(sequence(byName, [[named(7)], [named('Axe')], [named(7)]])).toBe('a1 c1 b1')
  })

  it('leaves one group as it is', () => {
    expect(sequence({ sortBy: 'amount', sortOrder: 'asc' }, [[{ amount: 2 }, { amount: 1 }]])).toBe('a1 a2')
  })

  it('is by name without case where the groups are in that order only', () => {
    expect(sequence(byName, [[named('axe'), named('Bow')], [named('Axe')]])).toBe('a1 b1 a2')
  })

  it('is by name as a language has it where the groups are in that order only', () => {
    const groups = [
      [named('axe'), named('Éclair'), named('Zoo')],
      [named('Axe'), named('Fir')],
    ]
    expect(sequence(byName, groups)).toBe('a1 b1 a2 b2 a3')
    const reversed = groups.map((group) => group.toReversed())
    expect(sequence({ sortBy: 'name' }, reversed)).toBe('a1 b1 a2 b2 a3')
  })

  it('leaves the groups of names as they are where no order is known that fits them', () => {
    expect(sequence(byName, [[named('Zoo'), named('Axe')], [named('Bow')]])).toBe('a1 a2 b1')
  })
})

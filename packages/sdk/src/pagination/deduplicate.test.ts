import { describe, expect, it } from 'vitest'
import type { LedgerEntry, Summary } from '../contract/index.ts'
import { createDeduplicator } from './deduplicate.ts'
import type { Change, OrderedPage } from './ordered-pages.ts'

interface Claims {
  readonly page?: number
  readonly limit?: number
  readonly total?: number
  readonly pages?: number
  readonly change?: Change
  readonly summary?: Summary
}

/** A page with the transactions of each user, a letter for each. */
const pageOf = (users: Readonly<Record<string, string>>, claims: Claims = {}) => {
  const { page = 1, limit = 100, total = 100, pages = 1, change = 'none', summary } = claims
  const groups = Object.entries(users).map(([platformId, letters]) => ({
    platformId,
    transactions: Array.from(letters, (transactionId) => ({ platformId, transactionId }) as LedgerEntry),
  }))
  const entries = groups.flatMap(({ transactions }) => transactions)
  const version = { total, summary }
  const fields = { page, groups, entries, count: entries.length, limit, version, certainPages: pages, change }
  return fields as unknown as OrderedPage<unknown>
}
const namesOf = (entries: readonly LedgerEntry[]) =>
  entries.map(({ platformId, transactionId }) => platformId + transactionId).join(' ')
/** Reads a page. */
const read = (memory: ReturnType<typeof createDeduplicator>, page: OrderedPage<unknown>) => {
  memory.observe(page)
  return namesOf(memory.fresh(page))
}
const summary = (uniqueUsers: number): Summary => ({ totalTransactions: 100, totalValue: 1, uniqueUsers })
/** A page of two users of three, with two transactions each. */
const ofUsers = { limit: 2, total: 3, pages: 2 }

describe('what pages count', () => {
  it('is unknown at first, then what a page shows, whatever later ones seem to show', () => {
    const memory = createDeduplicator()

    read(memory, pageOf({ ann: 'a', bob: 'b' }))
    expect(memory.unit).toBeUndefined()
    read(memory, pageOf({ cat: 'cd', dan: 'ef' }, ofUsers))
    expect(memory.unit).toBe('group')
    read(memory, pageOf({ eve: 'gh' }, { limit: 2, total: 9, pages: 5 }))
    expect(memory.unit).toBe('group')
  })

  it('is transactions where a user comes again with others', () => {
    const memory = createDeduplicator()
    read(memory, pageOf({ ann: 'a', bob: 'b' }))

    read(memory, pageOf({ ann: 'c', cat: 'd' }))

    expect(memory.unit).toBe('transaction')
  })

  it('stays unknown where a user comes again with what they had before', () => {
    const memory = createDeduplicator()
    read(memory, pageOf({ ann: 'a', bob: 'b' }))

    read(memory, pageOf({ ann: 'ac', cat: 'd' }))

    expect(memory.unit).toBeUndefined()
  })
})

describe('new transactions', () => {
  it('are each the first of those that are the same, as long as it is unknown what pages count', () => {
    const memory = createDeduplicator()

    expect(read(memory, pageOf({ ann: 'a', bob: 'bcb' }))).toBe('anna bobb bobc')
    expect(read(memory, pageOf({ ann: 'ad', cat: 'd' }))).toBe('annd catd')
    expect(memory.users).toBe(3)
  })

  it('are those of new users where pages count users', () => {
    const memory = createDeduplicator()
    read(memory, pageOf({ ann: 'ab', bob: 'cd' }, ofUsers))

    expect(read(memory, pageOf({ ann: 'xy', cat: 'ef' }, { ...ofUsers, page: 2 }))).toBe('cate catf')
    expect(memory.users).toBe(3)
  })

  it('are those that were not met, before or after it was known that pages count transactions', () => {
    const memory = createDeduplicator()
    read(memory, pageOf({ ann: 'a', bob: 'b' }, { limit: 2, total: 9, pages: 5 }))
    const shows = pageOf({ cat: 'cd' }, { page: 2, limit: 2, total: 9, pages: 5 })

    expect(read(memory, shows)).toBe('catc catd')
    expect(memory.unit).toBe('transaction')
    expect(read(memory, pageOf({ bob: 'b', cat: 'de' }, { page: 3, limit: 3, total: 9 }))).toBe('cate')
    expect(memory.users).toBe(2)
  })

  it('are none on a page that says nothing about the result', () => {
    const memory = createDeduplicator()
    read(memory, pageOf({ ann: 'ab' }, { limit: 2, total: 9, pages: 5 }))

    expect(memory.unit).toBe('transaction')
    expect(namesOf(memory.fresh({ ...pageOf({ bob: 'c' }), version: undefined }))).toBe('')
  })
})

describe('transactions that came again without a cause', () => {
  const page = (n: number, letters: string, change: Change = 'none') =>
    pageOf({ ann: letters }, { page: n, limit: 2, total: 9, pages: 5, change })

  it('are counted in the first pass', () => {
    const memory = createDeduplicator()
    read(memory, page(1, 'ab'))
    read(memory, page(2, 'bc'))

    expect(memory.unexplained).toBe(1)
    memory.nextPass()
    expect(memory.unexplained).toBe(0)
  })

  it.each(['removed', 'replaced'] as const)('are not counted where something was %s', (change) => {
    const memory = createDeduplicator()
    read(memory, page(1, 'ab'))
    read(memory, page(2, 'bc', change))

    expect(memory.unexplained).toBe(0)
  })
})

describe('a pass through pages that count users', () => {
  const first = pageOf({ ann: 'ab', bob: 'cd' }, { ...ofUsers, summary: summary(3) })
  const second = pageOf({ cat: 'ef' }, { ...ofUsers, page: 2, summary: summary(3) })

  it('is complete once as many users were met as there are', () => {
    const memory = createDeduplicator()

    read(memory, first)
    expect(memory.isComplete()).toBe(false)
    read(memory, second)
    expect([memory.isComplete(), memory.isDone()]).toEqual([true, true])
  })

  it('is not complete as long as it is unknown what pages count', () => {
    const memory = createDeduplicator()

    read(memory, pageOf({ ann: 'a' }, { total: 1, summary: summary(1) }))

    expect([memory.unit, memory.isComplete(), memory.isDone()]).toEqual([undefined, false, true])
  })

  it('is done without all users where nothing has changed', () => {
    const memory = createDeduplicator()

    read(memory, first)

    expect([memory.isComplete(), memory.isDone()]).toEqual([false, true])
    memory.markChanged()
    expect(memory.isDone()).toBe(false)
    memory.nextPass()
    expect(memory.isDone()).toBe(true)
  })

  it.each(['grown', 'removed', 'replaced'] as const)(
    'is not done without all users where the result has %s',
    (change) => {
      const memory = createDeduplicator()

      read(memory, { ...first, change })

      expect(memory.isDone()).toBe(false)
    },
  )

  it('is due after a user has vanished', () => {
    const memory = createDeduplicator()
    read(memory, first)
    read(memory, second)

    memory.invalidate()

    expect([memory.isComplete(), memory.isDone()]).toEqual([false, false])
  })

  it('is never due where pages count transactions', () => {
    const memory = createDeduplicator()
    read(memory, pageOf({ ann: 'ab' }, { limit: 2, total: 9, pages: 5, change: 'removed' }))
    memory.markChanged()

    expect([memory.unit, memory.isDone(), memory.isComplete()]).toEqual(['transaction', true, false])
  })
})

import { expect, it } from 'vitest'
import { assume } from '../assumptions/index.ts'
import { queryOf } from '../request-matcher.ts'
import { createTransactionFactory } from '../seed/transaction-factory.ts'
import { createTransactionStore } from '../store/index.ts'
import { createResponseCache } from './cache.ts'
import { respond } from './respond.ts'

/** A guild with a cache, and how often a result had to be worked out. */
const cachedGuild = () => {
  const transaction = createTransactionFactory()
  const transactions = createTransactionStore()
  transactions.add([transaction(), transaction()])
  const cache = createResponseCache()
  let calls = 0
  let assumptions = assume()
  return {
    calls: () => calls,
    add: () => transactions.add([transaction()]),
    assume: (changes: Parameters<typeof assume>[0]) => (assumptions = assume(changes)),
    get: (search: string, platformId = '') => {
      const endpoint = platformId === '' ? 'guild' : 'user'
      const query = queryOf(search)
      const request = { method: 'GET', path: '', endpoint, platformId, apiKey: null, search, query } as const
      return cache.resultOf({ transactions, assumptions }, request, (ledger, each) => {
        calls++
        return respond(ledger, each)
      })
    },
  }
}

it('returns the same result for the same request', () => {
  const guild = cachedGuild()

  expect(guild.get('page=1')).toBe(guild.get('page=1'))
  expect(guild.calls()).toBe(1)
})

it('tells queries and users apart', () => {
  const guild = cachedGuild()
  for (const user of ['', 'user-1', 'user-2']) for (const search of ['', 'page=1']) guild.get(search, user)

  expect(guild.calls()).toBe(6)
})

it('forgets its results when a transaction is added', () => {
  const guild = cachedGuild()
  guild.get('')

  guild.add()

  expect(JSON.parse(guild.get('').body)).toMatchObject({ pagination: { total: 3 } })
})

it('forgets its results when an assumption changes', () => {
  const guild = cachedGuild()
  guild.get('')

  guild.assume({ pageUnit: 'group' })

  expect(JSON.parse(guild.get('').body)).toMatchObject({ pagination: { total: 1 } })
})

it('keeps 64 results, the oldest leave first', () => {
  const guild = cachedGuild()
  for (let page = 1; page <= 65; page++) guild.get(`page=${page}`)

  guild.get('page=2')
  expect(guild.calls()).toBe(65)
  guild.get('page=1')
  expect(guild.calls()).toBe(66)
})

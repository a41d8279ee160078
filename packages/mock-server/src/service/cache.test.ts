import { expect, it } from 'vitest'
import { assume } from '../assumptions/index.ts'
import { queryOf } from '../request-matcher.ts'
import { createTransactionStore } from '../store/index.ts'
import { createResponseCache } from './cache.ts'

it('the cache keeps 64 results, of which the oldest leave first', () => {
  const cache = createResponseCache()
  const ledger = { transactions: createTransactionStore(), assumptions: assume() }
  let calls = 0
  const get = (search: string) => {
    const query = queryOf(search)
    const request = { method: 'GET', path: '', endpoint: 'guild', platformId: '', apiKey: null, search, query } as const
    return cache.resultOf(ledger, request, () => ({ status: 200, body: String(++calls) }))
  }
  for (let page = 1; page <= 65; page++) get(`page=${page}`)

  expect([get('page=2'), get('page=65'), get('page=1')].map(({ body }) => body)).toEqual(['2', '65', '66'])
})

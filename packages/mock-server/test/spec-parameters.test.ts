import { afterAll, describe, expect, it } from 'vitest'
import { amountsOf, listAll, startSpecServer, transaction, userOf, type Group } from './spec-server.ts'

/**
 * Both parameter tables of the spec, over real HTTP, with values typed in from it.
 *
 * @proves each query parameter selects, filters, sorts and pages as documented
 * @against values copied from the spec
 */

const server = await startSpecServer()
afterAll(async () => server[Symbol.asyncDispose]())
const { send, mock, small } = server

describe('parameters of both endpoints', () => {
  it('select a page with page and limit, newest first: 1 to 100, from page 1', async () => {
    const { apiKey } = small()

    expect(amountsOf((await send(`${listAll}?limit=1`, apiKey)).body)).toEqual([0])
    expect(amountsOf((await send(`${userOf('ann')}?limit=2&page=2`, apiKey)).body)).toEqual([1])
    expect((await send(`${listAll}?limit=100`, apiKey)).body.pagination).toMatchObject({ limit: 100 })
    expect((await send(`${userOf('ann')}?limit=100`, apiKey)).body.pagination).toMatchObject({ limit: 100 })
  })

  it('have the defaults page 1 and limit 20 on list-all', async () => {
    expect((await send(listAll)).body.pagination).toEqual({ page: 1, limit: 20, total: 500, totalPages: 25 })
  })

  it.each([listAll, userOf('ann')])('filter %s by from, minAmount and maxAmount', async (target) => {
    const { apiKey } = small()
    const amounts = async (query: string) =>
      amountsOf((await send(`${target}?${query}&sortBy=amount&sortOrder=asc`, apiKey)).body)

    expect(await amounts('from=quest')).toEqual([1])
    expect(await amounts('minAmount=3')).toEqual([3])
    expect(await amounts('maxAmount=0')).toEqual([0])
    expect(await amounts('minAmount=0.5&maxAmount=1')).toEqual([1])
  })

  it.each([
    ['amount', [1, 2, 3]],
    ['quantity', [1, 3, 2]],
    ['total', [3, 1, 2]],
    ['createdAt', [1, 2, 3]],
  ])('sort by %s, asc and desc', async (field, ascending) => {
    const guild = mock.createGuild()
    guild.add([transaction(3, 'ann', { total: 0.25 }), transaction(1, 'ann'), transaction(2, 'ann', { quantity: 9 })])
    const amounts = async (target: string, order: string) =>
      amountsOf((await send(`${target}?sortBy=${field}&sortOrder=${order}`, guild.apiKey)).body)

    expect(await amounts(listAll, 'asc')).toEqual(ascending)
    expect(await amounts(listAll, 'desc')).toEqual(ascending.toReversed())
    expect(await amounts(userOf('ann'), 'asc')).toEqual(ascending)
    expect(await amounts(userOf('ann'), 'desc')).toEqual(ascending.toReversed())
  })

  it.each([listAll, userOf('ann')])('sort %s by createdAt, latest first, by default', async (target) => {
    const { apiKey } = small()

    expect((await send(target, apiKey)).body).toEqual(
      (await send(`${target}?sortBy=createdAt&sortOrder=desc`, apiKey)).body,
    )
  })

  it.each(['page=0', 'limit=0', 'limit=101', 'minAmount=-1', 'maxAmount=-1', 'sortBy=price', 'sortOrder=up'])(
    'reject %s',
    async (query) => {
      const { apiKey } = small()
      const responses = await Promise.all(
        [listAll, userOf('ann')].map(async (path) => send(`${path}?${query}`, apiKey)),
      )

      const message = expect.stringContaining(query.split('=')[0] ?? '') as string
      expect(responses.map((response) => response.status)).toEqual([400, 400])
      expect(responses.map((response) => response.body)).toEqual([
        { success: false, message },
        { success: false, message },
      ])
    },
  )
})

describe('parameters of list-all only', () => {
  it('filter by user with platformId', async () => {
    const { body } = await send(`${listAll}?platformId=bob`, small().apiKey)

    expect((body.data as Group[]).map((group) => group.platformId)).toEqual(['bob'])
    expect(body.summary).toEqual({ totalTransactions: 1, totalValue: 2.5, uniqueUsers: 1 })
  })

  it('filter by time with startDate and endDate', async () => {
    const { apiKey } = small()
    const query = 'startDate=2026-01-01T12:00:00Z&endDate=2026-01-03T13:00:00%2B01:00'

    expect(amountsOf((await send(`${listAll}?${query}&sortOrder=asc`, apiKey)).body)).toEqual([2, 3])
    expect((await send(`${listAll}?startDate=yesterday`, apiKey)).status).toBe(400)
  })

  it('sort by name', async () => {
    const { body } = await send(`${listAll}?sortBy=name&sortOrder=asc`, small().apiKey)

    expect(amountsOf(body)).toEqual([2, 1, 3, 0])
    expect((await send(`${userOf('ann')}?sortBy=name`, small().apiKey)).status).toBe(400)
  })

  it('are ignored by the one-user endpoint', async () => {
    const { apiKey } = small()
    const query = '?platformId=bob&startDate=2030-01-01T00:00:00Z&endDate=2000-01-01T00:00:00Z'

    expect((await send(userOf('ann') + query, apiKey)).body).toEqual((await send(userOf('ann'), apiKey)).body)
  })
})

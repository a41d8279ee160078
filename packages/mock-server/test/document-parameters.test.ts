import { afterAll, describe, expect, it } from 'vitest'
import { amountsOf, listAll, row, startDocumentServer, userOf, type Group } from './document-server.ts'

/** Both parameter tables of the document, asserted over real HTTP from values typed in from it. */

const server = await startDocumentServer()
afterAll(async () => server[Symbol.asyncDispose]())
const { ask, mock, small } = server

describe('parameters of both endpoints', () => {
  it('page and limit cut the result, newest first: 1 to 100, from page 1', async () => {
    const { apiKey } = small()

    expect(amountsOf((await ask(`${listAll}?limit=1`, apiKey)).body)).toEqual([0])
    expect(amountsOf((await ask(`${userOf('ann')}?limit=2&page=2`, apiKey)).body)).toEqual([1])
    expect((await ask(`${listAll}?limit=100`, apiKey)).body.pagination).toMatchObject({ limit: 100 })
    expect((await ask(`${userOf('ann')}?limit=100`, apiKey)).body.pagination).toMatchObject({ limit: 100 })
  })

  it('page is 1 and limit 20 on list-all unless given', async () => {
    expect((await ask(listAll)).body.pagination).toEqual({ page: 1, limit: 20, total: 500, totalPages: 25 })
  })

  it.each([listAll, userOf('ann')])('from, minAmount and maxAmount filter %s', async (target) => {
    const { apiKey } = small()
    const amounts = async (query: string) =>
      amountsOf((await ask(`${target}?${query}&sortBy=amount&sortOrder=asc`, apiKey)).body)

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
  ])('sortBy %s, asc and desc', async (field, ascending) => {
    const guild = mock.createGuild()
    guild.add([row(3, 'ann', { total: 0.25 }), row(1, 'ann'), row(2, 'ann', { quantity: 9 })])
    const amounts = async (target: string, order: string) =>
      amountsOf((await ask(`${target}?sortBy=${field}&sortOrder=${order}`, guild.apiKey)).body)

    expect(await amounts(listAll, 'asc')).toEqual(ascending)
    expect(await amounts(listAll, 'desc')).toEqual(ascending.toReversed())
    expect(await amounts(userOf('ann'), 'asc')).toEqual(ascending)
    expect(await amounts(userOf('ann'), 'desc')).toEqual(ascending.toReversed())
  })

  it.each([listAll, userOf('ann')])('sorts %s by createdAt, latest first, unless told otherwise', async (target) => {
    const { apiKey } = small()

    expect((await ask(target, apiKey)).body).toEqual(
      (await ask(`${target}?sortBy=createdAt&sortOrder=desc`, apiKey)).body,
    )
  })

  it.each(['page=0', 'limit=0', 'limit=101', 'minAmount=-1', 'maxAmount=-1', 'sortBy=price', 'sortOrder=up'])(
    'refuses %s',
    async (query) => {
      const { apiKey } = small()
      const replies = await Promise.all([listAll, userOf('ann')].map(async (path) => ask(`${path}?${query}`, apiKey)))

      const message = expect.stringContaining(query.split('=')[0] ?? '') as string
      expect(replies.map((reply) => reply.status)).toEqual([400, 400])
      expect(replies.map((reply) => reply.body)).toEqual([
        { success: false, message },
        { success: false, message },
      ])
    },
  )
})

describe('parameters of list-all only', () => {
  it('platformId takes one user', async () => {
    const { body } = await ask(`${listAll}?platformId=bob`, small().apiKey)

    expect((body.data as Group[]).map((group) => group.platformId)).toEqual(['bob'])
    expect(body.summary).toEqual({ totalTransactions: 1, totalValue: 2.5, uniqueUsers: 1 })
  })

  it('startDate and endDate limit the time', async () => {
    const { apiKey } = small()
    const query = 'startDate=2026-01-01T12:00:00Z&endDate=2026-01-03T13:00:00%2B01:00'

    expect(amountsOf((await ask(`${listAll}?${query}&sortOrder=asc`, apiKey)).body)).toEqual([2, 3])
    expect((await ask(`${listAll}?startDate=yesterday`, apiKey)).status).toBe(400)
  })

  it('sortBy name', async () => {
    const { body } = await ask(`${listAll}?sortBy=name&sortOrder=asc`, small().apiKey)

    expect(amountsOf(body)).toEqual([2, 1, 3, 0])
    expect((await ask(`${userOf('ann')}?sortBy=name`, small().apiKey)).status).toBe(400)
  })

  it('leaves the other endpoint without platformId, startDate and endDate', async () => {
    const { apiKey } = small()
    const query = '?platformId=bob&startDate=2030-01-01T00:00:00Z&endDate=2000-01-01T00:00:00Z'

    expect((await ask(userOf('ann') + query, apiKey)).body).toEqual((await ask(userOf('ann'), apiKey)).body)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMockLedger, type Guild } from '@guild-ledger/mock-server'
import { startMockServer, type MockServer } from '@guild-ledger/mock-server/node'

/** The tables of the document, asserted over real HTTP from values typed in from it. */

const listAll = '/guild/ledger/transactions'
const details = { name: 'document', scopes: ['guild:read'], expiresAt: '2999-01-01T00:00:00Z' } as const
const row = (n: number, platformId: string, change: object = {}) => ({
  platformId,
  transactionId: `0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a0${n}`,
  amount: n,
  quantity: n,
  name: `Item ${n}`,
  source: 'shop',
  total: n + 0.5,
  createdAt: `2026-01-0${n}T00:00:00.000Z`,
  ...change,
})

const mock = createMockLedger()
let server: MockServer
beforeAll(async () => {
  server = await startMockServer({ mock })
})
afterAll(async () => server.close())

const ask = async (target: string, apiKey: string | undefined = mock.apiKey) => {
  const response = await fetch(server.url + target, apiKey === undefined ? {} : { headers: { 'x-api-key': apiKey } })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Reply }
}

interface Reply {
  success: boolean
  message?: string
  data?: unknown
  pagination?: unknown
  summary?: unknown
}
interface Group {
  platformId: string
  transactions: Record<string, unknown>[]
}

/** A guild with rows that differ in every field, upside down in none of them. */
const small = (): Guild => {
  const guild = mock.createGuild()
  guild.add([
    row(1, 'ann', { source: 'quest' }),
    row(2, 'bob', { quantity: 9, name: 'Axe' }),
    row(3, 'ann', { total: 0.25 }),
    row(4, 'ann', { amount: 0 }),
  ])
  return guild
}
const userOf = (platformId: string) => `/guild/ledger/${platformId}/transactions`
const amountsOf = (body: Reply) =>
  (Array.isArray(body.data) ? (body.data as Group[]) : [body.data as Group]).flatMap((group) =>
    group.transactions.map((transaction) => transaction['amount']),
  )

const emptyGuild = () => mock.createGuild().apiKey
const unbound = () => mock.createUnboundKey(details).value
const failing = () => {
  const guild = small()
  guild.fail({ kind: 'internal-error' })
  return guild.apiKey
}
const invalid = () => 'no-such-key'

describe('error table', () => {
  it.each([
    ['the guild identifier is missing', listAll, unbound, 400, 'No guild ID provided'],
    ['the guild identifier is missing', userOf('ann'), unbound, 400, 'No guild ID provided'],
    ['the API key is invalid', listAll, invalid, 401, 'Unauthorized - invalid API key'],
    ['the API key is invalid', userOf('ann'), invalid, 401, 'Unauthorized - invalid API key'],
    ['no transactions for the guild', listAll, emptyGuild, 404, 'No transactions found for this guild'],
    ['no transactions for the user', userOf('ann'), emptyGuild, 404, 'No transactions found for this user'],
    ['internal failure, list-all', listAll, failing, 500, 'Failed to fetch guild transactions'],
    ['internal failure, one user', userOf('ann'), failing, 500, 'Failed to fetch user transactions'],
  ] as const)('%s: %s', async (_condition, target, keyOf, status, message) => {
    const reply = await ask(target, keyOf())

    expect(reply.status).toBe(status)
    expect(reply.body).toEqual({ success: false, message })
    expect(reply.headers.get('content-type')).toBe('application/json')
  })

  it('takes a request without a key for one with an invalid key', async () => {
    const response = await fetch(server.url + listAll)

    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ success: false, message: 'Unauthorized - invalid API key' })
  })
})

describe('field tables', () => {
  const transactionFields = {
    transactionId: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/) as string,
    amount: expect.any(Number) as number,
    quantity: expect.any(Number) as number,
    name: expect.any(String) as string,
    source: expect.any(String) as string,
    total: expect.any(Number) as number,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
  }
  const pagination = {
    page: expect.any(Number) as number,
    limit: expect.any(Number) as number,
    total: expect.any(Number) as number,
    totalPages: expect.any(Number) as number,
  }

  it('list-all: success, data, pagination and summary, and no other field anywhere', async () => {
    const { status, headers, body } = await ask(listAll)
    const groups = body.data as Group[]

    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(body).toEqual({
      success: true,
      data: groups.map((group) => ({
        platformId: expect.any(String) as string,
        transactions: group.transactions.map(() => transactionFields),
      })),
      pagination,
      summary: {
        totalTransactions: expect.any(Number) as number,
        totalValue: expect.any(Number) as number,
        uniqueUsers: expect.any(Number) as number,
      },
    })
    expect(groups.length).toBeGreaterThan(1)
  })

  it('one user: success, data and pagination, no summary', async () => {
    const platformId = mock.guild.transactions[0]?.platformId ?? ''

    const { status, body } = await ask(userOf(platformId))
    const { transactions } = body.data as Group

    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: { platformId, transactions: transactions.map(() => transactionFields) },
      pagination,
    })
    expect(transactions.length).toBeGreaterThan(1)
  })

  it('pagination and summary count what is there', async () => {
    const { body } = await ask(`${listAll}?page=2&limit=3`, small().apiKey)

    expect(body.pagination).toEqual({ page: 2, limit: 3, total: 4, totalPages: 2 })
    expect(body.summary).toEqual({ totalTransactions: 4, totalValue: 8.75, uniqueUsers: 2 })
  })
})

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

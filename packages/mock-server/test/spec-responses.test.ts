import { afterAll, describe, expect, it } from 'vitest'
import { listAll, startSpecServer, userOf, type Group } from './spec-server.ts'

/**
 * The error table and the field tables of the spec, over real HTTP, with values typed in from it.
 *
 * @proves documented errors and response fields are as documented
 * @against values copied from the spec
 */

const server = await startSpecServer()
afterAll(async () => server[Symbol.asyncDispose]())
const { send, mock, small } = server

const details = { name: 'spec', scopes: ['guild:read'], expiresAt: '2999-01-01T00:00:00Z' } as const
const emptyGuild = () => mock.createGuild().apiKey
const unbound = () => mock.createUnboundKey(details).value
const failing = () => {
  const guild = small()
  guild.fault({ kind: 'internal-error' })
  return guild.apiKey
}
const invalid = () => 'no-such-key'

describe('the error table of the spec', () => {
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
    const response = await send(target, keyOf())

    expect(response.status).toBe(status)
    expect(response.body).toEqual({ success: false, message })
    expect(response.headers.get('content-type')).toBe('application/json')
  })

  it('responds to a request without a key as to one with an invalid key', async () => {
    const response = await fetch(server.url + listAll)

    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ success: false, message: 'Unauthorized - invalid API key' })
  })
})

describe('the field tables of the spec', () => {
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

  it('are what list-all returns: success, data, pagination and summary, and no other field anywhere', async () => {
    const { status, headers, body } = await send(listAll)
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

  it('are what the one-user endpoint returns: success, data and pagination, no summary', async () => {
    const platformId = mock.guild.transactions[0]?.platformId ?? ''

    const { status, body } = await send(userOf(platformId))
    const { transactions } = body.data as Group

    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: { platformId, transactions: transactions.map(() => transactionFields) },
      pagination,
    })
    expect(transactions.length).toBeGreaterThan(1)
  })

  it('have a pagination and a summary that count the transactions', async () => {
    const { body } = await send(`${listAll}?page=2&limit=3`, small().apiKey)

    expect(body.pagination).toEqual({ page: 2, limit: 3, total: 4, totalPages: 2 })
    expect(body.summary).toEqual({ totalTransactions: 4, totalValue: 8.75, uniqueUsers: 2 })
  })
})

import { GuildLedger, responseOf } from '@guild-ledger/sdk'
import { entryId, guildResponse, stubService } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'

/** Three pages of one transaction each, every one with more fields than the spec has. */
const serviceWith = (fields: string) =>
  stubService((_, { url }) => {
    const page = Number(new URL(url).searchParams.get('page') ?? 1)
    const data = guildResponse.data.map(({ platformId, transactions }) => ({
      platformId,
      transactions: transactions.map((one) => ({ ...one, transactionId: entryId(page) })),
    }))
    const pagination = { page, limit: 1, total: 3, totalPages: 3 }
    const body = { ...guildResponse, data: page > 3 ? [] : data, pagination }
    return new Response(`${JSON.stringify(body).slice(0, -1)},${fields}}`)
  })

it.each([
  '"response":{"queuedMs":1e308}',
  '"response":{"queuedMs":-1e308}',
  '"response":{"queuedMs":"many","status":1,"headers":null}',
  '"response":null',
  '"page":{"response":7}',
  '"then":{"call":1}',
  '"then":"(resolve) => resolve(7)"',
  '"toJSON":"() => 7"',
  '"constructor":1,"hasOwnProperty":2,"valueOf":3,"toString":4',
  '"__proto__":{"response":{"queuedMs":1e308},"then":1}',
])('hands on bodies with %s as they came, has their responses apart, and paginates to the end', async (fields) => {
  const { options } = serviceWith(fields)
  const { transactions } = new GuildLedger(options)
  const text = await (await options.fetch('https://ledger.example/', {})).text()

  const page = await transactions.list()
  const entries = await Array.fromAsync(transactions.iterate())
  const pages = await Array.fromAsync(transactions.pages())

  expect(JSON.stringify(page)).toBe(JSON.stringify(JSON.parse(text)))
  expect(responseOf(page)).toMatchObject({ status: 200, attempts: 1, queuedMs: 0 })
  expect(entries.map(({ transactionId }) => transactionId)).toEqual([1, 2, 3].map(entryId))
  expect(pages.map((one) => responseOf(one)?.status)).toEqual([200, 200, 200])
})

it('has the response as a property of the page, too, which is not enumerable, where the body has no such field', async () => {
  const page = await new GuildLedger(serviceWith('"more":1').options).transactions.list()

  expect(page.response).toBe(responseOf(page))
  expect(Object.keys(page)).toEqual(['success', 'data', 'pagination', 'summary', 'more'])
})

it('knows no response of an object that is not a page of a client', () => {
  expect([guildResponse, undefined, 'page'].map(responseOf)).toEqual([undefined, undefined, undefined])
})

// A promise adopts what has a function `then`. Bodies pass through async functions as they are, which is safe because
// all of them come from JSON.parse, and JSON has no functions; what a caller's own schema returns is the caller's.
it('makes no function of any JSON, so no body is taken for a promise', async () => {
  const then = ['null', '0', '"function () {}"', '[]', '{"then":{"then":1}}']
  for (const value of then) {
    const service = stubService(() => new Response(`{"then":${value}}`))
    const ledger = new GuildLedger({ ...service.options, validation: 'off' })

    const body: unknown = JSON.parse(`{"then":${value}}`)
    expect(await ledger.get('/guild/discharges')).toEqual(body)
    expect(await ledger.transactions.list()).toEqual(body)
  }
})

it('has headers of the platform where the fetch of a library has its own', async () => {
  const headers = Object.assign(new Map([['x-request-id', '7']]), { get: () => null, has: undefined as never })
  const response = { status: 200, type: 'basic', headers, body: null, text: async () => JSON.stringify(guildResponse) }
  const ledger = new GuildLedger({ apiKey: 'k', baseUrl: 'https://ledger.example', fetch: async () => response })

  expect((await ledger.transactions.list()).response.headers.get('x-request-id')).toBe('7')
})

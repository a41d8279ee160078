import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import { GuildLedger } from '@guild-ledger/sdk'
import { failureOf, guildResponse, startTestServer, stubService, transaction } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'

const mebibyte = 1024 * 1024
/** JSON that decompresses to 64 MiB; it is full of escapes, which used to make it costly to search for the key. */
const bomb = gzipSync(`["${'\\n'.repeat(32 * mebibyte - 2)}"]`)

const tooLarge = {
  name: 'ResponseValidationError',
  code: 'invalid_response',
  message:
    'GET /guild/ledger/transactions failed: the response body must have at most 524288 bytes when decompressed, got more. Lower limit, or raise maxResponseBytes.',
  issues: [{ path: '', expected: 'have at most 524288 bytes when decompressed', received: 'more' }],
}

it.each([
  [200, tooLarge],
  [500, { code: 'server_error', status: 500, reason: undefined }],
] as const)(
  'cuts a gzip bomb off in a response with status %i, and neither blocks nor bloats',
  async (status, error) => {
    await using server = await startTestServer((_, response) => {
      response.writeHead(status, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb)
    })
    const ledger = new GuildLedger({ apiKey: 'key-of-a-guild-1', baseUrl: server.url, throttle: false, retry: false })
    const delay = monitorEventLoopDelay({ resolution: 5 })
    const memoryBefore = process.memoryUsage().rss
    let memory = 0
    const sampling = setInterval(() => (memory = Math.max(memory, process.memoryUsage().rss)), 5)
    delay.enable()

    const failure = await failureOf(ledger.transactions.list())
    delay.disable()
    clearInterval(sampling)

    expect(bomb.length).toBeLessThan(70_000)
    expect(failure).toMatchObject(error)
    expect(delay.max / 1e6).toBeLessThan(300)
    expect(memory - memoryBefore).toBeLessThan(100 * mebibyte)
  },
)

it('does not request a response again that is too large', async () => {
  const service = stubService(() => Response.json(guildResponse))
  const ledger = new GuildLedger({ ...service.options, retry: { baseDelayMs: 0 }, maxResponseBytes: 300 })

  await expect(ledger.transactions.list()).rejects.toMatchObject({ code: 'invalid_response' })
  expect(service.sent).toHaveLength(1)
})

it('accepts a response of exactly maxResponseBytes, which counts bytes and no characters', async () => {
  const body = JSON.stringify({ ...guildResponse, note: 'é'.repeat(100) })
  const bytes = new TextEncoder().encode(body).length
  const client = (maxResponseBytes: number) =>
    new GuildLedger({ ...stubService(() => new Response(body)).options, maxResponseBytes }).transactions

  expect((await client(bytes).list()).data).toHaveLength(1)
  await expect(client(bytes - 1).list()).rejects.toMatchObject({ code: 'invalid_response' })
})

it.each([
  ['content-length', { 'content-length': '2' }],
  ['content-length and content-encoding', { 'content-length': '2', 'content-encoding': 'identity' }],
  ['nothing', {}],
])('counts the bytes of a body itself when the headers say less with %s', async (_, headers) => {
  const service = stubService(() => new Response(JSON.stringify(guildResponse), { headers }))

  await expect(
    new GuildLedger({ ...service.options, maxResponseBytes: 300 }).transactions.list(),
  ).rejects.toMatchObject({ code: 'invalid_response' })
})

const transactionOf = (n: number) => ({
  ...transaction,
  transactionId: `0b9d1c1e-6f6a-4d3e-9c55-${String(n).padStart(12, '0')}`,
})
const pageOf = (page: number, totalPages: number, padding = 0) => ({
  success: true,
  data: [{ platformId: '8412', transactions: Array.from({ length: 2 }, (_, i) => transactionOf(2 * page + i)) }],
  pagination: { page, limit: 2, total: 2 * totalPages, totalPages },
  summary: { totalTransactions: 2 * totalPages, totalValue: 1, uniqueUsers: 1 },
  padding: 'x'.repeat(padding),
})
const pageNumber = ({ url }: { readonly url: string }) => Number(new URL(url).searchParams.get('page'))
const nextTurn = () => new Promise((resolve) => setTimeout(resolve))

it.each([
  ['2 MiB wait for their turn', 500_000, 6],
  ['twice as many wait as are in flight', 0, 11],
])('requests pages ahead of their turn until %s', async (_, padding, requests) => {
  const service = stubService((__, request) => Response.json(pageOf(pageNumber(request), 50, padding)))
  const pages = new GuildLedger(service.options).transactions.pages({ limit: 2 }, { concurrency: 5 })

  await pages.next()
  await pages.next()
  for (let i = 0; i < 50; i++) await nextTurn()

  expect(service.sent).toHaveLength(requests)
  await pages.return?.()
})

it('keeps no more than 2 MiB of pages that turn out to be large, and requests the others again in their turn', async () => {
  const sizeOf = (page: number) => (page === 1 ? 0 : 500_000)
  const service = stubService((_, request) =>
    Response.json(pageOf(pageNumber(request), 9, sizeOf(pageNumber(request)))),
  )
  const ledger = new GuildLedger(service.options)
  const numbers: number[] = []

  for await (const { pagination } of ledger.transactions.pages({ limit: 2 })) {
    numbers.push(pagination.page)
    for (let i = 0; i < 20; i++) await nextTurn()
  }

  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(service.sent.map(pageNumber).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9, 9])
})

it('yields every page, one after the other, where each is larger than what may be kept', async () => {
  const service = stubService((_, request) => Response.json(pageOf(pageNumber(request), 4, 5_000_000)))
  const ledger = new GuildLedger({ ...service.options, maxResponseBytes: 6_000_000 })
  const numbers: number[] = []

  for await (const { pagination } of ledger.transactions.pages({ limit: 2 })) numbers.push(pagination.page)

  expect(numbers).toEqual([1, 2, 3, 4])
  expect(service.sent).toHaveLength(4)
})

it('parses large responses that arrive together in different turns of the event loop', async () => {
  const parsed: number[] = []
  let turn = 0
  const service = stubService((count) => Response.json({ ...guildResponse, padding: 'x'.repeat(300_000), count }))
  const ledger = new GuildLedger({ ...service.options, deduplicate: false })
  const count = () => {
    turn++
    if (parsed.length < 5) setImmediate(count)
  }
  setImmediate(count)

  await Promise.all(
    Array.from({ length: 5 }, async () => {
      await ledger.transactions.list()
      parsed.push(turn)
    }),
  )

  expect(new Set(parsed).size).toBe(5)
})

it('parses no error body of more than 65,536 characters', async () => {
  const body = `{"success":false,"message":"${'x'.repeat(65_506)}"}`
  const failure = (text: string) =>
    failureOf(new GuildLedger(stubService(() => new Response(text, { status: 500 })).options).transactions.list())

  expect(body).toHaveLength(65_536)
  expect(await failure(body)).toMatchObject({ status: 500, body: { success: false } })
  expect(await failure(` ${body}`)).toMatchObject({ status: 500, body: ` ${body}`, reason: undefined })
})

it.each([
  ['625 bytes', 25, 625],
  ['the default', 20_972, undefined],
])(
  'accepts one object or array for each 25 bytes of %s, and rejects one more before it parses',
  async (_, most, maxResponseBytes) => {
    const response = (containers: number) => {
      const service = stubService(() => new Response(`[${'{},'.repeat(containers - 2)}{}]`))
      return new GuildLedger({ ...service.options, maxResponseBytes }).get('/x')
    }

    expect(await response(most)).toHaveLength(most - 1)
    await expect(response(most + 1)).rejects.toMatchObject({
      code: 'invalid_response',
      message: `GET /x failed: the response body must have at most ${most} objects and arrays, got more. Lower limit, or raise maxResponseBytes.`,
    })
  },
)

import { gzipSync } from 'node:zlib'
import { GuildLedger } from '@guild-ledger/sdk'
import { failureOf, guildResponse, processorMs, startTestServer, stubService } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'

const mebibyte = 1024 * 1024
/** JSON that decompresses to 64 MiB; it is full of escapes, which used to make it costly to search for the key. */
const bomb = gzipSync(`["${'\\n'.repeat(32 * mebibyte - 2)}"]`)

const tooLarge = {
  name: 'ResponseValidationError',
  code: 'invalid_response',
  message:
    'GET /guild/ledger/transactions failed: the response body must have at most 16777216 bytes when decompressed, got more. Lower limit, or raise maxResponseBytes.',
  issues: [{ path: '', expected: 'have at most 16777216 bytes when decompressed', received: 'more' }],
}

it.each([
  [200, tooLarge],
  [500, { code: 'server_error', status: 500, reason: undefined }],
] as const)(
  'cuts a gzip bomb off in a response with status %i, and takes little memory for it',
  async (status, error) => {
    await using server = await startTestServer((_, response) => {
      response.writeHead(status, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb)
    })
    const ledger = new GuildLedger({ apiKey: 'key-of-a-guild-1', baseUrl: server.url, throttle: false, retry: false })
    const memoryBefore = process.memoryUsage().rss
    let memory = 0
    const sampling = setInterval(() => (memory = Math.max(memory, process.memoryUsage().rss)), 5)

    const failure = await failureOf(ledger.transactions.list())
    clearInterval(sampling)

    expect(bomb.length).toBeLessThan(70_000)
    expect(failure).toMatchObject(error)
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

const ofHalfAMebibyte = (part: string) => part.repeat(Math.floor((mebibyte / 2 - 20) / part.length))
it.each([
  ['nested arrays', `${'['.repeat(mebibyte / 4)}${']'.repeat(mebibyte / 4)}`],
  ['empty arrays', `[${ofHalfAMebibyte('[],')}0]`],
  ['empty objects', `{"data":[${ofHalfAMebibyte('{},')}0]}`],
  ['brackets that are no JSON', ofHalfAMebibyte('[')],
])('takes less than four times the processor time of Response.json() for 512 KiB of %s', async (_, text) => {
  const parseMs: number[] = []
  const callMs: number[] = []
  for (let run = 0; run < 5; run++) {
    parseMs.push(await processorMs(() => new Response(text).json().catch(() => {})))
    const ledger = new GuildLedger(stubService(() => new Response(text)).options)
    callMs.push(
      await processorMs(async () => {
        expect(await failureOf(ledger.transactions.list())).toMatchObject({ code: 'invalid_response' })
      }),
    )
  }

  // How fast the machine is does not count.
  expect(Math.min(...callMs)).toBeLessThan(4 * Math.min(...parseMs))
})

it('parses no error body of more than 65,536 characters', async () => {
  const body = `{"success":false,"message":"${'x'.repeat(65_506)}"}`
  const failure = (text: string) =>
    failureOf(new GuildLedger(stubService(() => new Response(text, { status: 500 })).options).transactions.list())

  expect(body).toHaveLength(65_536)
  expect(await failure(body)).toMatchObject({ status: 500, body: { success: false } })
  expect(await failure(` ${body}`)).toMatchObject({ status: 500, body: ` ${body}`, reason: undefined })
})

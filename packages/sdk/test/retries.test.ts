import { GuildLedger } from '@guild-ledger/sdk'
import { errorBody, failureOf, guildResponse, sendJson, startTestServer, stubService } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const page = () => Response.json(guildResponse)
const failed = (status: number, headers: Record<string, string> = {}) =>
  Response.json(errorBody('later'), { status, headers })

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Starts a call and lets time pass until it has settled. */
const settle = async <T>(call: Promise<T>): Promise<T> => {
  call.catch(() => {})
  await vi.advanceTimersByTimeAsync(60_000)
  return call
}

it.each([408, 425, 429, 500, 502, 503, 504])('retries a %i twice by default', async (status) => {
  const service = stubService(() => failed(status))
  const ledger = new GuildLedger({ ...service.options, retry: undefined })

  expect(await failureOf(settle(ledger.transactions.list()))).toMatchObject({
    status,
    attempts: 3,
    message: expect.stringContaining(`GET /guild/ledger/transactions failed after 3 attempts: ${status} later. `),
  })
  expect(service.sent).toHaveLength(3)
})

it.each([400, 401, 402, 403, 404, 409, 501, 505])('does not retry a %i', async (status) => {
  const service = stubService(() => failed(status))

  await failureOf(settle(new GuildLedger({ ...service.options, retry: undefined }).transactions.list()))

  expect(service.sent).toHaveLength(1)
})

it('resolves with the page of the attempt that succeeds, and the number of attempts', async () => {
  vi.useRealTimers()
  await using server = await startTestServer((_, response, count) =>
    count < 3 ? response.destroy() : sendJson(response, guildResponse),
  )
  const options = { apiKey: 'k3y', throttle: false, retry: { baseDelayMs: 0 }, logLevel: 'off' } as const

  const { response } = await new GuildLedger({ ...options, baseUrl: server.url }).transactions.list()

  expect(response).toMatchObject({ status: 200, attempts: 3 })
})

it('retries when a body breaks off', async () => {
  vi.useRealTimers()
  await using server = await startTestServer((_, response, count) => {
    if (count > 1) return sendJson(response, guildResponse)
    response.writeHead(200, { 'content-length': '1000' })
    return response.write('{"success":true', () => response.destroy())
  })
  const options = { apiKey: 'k3y', throttle: false, retry: { baseDelayMs: 0 }, logLevel: 'off' } as const

  expect((await new GuildLedger({ ...options, baseUrl: server.url }).transactions.list()).response.attempts).toBe(2)
})

it.each([
  ['without middleware', []],
  ['with middleware', [(request: Request, next: (request: Request) => Promise<Response>) => next(request)]],
])('retries when fetch returns a network error, %s', async (_, middleware) => {
  const service = stubService((count) => (count === 1 ? Response.error() : page()))
  const ledger = new GuildLedger({ ...service.options, middleware, retry: {} })

  expect((await settle(ledger.transactions.list())).response.attempts).toBe(2)
  expect(service.lines).toEqual([expect.stringContaining('(fetch returned a network error), retrying')])
})

it('does not retry a call with maxRetries 0', async () => {
  const service = stubService(() => failed(500))
  const ledger = new GuildLedger({ ...service.options, retry: undefined })

  await failureOf(settle(ledger.transactions.list({}, { maxRetries: 0 })))

  expect(service.sent).toHaveLength(1)
})

it('waits a random time below a bound that doubles with each retry', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const service = stubService(() => failed(500))

  await failureOf(settle(new GuildLedger({ ...service.options, retry: { maxRetries: 3 } }).transactions.list()))

  expect(service.sent.map(({ at }) => at)).toEqual([0, 150, 450, 1_050])
})

it.each([
  ['20', 20_000],
  ['Thu, 01 Jan 1970 00:00:09 GMT', 9_000],
  ['0', 0],
  ['Wed, 31 Dec 1969 00:00:00 GMT', 0],
])('retries after Retry-After: %s', async (retryAfter, expectedMs) => {
  const service = stubService((count) => (count === 1 ? failed(429, { 'retry-after': retryAfter }) : page()))

  await settle(new GuildLedger({ ...service.options, retry: {} }).transactions.list())

  expect(service.sent).toHaveLength(2)
  // A timer of 0 ms takes 1 ms.
  expect(service.sent[1]?.at).toBeOneOf([expectedMs, expectedMs + 1])
})

it('fails at once, with the time asked for, if Retry-After is longer than maxDelayMs', async () => {
  const service = stubService(() => failed(429, { 'retry-after': '21' }))

  expect(await failureOf(new GuildLedger({ ...service.options, retry: {} }).transactions.list())).toMatchObject({
    code: 'rate_limited',
    retryAfterMs: 21_000,
  })
  expect(service.sent).toHaveLength(1)
})

it('fails with the error response at once if the retry would exceed timeoutMs', async () => {
  const service = stubService(() => failed(503, { 'retry-after': '1' }))
  const ledger = new GuildLedger({ ...service.options, retry: {} })

  const failure = failureOf(ledger.transactions.list({}, { timeoutMs: 2_000 }))
  await vi.advanceTimersByTimeAsync(1_000)

  expect(await failure).toMatchObject({ status: 503, retryAfterMs: 1_000, attempts: 2 })
  expect(service.sent).toHaveLength(2)
})

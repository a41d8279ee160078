import { createMockLedger, createTransactionFactory } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { afterEach, expect, it, vi } from 'vitest'
import worker, { respond } from '../src/cloudflare-worker.ts'
import { createIsolatedMock } from './support/isolated-mock.ts'

const request = (path: string, init?: RequestInit) => new Request(`https://shop.test${path}`, init)

const createContext = () => ({ waitUntil: vi.fn<(work: Promise<unknown>) => void>() })

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('the Worker responds with the purchases of a user, with the key from its secrets', async () => {
  const transaction = createTransactionFactory()
  const mock = createMockLedger({ transactions: 0 })
  mock.guild.add([transaction({ platformId: 'a b/c', name: 'Shield' })])
  await using server = await startMockServer({ mock })
  const env = { GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: server.url }

  const response = await worker.fetch(request('/users/a%20b%2Fc'), env, createContext())

  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('public, max-age=30')
  expect(await response.json()).toMatchObject({ platformId: 'a b/c', purchases: [{ name: 'Shield' }] })
})

it('the Worker responds with an empty list for a user without transactions', async () => {
  const { ledger } = createIsolatedMock()
  const response = await respond(ledger, request('/users/nobody'))
  expect(await response.json()).toEqual({ platformId: 'nobody', purchases: [] })
})

it.each([
  ['GET', '/', 404],
  ['GET', '/users/', 404],
  ['GET', '/users/%zz', 404],
  ['GET', '/users/a/b', 404],
  ['POST', '/users/8412', 405],
])('the Worker responds to %s %s with %d without a request to the ledger', async (method, path, status) => {
  const { guild, ledger } = createIsolatedMock()
  const response = await respond(ledger, request(path, { method }))
  expect(response.status).toBe(status)
  guild.expectRequests(0)
})

it('the Worker responds with a 503 and Retry-After when the service is down', async () => {
  const { guild, ledger } = createIsolatedMock()
  guild.fault({ kind: 'internal-error' })
  const response = await respond(ledger, request('/users/8412'))
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('60')
})

it('the Worker queues requests, and responds with a 503 to those that would wait too long', async () => {
  vi.useFakeTimers()
  // Ten at once are not above the limit.
  const mock = createMockLedger({ users: 1, assumptions: { rateLimitAlgorithm: 'sliding-window' } })
  vi.stubGlobal('fetch', mock.fetch)
  const env = { GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: mock.origin }
  const path = `/users/${mock.guild.transactions[0]?.platformId}`

  const context = createContext()
  const visits = Promise.all(Array.from({ length: 80 }, () => worker.fetch(request(path), env, context)))
  await vi.advanceTimersByTimeAsync(900)
  mock.guild.expectRequests(10)
  await vi.advanceTimersByTimeAsync(5000)
  const responses = await visits

  const successful = responses.filter(({ status }) => status === 200)
  expect(successful).toHaveLength(50)
  expect(responses.filter(({ status }) => status === 503)).toHaveLength(30)
  mock.guild.expectRequests(50, { status: 200 }) // none above the limit
  expect(context.waitUntil).toHaveBeenCalledTimes(30)
})

it('the Worker keeps its event alive for three seconds after a time-out, so that the request can end', async () => {
  vi.useFakeTimers()
  const mock = createMockLedger({ users: 1 })
  mock.guild.fault({ kind: 'latency', ms: 6000 })
  vi.stubGlobal('fetch', mock.fetch)
  const env = { GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: mock.origin }
  const context = createContext()

  const visit = worker.fetch(request('/users/8412'), env, context)
  await vi.advanceTimersByTimeAsync(5000)

  expect((await visit).status).toBe(503)
  const kept = vi.fn()
  void context.waitUntil.mock.calls[0]?.[0].then(kept)
  await vi.advanceTimersByTimeAsync(2999)
  expect(kept).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(kept).toHaveBeenCalled()
})

it('the Worker logs a wrong key as an error, without the key in the log or the response', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { ledger } = createIsolatedMock({}, { apiKey: 'wrong-key-4711' })

  const response = await respond(ledger, request('/users/8412'))

  expect(response.status).toBe(502)
  const output = `${await response.text()} ${JSON.stringify(log.mock.calls)}`
  expect(output).toContain('invalid_api_key')
  expect(output).not.toContain('4711')
})

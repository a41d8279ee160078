import { createMockLedger, createTransactionFactory } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { afterEach, expect, it, vi } from 'vitest'
import worker, { answer } from '../src/cloudflare-worker.ts'
import { world } from './testing/world.ts'

const asks = (path: string, init?: RequestInit) => new Request(`https://shop.test${path}`, init)

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('answers as the platform calls it, with the key of its secrets', async () => {
  const transaction = createTransactionFactory()
  const mock = createMockLedger({ transactions: 0 })
  mock.guild.add([transaction({ platformId: 'a b/c', name: 'Shield' })])
  await using server = await startMockServer({ mock })
  const env = { GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: server.url }

  const response = await worker.fetch(asks('/users/a%20b%2Fc'), env)

  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('public, max-age=30')
  expect(await response.json()).toMatchObject({ platformId: 'a b/c', purchases: [{ name: 'Shield' }] })
})

it('shows nothing for a user who has bought nothing', async () => {
  const { ledger } = world()
  const response = await answer(ledger, asks('/users/nobody'))
  expect(await response.json()).toEqual({ platformId: 'nobody', purchases: [] })
})

it.each([
  ['/', 404],
  ['/users/', 404],
  ['/users/%zz', 404],
  ['/users/a/b', 404],
])('does not ask the ledger for %s', async (path, status) => {
  const { guild, ledger } = world()
  const response = await answer(ledger, asks(path))
  expect(response.status).toBe(status)
  guild.expectRequests(0)
})

it('does not take orders', async () => {
  const { ledger } = world()
  const response = await answer(ledger, asks('/users/8412', { method: 'POST' }))
  expect(response.status).toBe(405)
})

it('asks visitors to come back when the service is down', async () => {
  const { guild, ledger } = world()
  guild.fail({ kind: 'internal-error' })
  const response = await answer(ledger, asks('/users/8412'))
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('60')
})

it('lets visitors wait for their turn, and tells those to come back who would wait too long', async () => {
  vi.useFakeTimers()
  const mock = createMockLedger({ users: 1 })
  vi.stubGlobal('fetch', mock.fetch)
  const env = { GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: mock.origin }
  const path = `/users/${mock.guild.transactions[0]?.platformId}`

  const visitors = Promise.all(Array.from({ length: 80 }, () => worker.fetch(asks(path), env)))
  await vi.advanceTimersByTimeAsync(900)
  mock.guild.expectRequests(10)
  await vi.advanceTimersByTimeAsync(5000)
  const responses = await visitors

  const served = responses.filter(({ status }) => status === 200)
  expect(served).toHaveLength(50)
  expect(responses.filter(({ status }) => status === 503)).toHaveLength(30)
  mock.guild.expectRequests(50, { status: 200 }) // none above the limit
})

it('tells the log about a wrong key, and neither the log nor the visitor the key', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { ledger } = world({}, { apiKey: 'wrong-key-4711' })

  const response = await answer(ledger, asks('/users/8412'))

  expect(response.status).toBe(502)
  const told = `${await response.text()} ${JSON.stringify(log.mock.calls)}`
  expect(told).toContain('invalid_api_key')
  expect(told).not.toContain('4711')
})

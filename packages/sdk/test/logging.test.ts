import { GuildLedger } from '@guild-ledger/sdk'
import { errorBody, failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { expect, it, vi } from 'vitest'

const failed = (status: number) => Response.json(errorBody('later'), { status, headers: { 'retry-after': '0' } })
const page = () => Response.json(guildResponse)

it('logs a retry as a warning, and a success at level debug', async () => {
  const service = stubService((count) => (count === 1 ? failed(503) : page()))

  await new GuildLedger({ ...service.options, retry: {}, logLevel: 'debug' }).transactions.list()

  expect(service.lines).toEqual([
    'warn guild-ledger: GET /guild/ledger/transactions failed with 503, retrying in 0 ms (attempt 2 of 3)',
    'debug guild-ledger: GET /guild/ledger/transactions succeeded with 200 (attempt 2)',
  ])
})

it('logs the reason of a failed connection that is retried', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const service = stubService((count) => {
    if (count > 1) return page()
    throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') })
  })

  await new GuildLedger({ ...service.options, retry: { maxRetries: 1 } }).transactions.list()

  expect(service.lines).toEqual([
    'warn guild-ledger: GET /guild/ledger/transactions failed with a connection error ' +
      '(connect ECONNREFUSED 127.0.0.1:1), retrying in 0 ms (attempt 2 of 2)',
  ])
})

it('warns of a 429 once, with what helps if processes share a key, and logs later ones at level info', async () => {
  const service = stubService(() => failed(429))
  const ledger = new GuildLedger({ ...service.options, retry: { maxRetries: 2 }, logLevel: 'info' })

  await failureOf(ledger.transactions.list())
  await failureOf(ledger.user('8412').transactions.list())

  expect(service.lines).toEqual([
    'warn guild-ledger: GET /guild/ledger/transactions failed with 429, retrying in 0 ms (attempt 2 of 3). ' +
      'If other processes use the key, share one throttle: createRedisThrottle of @guild-ledger/sdk/redis',
    'info guild-ledger: GET /guild/ledger/transactions failed with 429, retrying in 0 ms (attempt 3 of 3)',
    'info guild-ledger: GET /guild/ledger/8412/transactions failed with 429, retrying in 0 ms (attempt 2 of 3)',
    'info guild-ledger: GET /guild/ledger/8412/transactions failed with 429, retrying in 0 ms (attempt 3 of 3)',
  ])
})

it('warns of other failures after the first 429 too', async () => {
  const service = stubService((count) => failed(count === 1 ? 429 : 503))

  await failureOf(new GuildLedger({ ...service.options, retry: { maxRetries: 2 } }).transactions.list())

  expect(service.lines).toEqual([expect.stringMatching(/^warn .* 429,/), expect.stringMatching(/^warn .* 503,/)])
})

it('resolves a call even if the logger throws', async () => {
  const { options } = stubService(page)
  const logger = { ...options.logger, debug: () => expect.fail('disk full') }

  await expect(new GuildLedger({ ...options, logger, logLevel: 'debug' }).transactions.list()).resolves.toBeDefined()
})

it('does not end the process if an asynchronous logger rejects', async () => {
  const unhandled = vi.fn<(reason: unknown) => void>()
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', unhandled)
  try {
    const debug = async () => Promise.reject(new Error('disk full'))
    const logger = { debug, info: debug, warn: debug, error: debug }

    await new GuildLedger({ ...stubService(page).options, logger, logLevel: 'debug' }).transactions.list()
    await new Promise((passed) => setTimeout(passed, 5))
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const other of others) process.on('unhandledRejection', other)
  }
  expect(unhandled).not.toHaveBeenCalled()
})

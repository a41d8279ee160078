import { setTimeout as sleep } from 'node:timers/promises'
import { createThrottle, GuildLedger, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { errorBody, guildResponse } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'

/** A client whose throttle is paused for `pausedMs`, and the URLs it sends. */
const pausedClient = (pausedMs: number, options: GuildLedgerOptions = {}) => {
  const throttle = createThrottle()
  throttle.pause(pausedMs)
  const sent: string[] = []
  const ledger = new GuildLedger({
    apiKey: 'k',
    baseUrl: 'https://ledger.test',
    throttle,
    fetch: async (url) => {
      sent.push(new URL(url).search)
      await sleep(20)
      return Response.json(guildResponse)
    },
    ...options,
  })
  return { ledger, throttle, sent }
}

it('50 identical calls at once send one request, and each gets an object of its own', async () => {
  const { ledger, sent } = pausedClient(50)

  const pages = await Promise.all(Array.from({ length: 50 }, () => ledger.transactions.list({ limit: 10 })))

  expect(sent).toEqual(['?limit=10'])
  expect(new Set(pages).size).toBe(50)
  expect(new Set(pages.map(({ pagination }) => pagination)).size).toBe(50)
  expect(pages.every(({ response }) => response.attempts === 1 && response.status === 200)).toBe(true)
})

it('a call that comes after the request was sent sends one of its own', async () => {
  const { ledger, sent } = pausedClient(0)

  const first = ledger.transactions.list()
  while (sent.length === 0) await sleep(1)
  await Promise.all([first, ledger.transactions.list()])

  expect(sent).toHaveLength(2)
})

it('a call shares no response that middleware made before it, and has a signal that did not fire', async () => {
  const signals: AbortSignal[] = []
  const middleware = [async ({ signal }: Request) => (signals.push(signal), Response.json({}))]
  const { ledger } = pausedClient(0, { middleware })
  const schema = { '~standard': { version: 1, vendor: 'test', validate: () => sleep(30, { value: 1 }) } } as const

  const first = ledger.get('/x', { schema })
  while (signals.length === 0) await sleep(1)
  await sleep(1)
  await Promise.all([first, ledger.get('/x', { schema })])

  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false])
})

it.each([
  ['query', [{ limit: 1 }, { limit: 2 }], [{}, {}]],
  ['time limit of an attempt', [{}, {}], [{ attemptTimeoutMs: 1000 }, { attemptTimeoutMs: 2000 }]],
  ['number of retries', [{}, {}], [{ maxRetries: 0 }, { maxRetries: 1 }]],
  ['priority', [{}, {}], [{ priority: 'interactive' }, { priority: 'background' }]],
] as const)('calls with another %s share no request', async (_name, queries, options) => {
  const { ledger, sent } = pausedClient(50)

  await Promise.all(queries.map((query, i) => ledger.transactions.list(query, options[i])))

  expect(sent).toHaveLength(2)
})

it.each([{ deduplicate: false }, { throttle: false }] as const)('calls share no request with %o', async (options) => {
  const { ledger, sent } = pausedClient(50, options)

  await Promise.all([ledger.transactions.list(), ledger.transactions.list()])

  expect(sent).toHaveLength(2)
})

it('a shared request is retried for as long as one of its callers waits', async () => {
  const responses = [new Response('{}', { status: 503, headers: { 'retry-after': '1' } }), Response.json(guildResponse)]
  const fetch = async () => responses.shift() ?? Response.error()
  const { ledger } = pausedClient(20, { fetch, retry: {} })

  const calls = [ledger.transactions.list({}, { timeoutMs: 150 }), ledger.transactions.list()]
  const results = await Promise.allSettled(calls)

  expect(results).toMatchObject([{ reason: { code: 'timeout' } }, { value: { success: true } }])
})

it('each call keeps its own time limit and signal while the others wait on', async () => {
  const throttle = createThrottle({ requestsPerSecond: 1 })
  const { ledger, sent } = pausedClient(0, { throttle })
  const permit = await throttle.acquire()
  const controller = new AbortController()
  const late = ledger.transactions.list({}, { timeoutMs: 50 })
  const aborted = ledger.transactions.list({}, { signal: controller.signal })
  const unlimited = ledger.transactions.list()

  await expect(late).rejects.toMatchObject({ code: 'timeout', phase: 'queue' })
  controller.abort(new Error('enough'))
  await expect(aborted).rejects.toThrow('enough')
  permit.release({ kind: 'notSent' })

  expect((await unlimited).success).toBe(true)
  expect(sent).toHaveLength(1)
})

it('the request is not sent once every caller has left', async () => {
  const { ledger, throttle, sent } = pausedClient(200)
  const controllers = [new AbortController(), new AbortController()]
  const calls = controllers.map(({ signal }) => ledger.transactions.list({}, { signal }))
  await expect.poll(() => throttle.stats.waiting).toBe(1)

  for (const controller of controllers) controller.abort()
  await Promise.allSettled(calls)
  await sleep(300)

  expect(throttle.stats).toMatchObject({ waiting: 0, held: 0 })
  expect(sent).toEqual([])
})

it('a failure reaches every call that shares the request', async () => {
  const { ledger } = pausedClient(50, { fetch: async () => Response.json(errorBody('x'), { status: 403 }) })

  const results = await Promise.allSettled([ledger.transactions.list(), ledger.transactions.list()])

  expect(results).toMatchObject([{ reason: { code: 'forbidden' } }, { reason: { code: 'forbidden' } }])
})

import { inspect } from 'node:util'
import { createThrottle, GuildLedger, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { errorBody, failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const oldKey = 'glk-old-0123456789abcdef'
const newKey = 'glk-new-0123456789abcdef'
const rejected = () => Response.json(errorBody('Unauthorized - invalid API key'), { status: 401 })
const sentKey = ({ init }: { init: RequestInit }) => new Headers(init.headers).get('x-api-key')

/** A service that accepts one key at a time. */
const keyedService = (accepted: () => string) =>
  stubService((_, request) => (sentKey(request) === accepted() ? Response.json(guildResponse) : rejected()))

it('calls the function of apiKey once for many calls', async () => {
  const service = keyedService(() => newKey)
  const apiKey = vi.fn(async () => newKey)
  const ledger = new GuildLedger({ ...service.options, apiKey })
  expect(apiKey).not.toHaveBeenCalled()

  await Promise.all([ledger.transactions.list(), ledger.transactions.list({ page: 2 })])
  await ledger.transactions.list()

  expect(apiKey).toHaveBeenCalledOnce()
  expect(service.sent.map(sentKey)).toEqual([newKey, newKey, newKey])
})

it('calls the function once more after several 401, also those that come later, and retries each request with the new key', async () => {
  let accepted = oldKey
  const service = stubService(async (count, request) => {
    const isRejected = sentKey(request) !== accepted
    await new Promise((resolve) => setTimeout(resolve, 10 * count))
    return isRejected ? rejected() : Response.json(guildResponse)
  })
  const apiKey = vi.fn(() => new Promise<string>((resolve) => setTimeout(() => resolve(accepted), 15)))
  const ledger = new GuildLedger({ ...service.options, apiKey, logLevel: 'info' })
  const calls = [ledger.transactions.list()]
  await vi.advanceTimersByTimeAsync(25)
  expect(service.lines).toEqual([])
  accepted = newKey

  calls.push(...[1, 2, 3].map(async (page) => ledger.transactions.list({ page })))
  await vi.advanceTimersByTimeAsync(150)

  const pages = await Promise.all(calls)
  expect(pages.map(({ response }) => response.attempts)).toEqual([1, 2, 2, 2])
  expect(apiKey).toHaveBeenCalledTimes(2)
  expect(service.sent.map(sentKey)).toEqual([oldKey, oldKey, oldKey, oldKey, newKey, newKey, newKey])
  expect(service.lines).toEqual([expect.stringContaining('returned another key, which is used from now on.')])
})

/** A client that had `oldKey` accepted, a service that now accepts `newKey` only, and a function that takes a while. */
const startRotation = async (options: Partial<GuildLedgerOptions> = {}) => {
  let accepted = oldKey
  const service = keyedService(() => accepted)
  let settle: ReturnType<typeof Promise.withResolvers<string>> | undefined
  const apiKey = vi.fn(async () => (settle ? settle.promise : oldKey))
  const ledger = new GuildLedger({ ...service.options, ...options, apiKey })
  await ledger.transactions.list()
  await vi.advanceTimersByTimeAsync(1100)
  accepted = newKey
  settle = Promise.withResolvers<string>()
  const { promise: _promise, ...returned } = settle
  return { ledger, apiKey, ...returned, keys: () => service.sent.slice(1).map(sentKey), sent: service.sent }
}

it('sends no rejected key while the function runs after a 401: further calls wait for its result', async () => {
  const { ledger, apiKey, keys, resolve } = await startRotation()
  const first = ledger.transactions.list()
  await vi.advanceTimersByTimeAsync(1)

  const others = [2, 3].map(async (page) => ledger.transactions.list({ page }))
  await vi.advanceTimersByTimeAsync(1000)
  expect(keys()).toEqual([oldKey])
  resolve(newKey)

  expect((await Promise.all([first, ...others])).map(({ response }) => response.attempts)).toEqual([2, 1, 1])
  expect(keys()).toEqual([oldKey, newKey, newKey, newKey])
  expect(apiKey).toHaveBeenCalledTimes(2)
})

it('hands back the slots of calls that wait for another key, and paces them afterwards', async () => {
  const throttle = createThrottle({ requestsPerSecond: 1 })
  const { ledger, keys, sent, resolve } = await startRotation({ throttle, deduplicate: false })

  const calls = Promise.all([1, 2, 3, 4].map(async () => ledger.transactions.list()))
  await vi.advanceTimersByTimeAsync(5000)
  expect(keys()).toEqual([oldKey])
  expect(throttle.stats).toMatchObject({ held: 0, waiting: 0 })
  resolve(newKey)
  await vi.advanceTimersByTimeAsync(5000)

  expect((await calls).map(({ response }) => response.attempts)).toEqual([2, 1, 1, 1])
  expect(keys()).toEqual([oldKey, newKey, newKey, newKey, newKey])
  const gaps = sent.slice(1).map(({ at }, i) => at - (sent[i]?.at ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1002)
})

it('ends the wait for another key with the signal and the time limit of the call', async () => {
  const { ledger, keys } = await startRotation()
  const first = failureOf(ledger.transactions.list({}, { attemptTimeoutMs: 500 }))
  await vi.advanceTimersByTimeAsync(1)
  const controller = new AbortController()
  const aborted = failureOf(ledger.transactions.list({ page: 2 }, { signal: controller.signal }))
  const late = failureOf(ledger.transactions.list({ page: 3 }, { timeoutMs: 20 }))

  await vi.advanceTimersByTimeAsync(20)
  controller.abort()

  expect(await aborted).toMatchObject({ name: 'AbortError' })
  expect(await late).toMatchObject({ code: 'timeout', phase: 'call', attempts: 0 })
  await vi.advanceTimersByTimeAsync(500)
  expect(await first).toMatchObject({ code: 'api_key_unavailable', attempts: 1 })
  expect(keys()).toEqual([oldKey])
})

it('asks the function at most once in 10 s after a 401, and sends the key whatever the service responded before', async () => {
  const service = keyedService(() => newKey)
  let stored = oldKey
  const apiKey = vi.fn(() => stored)
  const ledger = new GuildLedger({ ...service.options, apiKey })

  expect(await failureOf(ledger.transactions.list())).toMatchObject({ code: 'invalid_api_key', attempts: 1 })
  expect(apiKey).toHaveBeenCalledTimes(2)
  stored = newKey
  await vi.advanceTimersByTimeAsync(9999)
  expect(await failureOf(ledger.transactions.list())).toMatchObject({ code: 'invalid_api_key', attempts: 1 })
  expect(apiKey).toHaveBeenCalledTimes(2)

  await vi.advanceTimersByTimeAsync(1)
  expect((await ledger.transactions.list()).response.attempts).toBe(2)
  expect(apiKey).toHaveBeenCalledTimes(3)
  expect(service.sent.map(sentKey)).toEqual([oldKey, oldKey, oldKey, newKey])
})

it('sends a request at most twice where each key that the function returns is rejected', async () => {
  const service = stubService(rejected)
  const apiKey = vi.fn(() => `glk-minted-${apiKey.mock.calls.length}-0123456789abcdef`)
  const ledger = new GuildLedger({ ...service.options, apiKey })

  for (let i = 0; i < 5; i++) await failureOf(ledger.transactions.list())

  expect(apiKey).toHaveBeenCalledTimes(2)
  expect(service.sent).toHaveLength(6)
})

it('fails calls that wait for the function where it fails after a 401, and sends the key again after that', async () => {
  const { ledger, apiKey, keys, reject } = await startRotation()
  const failures = [failureOf(ledger.transactions.list())]
  await vi.advanceTimersByTimeAsync(1)
  failures.push(failureOf(ledger.transactions.list({ page: 2 })))
  await vi.advanceTimersByTimeAsync(1)
  reject(new Error('the store is away'))

  expect(await Promise.all(failures)).toMatchObject([
    { code: 'api_key_unavailable', attempts: 1 },
    { code: 'api_key_unavailable', attempts: 0 },
  ])
  apiKey.mockResolvedValue(newKey)
  expect(await failureOf(ledger.transactions.list())).toMatchObject({ code: 'invalid_api_key' })
  await vi.advanceTimersByTimeAsync(10_000)
  await ledger.transactions.list()
  expect(keys()).toEqual([oldKey, oldKey, oldKey, newKey])
})

it('waits for no function that takes longer than an attempt, and leaves no timer behind', async () => {
  const { ledger, keys } = await startRotation({ attemptTimeoutMs: 500, timeoutMs: 200 })
  const failures = [failureOf(ledger.transactions.list())]
  await vi.advanceTimersByTimeAsync(199)
  failures.push(failureOf(ledger.transactions.list({ page: 2 })))
  await vi.advanceTimersByTimeAsync(150)
  failures.push(failureOf(ledger.transactions.list({ page: 3 })))
  await vi.advanceTimersByTimeAsync(151)
  failures.push(failureOf(ledger.transactions.list({ page: 4 })))
  await vi.advanceTimersByTimeAsync(200)

  const [timeout, invalid] = [{ code: 'timeout' }, { code: 'invalid_api_key' }]
  expect(await Promise.all(failures)).toMatchObject([timeout, timeout, timeout, invalid])
  expect(keys()).toEqual([oldKey, oldKey])
  expect(vi.getTimerCount()).toBe(0)
})

it('redacts every value that the key had', async () => {
  const echo = () => Response.json(errorBody(`${oldKey} and ${newKey}`), { status: 403 })
  const service = stubService((_, request) => (sentKey(request) === oldKey ? rejected() : echo()))
  const apiKey = vi.fn().mockReturnValueOnce(oldKey).mockReturnValue(newKey)
  const ledger = new GuildLedger({ ...service.options, apiKey })

  expect(await failureOf(ledger.transactions.list())).toMatchObject({ reason: '[api key] and [api key]' })
})

it('runs middleware that responds with 401 itself once', async () => {
  const service = keyedService(() => oldKey)
  const reject = vi.fn(async () => rejected())
  const ledger = new GuildLedger({ ...service.options, middleware: [reject], apiKey: () => oldKey })

  expect(await failureOf(ledger.transactions.list())).toMatchObject({ code: 'invalid_api_key', attempts: 0 })
  expect(reject).toHaveBeenCalledOnce()
})

it('keeps the page of the 401 out of the errors of other calls', async () => {
  const service = keyedService(() => newKey)
  const ledger = new GuildLedger({ ...service.options, apiKey: () => oldKey })
  const firstPage = async () => ledger.transactions.pages({ page: 3 })[Symbol.asyncIterator]().next()

  expect(await failureOf(firstPage())).toMatchObject({ page: 3, attempts: 1 })
  expect(await failureOf(ledger.transactions.list())).not.toHaveProperty('page')
})

it('keeps sending a key given as a string, whatever the service responds', async () => {
  const service = keyedService(() => newKey)
  const ledger = new GuildLedger({ ...service.options, apiKey: oldKey })

  await failureOf(ledger.transactions.list())
  expect(await failureOf(ledger.transactions.list())).toMatchObject({ code: 'invalid_api_key', attempts: 1 })
})

const secret = 'glk-secret-0123456789abcdef'
const failed = (what: string) =>
  `GET /guild/ledger/transactions failed: the function of \`apiKey\` ${what}. Nothing was sent.`
const mustReturn = '`apiKey` must return a string that is not empty, or a promise of one, got'
const throwing = () => {
  throw new RangeError(secret)
}
it.each<[string, unknown, string]>([
  ['throws', throwing, failed('threw an error (RangeError): log it there')],
  ['rejects', () => Promise.reject(new Error(secret)), failed('threw an error (Error): log it there')],
  ['rejects with null', () => Promise.reject(null), failed('threw null: log it there')],
  ['rejects with a string', () => Promise.reject(secret), failed('threw a string of 27 characters: log it there')],
  ['never settles', () => new Promise(() => {}), failed('did not return within 50 ms')],
  ['returns an object', () => ({ secret }), `${mustReturn} an object with 1 field`],
  ['returns undefined', async () => undefined, `${mustReturn} undefined`],
  ['returns an empty string', () => '', `${mustReturn} a string of 0 characters`],
  [
    'returns a line break',
    () => `${secret}\n`,
    '`apiKey` returned a key with a line break: if it was read from a file, trim it',
  ],
  [
    'returns odd characters',
    () => `${secret}☃`,
    '`apiKey` returned a key with characters that no header can carry (spaces, control or non-Latin-1 ones): copy it again',
  ],
])('rejects a call whose function of apiKey %s, and prints nothing of the key', async (_, apiKey, message) => {
  const service = stubService(() => Response.json(guildResponse))
  const options = { ...service.options, apiKey, attemptTimeoutMs: 50, logLevel: 'debug' } as GuildLedgerOptions
  const ledger = new GuildLedger(options)

  const failure = failureOf(ledger.transactions.list())
  await vi.advanceTimersByTimeAsync(50)

  const code = message.startsWith('GET') ? 'api_key_unavailable' : 'configuration'
  expect(await failure).toMatchObject({ code, message })
  expect(service.sent).toEqual([])
  const printed = inspect(await failure, { depth: Infinity, showHidden: true }) + JSON.stringify(await failure)
  expect(printed + service.lines.join('')).not.toContain(secret)
})

it('calls the function again after it failed', async () => {
  const service = keyedService(() => newKey)
  const never = new Promise(() => {})
  const apiKey = vi.fn().mockReturnValueOnce(never).mockReturnValue(newKey)
  const ledger = new GuildLedger({ ...service.options, apiKey, timeoutMs: 20 })

  const failure = failureOf(ledger.transactions.list())
  await vi.advanceTimersByTimeAsync(20)
  expect(await failure).toMatchObject({
    code: 'timeout',
    phase: 'call',
    attempts: 0,
    message:
      'GET /guild/ledger/transactions failed: nothing was sent within 20 ms. Check middleware and the function of `apiKey`, or raise timeoutMs.',
  })
  await expect(ledger.transactions.list()).resolves.toBeDefined()
})

it('keeps sending to other endpoints after a 401 that does not say that the key is invalid', async () => {
  const service = stubService((_, { url }) =>
    url.includes('8412')
      ? Response.json(errorBody('Unauthorized - missing scope'), { status: 401 })
      : Response.json(guildResponse),
  )
  const ledger = new GuildLedger({ ...service.options, apiKey: () => oldKey })

  expect(await failureOf(ledger.user('8412').transactions.list())).toMatchObject({ code: 'unauthorized' })
  await expect(ledger.transactions.list()).resolves.toMatchObject({ success: true })
})

it('ignores a key that the function returns after a later call of it returned another one', async () => {
  const service = stubService(() => Response.json(guildResponse))
  const results: ((key: string) => void)[] = []
  const apiKey = () => new Promise<string>((resolve) => results.push(resolve))
  const ledger = new GuildLedger({ ...service.options, apiKey, attemptTimeoutMs: 50 })
  const late = failureOf(ledger.transactions.list())
  await vi.advanceTimersByTimeAsync(50)
  expect(await late).toMatchObject({ code: 'api_key_unavailable' })

  const next = ledger.transactions.list()
  await vi.advanceTimersByTimeAsync(1)
  results[1]?.(newKey)
  await next
  results[0]?.(oldKey)
  await vi.advanceTimersByTimeAsync(1)
  await ledger.transactions.list()

  expect(service.sent.map(sentKey)).toEqual([newKey, newKey])
})

it('does not call the function again where one of several callers aborts', async () => {
  const service = stubService(() => Response.json(guildResponse))
  let resolve = (_key: string): void => {}
  const apiKey = vi.fn(() => new Promise<string>((done) => (resolve = done)))
  const ledger = new GuildLedger({ ...service.options, apiKey })
  const controller = new AbortController()
  const aborted = failureOf(ledger.transactions.list({}, { signal: controller.signal }))
  const waiting = ledger.transactions.list({ page: 2 })
  controller.abort()
  expect(await aborted).toMatchObject({ name: 'AbortError' })

  const later = ledger.transactions.list({ page: 3 })
  await vi.advanceTimersByTimeAsync(1)
  expect(apiKey).toHaveBeenCalledOnce()
  resolve(newKey)
  await Promise.all([waiting, later])
})

it('names the 401 where the function fails after it', async () => {
  const service = stubService(rejected)
  const apiKey = vi.fn().mockReturnValueOnce(oldKey).mockRejectedValue(new RangeError('store'))
  const ledger = new GuildLedger({ ...service.options, apiKey })

  expect(await failureOf(ledger.transactions.list())).toMatchObject({
    code: 'api_key_unavailable',
    attempts: 1,
    message:
      'GET /guild/ledger/transactions failed: the function of `apiKey` threw an error (RangeError): log it there. The service had responded with 401 to the last key.',
    cause: { code: 'invalid_api_key', status: 401 },
  })
})

it('paces clients together whose keys became the same', async () => {
  const service = stubService((_, request) => (sentKey(request) === oldKey ? rejected() : Response.json(guildResponse)))
  const throttle = { requestsPerSecond: 1 }
  const rotating = vi.fn().mockReturnValueOnce(oldKey).mockReturnValue(newKey)
  const first = new GuildLedger({ ...service.options, apiKey: rotating, throttle })
  void first.transactions.list()
  await vi.advanceTimersByTimeAsync(5000)
  const second = new GuildLedger({ ...service.options, apiKey: newKey, throttle })

  const pages = [first.transactions.list({ page: 2 }), second.transactions.list({ page: 3 })]
  await vi.advanceTimersByTimeAsync(500)
  expect(service.sent).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(1000)
  await Promise.all(pages)
})

it('paces clients together where another one used the new key first', async () => {
  let stored = oldKey
  let isOldDeleted = false
  const service = stubService((_, request) =>
    isOldDeleted && sentKey(request) === oldKey ? rejected() : Response.json(guildResponse),
  )
  const options = { ...service.options, baseUrl: 'https://overlap.example', throttle: { requestsPerSecond: 1 } }
  const rotating = new GuildLedger({ ...options, apiKey: () => stored })
  const calls = [rotating.transactions.list()]
  await vi.advanceTimersByTimeAsync(5000)
  stored = newKey
  const fixed = new GuildLedger({ ...options, apiKey: newKey })
  calls.push(fixed.transactions.list())
  await vi.advanceTimersByTimeAsync(5000)
  isOldDeleted = true
  calls.push(rotating.transactions.list(), rotating.transactions.list({ page: 2 }))
  await vi.advanceTimersByTimeAsync(5000)
  const sentBefore = service.sent.length

  calls.push(fixed.transactions.list({ page: 3 }), rotating.transactions.list({ page: 4 }))
  await vi.advanceTimersByTimeAsync(500)
  expect(service.sent).toHaveLength(sentBefore + 1)
  await vi.advanceTimersByTimeAsync(5000)
  await Promise.all(calls)
})

it('checks the options of the throttle at once where apiKey is a function', () => {
  const throttle = { requestsPerSecond: 2, share: { of: 5 } } as never
  expect(() => new GuildLedger({ baseUrl: 'https://ledger.example', apiKey: () => newKey, throttle })).toThrow('share')
})

it('warns 14, 3 and 1 days before apiKeyExpiresAt, and once after', async () => {
  vi.setSystemTime('2026-01-01T00:00:00Z')
  const service = stubService(() => Response.json(guildResponse))
  const ledger = new GuildLedger({ ...service.options, apiKeyExpiresAt: '2026-01-31T00:00:00Z' })

  for (let day = 1; day <= 40; day++) {
    await ledger.transactions.list()
    await ledger.transactions.list()
    vi.setSystemTime(Date.parse('2026-01-01T00:00:00Z') + day * 86_400_000)
  }

  const line = (when: string) =>
    `warn guild-ledger: The API key ${when} (2026-01-31T00:00:00.000Z): create a new one in the dashboard.`
  const whens = ['expires in 14 days', 'expires in 3 days', 'expires in 1 day', 'has expired']
  expect(service.lines).toEqual(whens.map(line))
})

it('warns once for the nearest day where a program starts late', async () => {
  vi.setSystemTime('2026-01-30T12:00:00Z')
  const service = stubService(() => Response.json(guildResponse))
  const ledger = new GuildLedger({ ...service.options, apiKeyExpiresAt: new Date('2026-02-01T00:00:00Z') })

  await ledger.transactions.list()
  await ledger.transactions.list()

  expect(service.lines).toEqual([expect.stringContaining('expires in 2 days')])
})

it('does not warn of the date of a key that was replaced', async () => {
  vi.setSystemTime('2026-01-01T00:00:00Z')
  let accepted = oldKey
  const service = keyedService(() => accepted)
  const options = { ...service.options, apiKey: () => accepted, apiKeyExpiresAt: '2026-01-31T12:00:00Z' }
  const ledger = new GuildLedger(options)
  await ledger.transactions.list()
  accepted = newKey
  await ledger.transactions.list()
  vi.setSystemTime('2026-02-01T00:00:00Z')

  await ledger.transactions.list()

  expect(service.lines).toEqual([expect.stringContaining('returned another key')])
})

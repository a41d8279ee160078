import { GuildLedger, type ApiError } from '@guild-ledger/sdk'
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

it('logs that a request is sent again after a 429 at level info', async () => {
  const service = stubService(() => failed(429))
  const ledger = new GuildLedger({ ...service.options, retry: { maxRetries: 2 }, logLevel: 'info' })

  await failureOf(ledger.transactions.list())
  await failureOf(ledger.user('8412').transactions.list())

  const linesOf = (endpoint: string) => [
    `info guild-ledger: GET ${endpoint} failed with 429, retrying in 0 ms (attempt 2 of 3)`,
    `info guild-ledger: GET ${endpoint} failed with 429, retrying in 0 ms (attempt 3 of 3)`,
    expect.stringContaining(`error guild-ledger: GET ${endpoint} failed after 3 attempts: 429 later. `),
  ]
  const [ofGuild, ofUser] = ['/guild/ledger/transactions', '/guild/ledger/{platformId}/transactions']
  expect(service.lines).toEqual([...linesOf(ofGuild), ...linesOf(ofUser)])
})

/** Lines with their fields, as loggers other than the console get them. */
const recordingLogger = () => {
  const lines: [level: string, message: string, fields: unknown][] = []
  const write = (level: string) => (message: string, fields?: unknown) => void lines.push([level, message, fields])
  return { lines, logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') } }
}

it('hands fields to a logger, with the same callId in all lines of a call and in its response', async () => {
  const long = JSON.stringify({ ...guildResponse, summary: { totalValue: 1 } }).replace(':1}', ':9007199254740993}')
  const clock = vi.spyOn(performance, 'now').mockReturnValue(700)
  const { options } = stubService((count) => (count === 1 ? failed(503) : new Response(long)))
  const { logger, lines } = recordingLogger()
  const ledger = new GuildLedger({ ...options, logger, retry: {}, logLevel: 'debug' })

  const { response } = await ledger.transactions.list({}, { validation: 'warn' })
  clock.mockRestore()

  const request = { method: 'GET', endpoint: '/guild/ledger/transactions' }
  const call = { ...request, callId: response.callId }
  expect(lines.map(([level, , fields]) => [level, fields])).toStrictEqual([
    ['warn', { ...call, event: 'retry', status: 503, code: 'server_error', attempt: 1, waitMs: 0 }],
    ['warn', { ...request, event: 'digits_lost' }],
    ['warn', { ...request, event: 'contract_violated' }],
    ['debug', { ...call, event: 'call_succeeded', status: 200, attempt: 2, waitMs: 0, durationMs: 0 }],
  ])
  expect(lines[1]?.[1]).toContain('the number 9007199254740993 has more digits')
})

it('hands the error of a call that failed for good to error, from level info on', async () => {
  const { options } = stubService(() => failed(418))
  const { logger, lines } = recordingLogger()
  await failureOf(new GuildLedger({ ...options, logger }).transactions.list())
  const failure = await failureOf(new GuildLedger({ ...options, logger, logLevel: 'info' }).transactions.list())

  const { message, callId } = failure as ApiError
  expect(lines).toEqual([
    ['error', `guild-ledger: ${message}`, expect.objectContaining({ callId, status: 418, code: 'http_error' })],
  ])
})

it.each([
  ['an empty list', () => Response.json(errorBody('No transactions found for this guild'), { status: 404 }), 'failed'],
  ['an aborted call', page, 'was ended by the caller, or by middleware', AbortSignal.abort()],
])('logs %s at level debug only', async (_, respond, end, signal?: AbortSignal) => {
  const { options } = stubService(respond)
  const info = recordingLogger()
  const debug = recordingLogger()

  for (const [logLevel, { logger }] of Object.entries({ info, debug }) as ['info' | 'debug', typeof info][])
    await failureOf(new GuildLedger({ ...options, logger, logLevel }).transactions.list({}, { signal }))

  expect(info.lines).toEqual([])
  const message = expect.stringContaining(`GET /guild/ledger/transactions ${end}`)
  expect(debug.lines).toEqual([['debug', message, expect.objectContaining({ attempt: signal ? 0 : 1 })]])
})

it('writes one line without fields to the console', async () => {
  const debug = vi.spyOn(console, 'debug').mockImplementation(() => {})
  const { logger: _logger, ...options } = stubService(page).options

  await new GuildLedger({ ...options, logLevel: 'debug' }).transactions.list()

  expect(debug.mock.calls).toEqual([['guild-ledger: GET /guild/ledger/transactions succeeded with 200 (attempt 1)']])
})

it('logs that a page is requested again after the retries of its call, with fields, and after a 429 at level info', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  const statuses = [503, 429, 429]
  const { options } = stubService((count) => {
    const status = statuses[count - 1]
    return status === undefined ? page() : Response.json(errorBody('later'), { status })
  })
  const { logger, lines } = recordingLogger()
  const ledger = new GuildLedger({ ...options, logger, retry: { maxRetries: 0 }, logLevel: 'info' })

  const ended = failureOf(ledger.user('8412').transactions.pages({}, { retryForMs: 60_000 }).next())
  await vi.advanceTimersByTimeAsync(60_000)
  await ended // the last response is not one for a user
  vi.useRealTimers()

  const endpoint = '/guild/ledger/{platformId}/transactions'
  const line = (level: string, status: number, code: string, waitMs: number) => [
    level,
    `guild-ledger: GET ${endpoint} failed with ${status}, retrying in ${waitMs} ms (page 1)`,
    { callId: expect.any(String), method: 'GET', endpoint, event: 'retry', status, code, attempt: 1, waitMs },
  ]
  expect(lines.filter(([, message]) => message.includes('retrying'))).toEqual([
    line('warn', 503, 'server_error', 1000),
    line('info', 429, 'rate_limited', 2000),
    line('info', 429, 'rate_limited', 4000),
  ])
})

it('logs that a watch polls again after a failure', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  const service = stubService((count) => {
    if (count > 1) return page()
    throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') })
  })
  const ledger = new GuildLedger(service.options)
  const controller = new AbortController()
  const onError = vi.fn()

  const watching = failureOf(ledger.transactions.watch({}, { signal: controller.signal, onError }).next())
  await vi.advanceTimersByTimeAsync(5000)
  controller.abort()
  await watching
  vi.useRealTimers()

  expect(service.lines).toEqual([
    'warn guild-ledger: GET /guild/ledger/transactions failed with a connection error (connect ECONNREFUSED 127.0.0.1:1), retrying in 5000 ms (page 1)',
  ])
  expect(onError).toHaveBeenCalledOnce()
})

it('warns once for each reason for which the service rejects the key, with fields', async () => {
  const { options } = stubService((count) =>
    Response.json(errorBody(count < 4 ? 'Unauthorized - invalid API key' : 'expired'), {
      status: [401, 401, 403, 403][count - 1] ?? 402,
    }),
  )
  const { logger, lines } = recordingLogger()
  const ledger = new GuildLedger({ ...options, logger })

  for (let i = 0; i < 5; i++) await failureOf(ledger.transactions.list())

  expect(lines.map(([level, , fields]) => [level, fields])).toEqual([
    ['warn', { event: 'key_rejected', status: 401, code: 'invalid_api_key', reason: 'Unauthorized - invalid API key' }],
    ['warn', { event: 'key_rejected', status: 403, code: 'forbidden', reason: 'Unauthorized - invalid API key' }],
    ['warn', { event: 'key_rejected', status: 403, code: 'forbidden', reason: 'expired' }],
    ['warn', { event: 'key_rejected', status: 402, code: 'http_error', reason: 'expired' }],
  ])
  expect(lines[0]?.[1]).toContain('The service rejected the API key: GET /guild/ledger/transactions failed: 401')
})

it('does not take the 403 of a gateway for a rejected key', async () => {
  const { options, lines } = stubService(() => new Response('<h1>Forbidden</h1>', { status: 403 }))

  await failureOf(new GuildLedger(options).transactions.list())

  expect(lines).toEqual([])
})

it('warns of a key that expires soon although the client sends nothing', async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['setInterval', 'clearInterval', 'Date'] })
  const { logger, lines } = recordingLogger()
  const ledger = new GuildLedger({ ...stubService(page).options, logger, apiKeyExpiresAt: '2026-01-16' })

  await vi.advanceTimersByTimeAsync(13 * 24 * 3_600_000)
  vi.useRealTimers()

  expect(lines.map(([level, , fields]) => [level, fields])).toEqual([
    ['warn', { event: 'key_expires', expiresAt: '2026-01-16T00:00:00.000Z', daysLeft: 14 }],
    ['warn', { event: 'key_expires', expiresAt: '2026-01-16T00:00:00.000Z', daysLeft: 3 }],
  ])
  await ledger.close()
})

it('keeps no process running to look when a key expires', () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  const ledger = new GuildLedger({ ...stubService(page).options, apiKeyExpiresAt: '2026-01-16' })

  expect(timers()).toBe(before)
  expect(ledger.toJSON()).toBeDefined()
})

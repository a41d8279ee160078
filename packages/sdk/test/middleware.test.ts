import { GuildLedger, type Middleware } from '@guild-ledger/sdk'
import { errorBody, failureOf, guildResponse, startTestServer, stubService } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const client = (...middleware: Middleware[]) => {
  const service = stubService(() => Response.json(guildResponse))
  return { ledger: new GuildLedger({ ...service.options, middleware }), sent: service.sent }
}

/** A Request that says of its URL what it likes. */
const withUrl = (url: unknown): Request =>
  Object.defineProperty(new Request('https://ledger.example/guild'), 'url', { value: url })

it('runs middleware around an attempt, the first one outermost', async () => {
  const steps: string[] = []
  const layer =
    (name: string): Middleware =>
    async (request, next) => {
      steps.push(`${name} in`)
      const response = await next(request)
      steps.push(`${name} out`)
      return response
    }

  await client(layer('a'), layer('b')).ledger.transactions.list()

  expect(steps).toEqual(['a in', 'b in', 'b out', 'a out'])
})

it('runs middleware again for a retry', async () => {
  const paths: string[] = []
  const failing = () => Response.json(errorBody('later'), { status: 503 })
  const { options } = stubService((count) => (count === 1 ? failing() : Response.json(guildResponse)))
  const middleware: Middleware[] = [(request, next) => (paths.push(new URL(request.url).pathname), next(request))]
  const ledger = new GuildLedger({ ...options, retry: { baseDelayMs: 0 }, middleware })

  await ledger.transactions.list()

  expect(paths).toEqual(['/guild/ledger/transactions', '/guild/ledger/transactions'])
})

it('hides the key from middleware, which can add headers and cannot remove the key', async () => {
  const seen: boolean[] = []
  const { ledger, sent } = client((request, next) => {
    seen.push(request.headers.has('x-api-key'))
    return next(new Request(request, { headers: { 'x-trace': '7', 'x-api-key': 'other' } }))
  })

  await ledger.transactions.list()

  expect(seen).toEqual([false])
  expect(sent[0]?.init.headers).toMatchObject({ 'x-trace': '7', 'x-api-key': 'key-of-a-guild' })
})

it('accepts a response that middleware makes itself', async () => {
  const { ledger, sent } = client(async () => Response.json(guildResponse))

  expect((await ledger.transactions.list()).data).toHaveLength(1)
  expect(sent).toEqual([])
})

it('maps an error response that middleware makes itself, with its Retry-After', async () => {
  const limited = { status: 429, headers: { 'retry-after': '7' } }
  const { ledger } = client(async () => Response.json(errorBody('slow down'), limited))

  await expect(ledger.transactions.list()).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 7_000 })
})

it.each([new RangeError('bug'), new TypeError('fetch failed'), new TypeError('Failed to fetch')])(
  'rejects with the %s of middleware itself, not with an object of ky, and does not retry it',
  async (bug) => {
    const layer = vi.fn(() => Promise.reject(bug))

    await expect(client(layer).ledger.transactions.list({}, { maxRetries: 2 })).rejects.toBe(bug)
    expect(layer).toHaveBeenCalledTimes(1)
  },
)

it('rejects a response whose body middleware has read, and does not retry', async () => {
  const { ledger, sent } = client(async (request, next) => {
    const response = await next(request)
    await response.json()
    return response
  })

  expect(await failureOf(ledger.transactions.list({}, { maxRetries: 1 }))).toMatchObject({
    code: 'configuration',
    option: 'middleware',
    message: '`middleware` must return a Response, got one whose body was read: return a clone',
  })
  expect(sent).toHaveLength(1)
})

const real = new Request('https://ledger.example/guild')
const [own, evil, headers] = [real.url, 'https://evil.example/', new Headers()]
const methods = { startsWith: () => true, toString: () => evil }
it.each<[string, unknown]>([
  ['nothing', undefined],
  ['a URL', own],
  ['a plain object', { url: own, headers }],
  ['an object whose URL has methods of its own', { url: { ...methods, [Symbol.toPrimitive]: () => evil }, headers }],
  ['a Request whose URL is an object', withUrl(methods)],
  ['a Request whose URL is none', withUrl('ledger.example')],
])('rejects middleware that passes %s to next, and sends nothing', async (_, request) => {
  const { ledger, sent } = client((_request, next) => next(request as Request))

  expect(await failureOf(ledger.transactions.list())).toMatchObject({
    code: 'configuration',
    option: 'middleware',
    message: '`middleware` must pass a Request to next, got something else',
  })
  expect(sent).toEqual([])
})

it.each([
  'https://ledger.example@evil.example/',
  'https://ledger.example.evil.example/',
  'https://ledger.example:8443/',
  'http://ledger.example/',
  'data:text/plain,x',
])('rejects middleware that passes a Request to %s to next, and sends nothing', async (other) => {
  const { ledger, sent } = client((_request, next) => next(withUrl(other)))

  await expect(ledger.transactions.list()).rejects.toMatchObject({
    option: 'middleware',
    message: '`middleware` must not send the key to an origin other than https://ledger.example',
  })
  expect(sent).toEqual([])
})

it('accepts a Request of another realm', async () => {
  const foreign = { url: own, headers, [Symbol.toStringTag]: 'Request' }
  const { ledger, sent } = client((_request, next) => next(foreign as unknown as Request))

  expect((await ledger.transactions.list()).data).toHaveLength(1)
  expect(sent.map(({ url }) => url)).toEqual(['https://ledger.example/guild'])
})

it('rejects middleware that returns no response', async () => {
  const forgetful = (async (request: Request, next: (request: Request) => Promise<Response>) => {
    await next(request)
  }) as never

  expect(await failureOf(client(forgetful).ledger.transactions.list())).toMatchObject({
    code: 'configuration',
    option: 'middleware',
    message: '`middleware` must return a Response, got something else',
  })
})

it('closes the connections of responses that middleware does not return', async () => {
  let open = 0
  await using server = await startTestServer((_, response) => {
    open++
    response.on('close', () => open--)
    response.writeHead(503).end('x'.repeat(4_000_000))
  })
  const middleware: Middleware[] = [async (request, next) => (await next(request), Response.json(guildResponse))]
  const options = { throttle: false, retry: false, maxResponseBytes: 1_000_000, middleware } as const
  const ledger = new GuildLedger({ apiKey: 'k3y', baseUrl: server.url, ...options })

  await Promise.all(Array.from({ length: 8 }, () => ledger.transactions.list()))

  await vi.waitFor(() => expect(open).toBe(0), { timeout: 10_000 })
})

describe('middleware that does not settle', () => {
  beforeEach(() => vi.useFakeTimers({ now: 0 }))
  afterEach(() => void vi.useRealTimers())
  const never = () => new Promise<never>(() => {})
  const list = (layer: Middleware) => {
    const { ledger, sent } = client(layer)
    return { outcome: failureOf(ledger.transactions.list({}, { attemptTimeoutMs: 200 })), sent }
  }

  it.each<[string, Middleware, number]>([
    ['before next', never, 0],
    ['after next', async (request, next) => (await next(request), never()), 1],
  ])('%s times the attempt out after attemptTimeoutMs', async (_, layer, requests) => {
    const { outcome, sent } = list(layer)
    await vi.advanceTimersByTimeAsync(200)

    expect(await outcome).toMatchObject({ code: 'timeout', phase: 'attempt', timeoutMs: 200 })
    expect(sent).toHaveLength(requests)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('for longer than attemptTimeoutMs, but not at a time, is given that time', async () => {
    const wait = () => new Promise((resolve) => setTimeout(resolve, 150))
    const { ledger } = client(async (request, next) => {
      await wait()
      const response = await next(request)
      await wait()
      return response
    })
    const page = ledger.transactions.list({}, { attemptTimeoutMs: 200 })
    await vi.advanceTimersByTimeAsync(300)

    expect((await page).data).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('cannot send a request after its time', async () => {
    const { outcome, sent } = list(async (request, next) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return next(request)
    })
    await vi.advanceTimersByTimeAsync(400)

    expect(await outcome).toMatchObject({ code: 'timeout' })
    expect(sent).toHaveLength(0)
  })

  it('leaves no timer when the caller aborts', async () => {
    const stop = new AbortController()
    const outcome = failureOf(client(never).ledger.transactions.list({}, { signal: stop.signal }))
    await vi.advanceTimersByTimeAsync(1)

    stop.abort('enough')

    expect(await outcome).toBe('enough')
    await vi.advanceTimersByTimeAsync(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})

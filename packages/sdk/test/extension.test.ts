import { tracingChannel } from 'node:diagnostics_channel'
import { inspect } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { GuildLedger, GuildLedgerError, type GuildLedgerOptions, type StandardSchema } from '@guild-ledger/sdk'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { guildReply, refusal } from './replies.ts'

type Sent = [url: string, init: RequestInit]

const client = (options: GuildLedgerOptions = {}, reply: () => Response = () => Response.json(guildReply)) => {
  const sent: Sent[] = []
  const fetch = async (...request: Sent) => (sent.push(request), reply())
  const ledger = new GuildLedger({
    apiKey: 'k3y-of-a-guild',
    baseUrl: 'https://ledger.example/v1',
    throttle: false,
    retry: { baseDelayMs: 0, maxRetries: 1 },
    logLevel: 'off',
    fetch,
    ...options,
  })
  return { ledger, sent }
}

describe('middleware', () => {
  it('wraps each attempt like the layers of an onion, the first one outermost', async () => {
    const steps: string[] = []
    const layer = (name: string) => async (request: Request, next: (request: Request) => Promise<Response>) => {
      steps.push(`${name} in`)
      const response = await next(request)
      steps.push(`${name} out`)
      return response
    }
    await client({ middleware: [layer('a'), layer('b')] }).ledger.transactions.list()
    expect(steps).toEqual(['a in', 'b in', 'b out', 'a out'])
  })

  it('is run again for a retry', async () => {
    const seen: string[] = []
    const replies = [() => Response.json(refusal('later'), { status: 503 }), () => Response.json(guildReply)]
    const { ledger } = client(
      { middleware: [(request, next) => (seen.push(new URL(request.url).pathname), next(request))] },
      () => (replies.shift() ?? Response.error)(),
    )
    await ledger.transactions.list()
    expect(seen).toEqual(['/v1/guild/ledger/transactions', '/v1/guild/ledger/transactions'])
  })

  it('sees no key, may add headers and cannot take the key away', async () => {
    const { ledger, sent } = client({
      middleware: [
        (request, next) => {
          expect(request.headers.has('x-api-key')).toBe(false)
          return next(new Request(request, { headers: { 'x-trace': '7', 'x-api-key': 'other' } }))
        },
      ],
    })
    await ledger.transactions.list()
    expect(sent[0]?.[1].headers).toEqual({ accept: 'application/json', 'x-trace': '7', 'x-api-key': 'k3y-of-a-guild' })
  })

  it('may answer by itself', async () => {
    const { ledger, sent } = client({ middleware: [async () => Response.json(guildReply)] })
    expect((await ledger.transactions.list()).data).toHaveLength(1)
    expect(sent).toEqual([])
  })

  it('fails with its own error, which is not asked again', async () => {
    const bug = new RangeError('bug')
    const layer = vi.fn(() => Promise.reject(bug))
    await expect(client({ middleware: [layer] }).ledger.transactions.list()).rejects.toBe(bug)
    expect(layer).toHaveBeenCalledTimes(1)
  })
})

describe('what goes out', () => {
  it('has no cache and no credentials, follows no redirect', async () => {
    const { ledger, sent } = client()
    await ledger.transactions.list()
    expect(Object.keys(sent[0]?.[1] ?? {}).toSorted()).toEqual(['headers', 'method', 'redirect', 'signal'])
    expect(sent[0]?.[1]).toMatchObject({ method: 'GET', redirect: 'manual' })
  })
})

describe('get', () => {
  it('asks for another path with the same key, below the path of the base URL', async () => {
    const { ledger, sent } = client({}, () => Response.json({ any: 'thing' }))
    expect(await ledger.get('/guild/discharges', { query: { page: 2, odd: undefined, a: 'b c' } })).toEqual({
      any: 'thing',
    })
    expect(sent[0]?.[0]).toBe('https://ledger.example/v1/guild/discharges?page=2&a=b+c')
    expect(sent[0]?.[1].headers).toMatchObject({ 'x-api-key': 'k3y-of-a-guild' })
  })

  it('hands on what a zod schema makes of the reply', async () => {
    const { ledger } = client({}, () => Response.json({ count: 1, more: true }))
    const count: number = (await ledger.get('/guild/discharges', { schema: z.object({ count: z.number() }) })).count
    expect(count).toBe(1)
  })

  it('takes any schema of the Standard Schema specification, asynchronous ones too', async () => {
    const schema: StandardSchema<string> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: async (value) =>
          Array.isArray(value)
            ? { value: value.join('+') }
            : { issues: [{ message: 'a list', path: ['a', { key: 0 }] }] },
      },
    }
    const replies: unknown[] = [['x', 'y'], { a: [1] }]
    const { ledger } = client({}, () => Response.json(replies.shift()))
    expect(await ledger.get('/x', { schema })).toBe('x+y')
    await expect(ledger.get('/x', { schema })).rejects.toMatchObject({
      code: 'invalid_response',
      issues: [{ path: 'a.0', expected: 'a list' }],
    })
  })

  it.each([
    '',
    'guild',
    '//elsewhere.example/x',
    'https://elsewhere.example',
    '/a/../b',
    '/a/%2e%2e/b',
    '/a/.',
    '/a/%2E',
    '/a?b=1',
    '/a#b',
    '/a\\b',
    '/a b',
    '/a\nb',
    '/a/..\u0001',
    '/a\u0000',
    '/a/\ud800',
  ])('refuses the path %j', async (path) => {
    const { ledger, sent } = client()
    await expect(ledger.get(path)).rejects.toMatchObject({ code: 'invalid_parameter', issues: [{ path: 'path' }] })
    expect(sent).toEqual([])
  })
})

describe('call options', () => {
  it.each([
    ['timeoutMs', -1],
    ['attemptTimeoutMs', Number.NaN],
    ['maxRetries', 1.5],
    ['validation', 'some'],
    ['priority', 'high'],
    ['signal', {}],
  ])('refuses %s: %j before sending', async (name, value) => {
    const { ledger, sent } = client()
    await expect(ledger.transactions.list({}, { [name]: value })).rejects.toMatchObject({
      code: 'configuration',
      option: name,
    })
    expect(sent).toEqual([])
  })
})

describe('the log', () => {
  const lines: [string, string][] = []
  const write = (level: string) => (message: string) => void lines.push([level, message])
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }

  it('tells every attempt at the level debug, retries at warn', async () => {
    lines.length = 0
    const replies = [() => Response.json(refusal('later'), { status: 500 }), () => Response.json(guildReply)]
    const { ledger } = client({ logger, logLevel: 'debug' }, () => (replies.shift() ?? Response.error)())
    await ledger.transactions.list()
    expect(lines).toEqual([
      [
        'warn',
        expect.stringMatching(
          /^guild-ledger: .*GET \/guild\/ledger\/transactions: 500 later.* Asking again in \d+ ms\.$/,
        ),
      ],
      ['debug', 'guild-ledger: GET /guild/ledger/transactions: 200, attempt 2'],
    ])
  })

  it('never fails a call', async () => {
    const broken = { ...logger, debug: () => expect.fail('disk full') }
    await expect(client({ logger: broken, logLevel: 'debug' }).ledger.transactions.list()).resolves.toBeDefined()
  })
})

describe('the tracing channel', () => {
  it('tells the start and the end of each call, with status, attempts and result', async () => {
    const channel = tracingChannel('guild-ledger:request')
    const told: [string, unknown][] = []
    const note = (event: string) => (message: unknown) =>
      void told.push([event, structuredClone({ ...(message as object), result: undefined, error: undefined })])
    const subscribers = {
      start: note('start'),
      end: note('end'),
      asyncStart: note('asyncStart'),
      asyncEnd: note('asyncEnd'),
      error: note('error'),
    }
    channel.subscribe(subscribers)
    await client().ledger.transactions.list()
    await client({}, () => Response.json(refusal('no'), { status: 403 }))
      .ledger.user('1')
      .transactions.list()
      .catch(() => {})
    channel.unsubscribe(subscribers)

    expect(told.map(([event]) => event)).toEqual([
      'start',
      'end',
      'asyncStart',
      'asyncEnd',
      'start',
      'end',
      'error',
      'asyncStart',
      'asyncEnd',
    ])
    expect(told[3]?.[1]).toMatchObject({ endpoint: 'GET /guild/ledger/transactions', status: 200, attempts: 1 })
    expect(told.at(-1)?.[1]).toMatchObject({ endpoint: 'GET /guild/ledger/1/transactions', status: 403 })
  })
})

describe('errors', () => {
  const refused = async () => {
    const { ledger } = client({}, () => Response.json(refusal('Unauthorized - invalid API key'), { status: 401 }))
    return ledger.transactions.list().catch((error: unknown) => error)
  }

  it('are recognised across two copies of the package', async () => {
    vi.resetModules()
    const copy = await import('@guild-ledger/sdk')
    const error = await refused()
    expect(copy.GuildLedgerError).not.toBe(GuildLedgerError)
    expect(error).not.toBeInstanceOf(copy.GuildLedgerError)
    expect(copy.GuildLedgerError.is(error)).toBe(true)
    expect(copy.GuildLedgerError.is(new Error('x'))).toBe(false)
    expect(copy.GuildLedgerError.is(null)).toBe(false)
  })

  it('say what failed, where, why and what to do', async () => {
    expect(String(await refused())).toBe(
      'InvalidApiKeyError: The service refused the request: GET /guild/ledger/transactions: 401 Unauthorized - invalid API key. ' +
        'Check apiKey, and that the guild has an active Developer or Enterprise subscription; ' +
        'a lost, deleted or expired key has to be created anew.',
    )
  })

  it('become plain data, without bodies', async () => {
    expect(JSON.parse(JSON.stringify(await refused()))).toEqual({
      name: 'InvalidApiKeyError',
      code: 'invalid_api_key',
      status: 401,
      reason: 'Unauthorized - invalid API key',
      endpoint: 'GET /guild/ledger/transactions',
      attempts: 1,
      message: expect.stringContaining('refused the request'),
    })
  })
})

describe('a client', () => {
  it('shows its address and nothing else', () => {
    const { ledger } = client()
    expect(inspect(ledger)).toBe("GuildLedger { baseUrl: 'https://ledger.example/v1' }")
    expect(JSON.stringify(ledger)).toBe('{"baseUrl":"https://ledger.example/v1"}')
  })
})

describe('mistakes in middleware', () => {
  it.each(['fetch failed', 'Failed to fetch'])('keeps its own TypeError "%s": no ky object gets out', async (text) => {
    const bug = new TypeError(text)
    await expect(client({ middleware: [() => Promise.reject(bug)] }).ledger.transactions.list()).rejects.toBe(bug)
  })

  it('a body that was read is told as such, and not asked for again', async () => {
    const { ledger, sent } = client({
      middleware: [
        async (request, next) => {
          const response = await next(request)
          await response.json()
          return response
        },
      ],
    })
    await expect(ledger.transactions.list()).rejects.toThrow(/middleware.*clone/)
    expect(sent).toHaveLength(1)
  })

  it('no reply is told as such', async () => {
    const forgetful = (async (request: Request, next: (request: Request) => Promise<Response>) => {
      await next(request)
    }) as never
    await expect(client({ middleware: [forgetful] }).ledger.transactions.list()).rejects.toMatchObject({
      code: 'configuration',
      option: 'middleware',
    })
  })
})

describe('an asynchronous logger', () => {
  it('that rejects does not end the process', async () => {
    const unhandled = vi.fn<(reason: unknown) => void>()
    const others = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', unhandled)
    try {
      const debug = async () => Promise.reject(new Error('disk full'))
      const logger = { debug, info: debug, warn: debug, error: debug }
      await client({ logger, logLevel: 'debug' }).ledger.transactions.list()
      await new Promise((passed) => setTimeout(passed, 5))
    } finally {
      process.removeAllListeners('unhandledRejection')
      for (const other of others) process.on('unhandledRejection', other)
    }
    expect(unhandled).not.toHaveBeenCalled()
  })
})

describe('options that are not there', () => {
  it.each(['pages', 'iterate', 'watch'] as const)('of %s are refused by name, with the nearest', (verb) => {
    const { ledger } = client()
    const options: object = { [verb === 'watch' ? 'intervalMS' : 'concurency']: 5 }
    expect(() => ledger.transactions[verb]({}, options)).toThrow(
      /must be left out.*did you mean (intervalMs|concurrency)/,
    )
  })

  it.each(['timeout', 'retries', 'timeoutMS'])('%s of a call is refused by name', async (name) => {
    const { ledger, sent } = client()
    await expect(ledger.transactions.list({}, { [name]: 5 })).rejects.toMatchObject({
      code: 'configuration',
      option: name,
    })
    expect(sent).toEqual([])
  })

  it('a throttle that cannot be asked is refused', () => {
    expect(() => client({ throttle: { acquire: 1 } as never })).toThrow(/^throttle must be/)
  })
})

describe('the query of get', () => {
  it.each<[string, unknown]>([
    ['a list', { a: [1, 2] }],
    ['null', { a: null }],
    ['an object', { a: {} }],
    ['NaN', { a: Number.NaN }],
    ['an invalid Date', { a: new Date(Number.NaN) }],
    ['a symbol', { a: Symbol('s') }],
    ['a lone surrogate', { a: '\ud800' }],
    ['URLSearchParams', new URLSearchParams({ a: '1' })],
    ['text', 'a=1'],
    ['null for a query', null],
  ])('refuses %s, as list does, before sending', async (_, query) => {
    const { ledger, sent } = client({}, () => Response.json({}))
    await expect(ledger.get('/x', { query: query as never })).rejects.toMatchObject({ code: 'invalid_parameter' })
    expect(sent).toEqual([])
  })

  it('comes with a schema that is one, or is refused before sending', async () => {
    const { ledger, sent } = client({}, () => Response.json({}))
    await expect(ledger.get('/x', { schema: {} as never })).rejects.toMatchObject({ code: 'configuration' })
    expect(sent).toEqual([])
  })
})

describe('options', () => {
  it('are read once, each', () => {
    const reads: string[] = []
    const given = { apiKey: 'k3y', baseUrl: 'https://ledger.example', throttle: false, retry: {}, validation: 'off' }
    const options = new Proxy(given, {
      get: (target, name, self) => (reads.push(String(name)), Reflect.get(target, name, self) as unknown),
    })
    void new GuildLedger(options as GuildLedgerOptions)
    expect(reads.toSorted()).toEqual([...new Set(reads)].toSorted())
  })
})

describe('a shared throttle and its clients', () => {
  it('is forgotten when they are dropped', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    void new GuildLedger({ apiKey: 'first', baseUrl: 'https://ledger.example' })
    const { entries } = Reflect.get(globalThis, Symbol.for('@guild-ledger/sdk/throttles/1')) as {
      entries: Map<string, unknown>
    }
    const before = entries.size
    for (let i = 0; i < 50; i += 1) void new GuildLedger({ apiKey: `dropped-${i}`, baseUrl: 'https://ledger.example' })
    for (let i = 0; i < 10 && entries.size > before; i += 1) {
      collect()
      await new Promise((passed) => setTimeout(passed, 10))
    }
    expect(entries.size).toBeLessThanOrEqual(before)
  })

  it('lets a reply through where onStepDown throws', async () => {
    const { ledger } = client(
      {
        apiKey: 'step-down',
        retry: false,
        throttle: {
          onStepDown: () => {
            throw new Error('bug')
          },
        },
      },
      () => Response.json(refusal('slow'), { status: 429 }),
    )
    await expect(ledger.transactions.list()).rejects.toMatchObject({ code: 'rate_limited' })
  })
})

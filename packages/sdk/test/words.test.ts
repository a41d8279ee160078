import { createThrottle, GuildLedger, type GuildLedgerOptions, type GuildQuery } from '@guild-ledger/sdk'
import { describe, expect, it } from 'vitest'
import { guildReply, refusal } from './replies.ts'

const client = (answer: (nth: number) => Response, options: GuildLedgerOptions = {}) => {
  let sent = 0
  const lines: string[] = []
  const write = (level: string) => (message: string) => void lines.push(`${level} ${message}`)
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  const fetch = async () => answer((sent += 1))
  const given = { apiKey: 'k3y', baseUrl: 'https://ledger.example', throttle: false, retry: false, logger, fetch }
  const ledger = new GuildLedger({ ...given, ...options } as GuildLedgerOptions)
  return { ledger, lines, sent: () => sent }
}
const page = () => Response.json(guildReply)
const messageOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'no failure',
    (error: unknown) => (error as Error).message,
  )

describe('the advice of a refusal', () => {
  it.each([
    [401, 'Unauthorized - invalid API key'],
    [401, 'Unauthorized - no active Developer or Enterprise subscription'],
    [402, 'Payment Required'],
    [403, 'Forbidden'],
  ])('%i %j names the subscription, which it may be about', async (status, reason) => {
    const { ledger } = client(() => Response.json(refusal(reason), { status }))
    const message = await messageOf(ledger.transactions.list())
    expect(message).toMatch(/\. Check .*that the guild has an active Developer or Enterprise subscription/)
    expect(message).not.toContain('baseUrl')
  })
})

describe('a key that several processes use', () => {
  const busy = () => Response.json(refusal('slow down'), { status: 429, headers: { 'retry-after': '0' } })

  it('is a warning once, which names what helps; after that it is no news', async () => {
    const { ledger, lines } = client(busy, { retry: { maxRetries: 2 }, logLevel: 'info' })
    await messageOf(ledger.transactions.list())
    await messageOf(ledger.user('8412').transactions.list())
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['warn', 'info', 'info', 'info'])
    expect(lines[0]).toContain('429 slow down')
    expect(lines[0]).toContain('createRedisThrottle of @guild-ledger/sdk/redis')
  })

  it('does not silence other failures', async () => {
    const broken = () => Response.json(refusal('later'), { status: 503, headers: { 'retry-after': '0' } })
    const { ledger, lines } = client((nth) => (nth === 1 ? busy() : broken()), { retry: { maxRetries: 2 } })
    await messageOf(ledger.transactions.list())
    expect(lines).toEqual([expect.stringMatching(/^warn .*429/), expect.stringMatching(/^warn .*503/)])
  })
})

describe('words from elsewhere', () => {
  it('stay on one line: the failure of a connection', async () => {
    const openssl = new Error('C0A8:error:0A00010B:SSL routines:wrong version number:ssl/record.c:77:\n')
    const { ledger } = client(() => {
      throw new TypeError('fetch failed', { cause: openssl })
    })
    expect(await messageOf(ledger.transactions.list())).toBe(
      'No reply: GET /guild/ledger/transactions: C0A8:error:0A00010B:SSL routines:wrong version number:ssl/record.c:77. Check baseUrl and the network, or try again.',
    )
  })

  it('are shortened: a refusal with status 200', async () => {
    const { ledger } = client(() => Response.json(refusal(`database down\u2028${'x'.repeat(1_000_000)}`)))
    const message = await messageOf(ledger.transactions.list())
    expect(message).toContain('The service says: "database down x')
    expect(message.length).toBeLessThan(2_000)
  })
})

describe('what is given in place of an object', () => {
  it.each([
    [null, 'null'],
    [[], 'a list of 0'],
    [7, '7'],
    ['page=2', '"page=2"'],
    [new Map(), 'an object with 0 fields'],
    [new URLSearchParams('page=2'), 'an object with 0 fields'],
  ])('as a query is refused by every verb: %o', async (given, received) => {
    const { ledger, sent } = client(page)
    const query = given as unknown as GuildQuery
    const message = `query must be an object with parameters; got ${received}`
    expect(await messageOf(ledger.transactions.list(query))).toBe(message)
    expect(await messageOf(ledger.get('/guild/discharges', { query: given as never }))).toBe(message)
    for (const verb of ['pages', 'iterate', 'watch'] as const) {
      expect(() => ledger.transactions[verb](query)).toThrow(message)
    }
    expect(sent()).toBe(0)
  })

  it.each([
    [null, 'null'],
    [[], 'a list of 0'],
    [new AbortController(), 'an object with 0 fields'],
  ])('as options is refused by every verb: %o', async (given, received) => {
    const { ledger, sent } = client(page)
    const message = `options must be an object; got ${received}`
    expect(await messageOf(ledger.transactions.list({}, given as never))).toBe(message)
    expect(await messageOf(ledger.get('/guild/discharges', given as never))).toBe(message)
    for (const verb of ['pages', 'iterate', 'watch'] as const) {
      expect(() => ledger.transactions[verb]({}, given as never)).toThrow(message)
    }
    expect(() => new GuildLedger(given as never)).toThrow(message)
    expect(sent()).toBe(0)
  })
})

describe('options of get', () => {
  it('are checked by name: validation is none of them, as a schema is always applied', async () => {
    const { ledger } = client(page)
    const options = { validation: 'off' } as object
    expect(await messageOf(ledger.get('/guild/discharges', options))).toMatch(/^validation must be left out/)
  })
})

describe('a call whose time runs out in the queue', () => {
  it('says which call, and the time that was given', async () => {
    const throttle = createThrottle()
    throttle.pause(60_000)
    const { ledger, sent } = client(page, { throttle })
    await expect(ledger.transactions.list({}, { timeoutMs: 2_000 })).rejects.toMatchObject({
      code: 'timeout',
      phase: 'queue',
      timeoutMs: 2_000,
      message:
        'No slot of the throttle in time: GET /guild/ledger/transactions: none free within 2000 ms. ' +
        'Start fewer calls at once, or allow more with timeoutMs.',
    })
    expect(sent()).toBe(0)
  })
})

import { GuildLedger, ThrottleError } from '@guild-ledger/sdk'
import { errorBody, failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

// Each function stands for a command of a bot: its name is what a stack must begin with.
const commands = {
  async commandThatLists(ledger: GuildLedger) {
    await ledger.transactions.list()
  },
  async commandThatVerifies(ledger: GuildLedger) {
    await ledger.verify()
  },
  async commandThatGets(ledger: GuildLedger) {
    await ledger.get('/guild/discharges', { schema: { '~standard': { version: 1, vendor: 'test', validate } } })
  },
  async commandThatIterates(ledger: GuildLedger) {
    for await (const _ of ledger.transactions.iterate());
  },
  async commandThatReadsPages(ledger: GuildLedger) {
    for await (const _ of ledger.transactions.pages());
  },
  async commandThatWatches(ledger: GuildLedger) {
    for await (const _ of ledger.user('8412').transactions.watch());
  },
}
const validate = () => ({ issues: [{ message: 'another response' }] })

const error = (status: number, message: string) => () => Response.json(errorBody(message), { status })

const busyThrottle = {
  acquire: () => Promise.reject(new ThrottleError('queue_full', 'The queue is full.')),
  pause: () => {},
  stats: { pausedForMs: 0 },
}

const kinds: Record<string, [respond: () => Response | Promise<Response>, options?: object]> = {
  invalid_api_key: [error(401, 'Unauthorized - invalid API key')],
  forbidden: [error(403, 'no')],
  rate_limited: [error(429, 'slow down')],
  guild_transactions_failed: [error(500, 'Failed to fetch guild transactions')],
  connection: [() => Promise.reject(new TypeError('fetch failed'))],
  timeout: [() => new Promise(() => {}), { attemptTimeoutMs: 50 }],
  redirect_refused: [() => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } })],
  invalid_response: [() => Response.json({ success: true })],
  queue_full: [() => Response.json(guildResponse), { throttle: busyThrottle }],
  configuration: [() => Response.json(guildResponse), { middleware: [() => undefined] }],
}

const rows = Object.entries(kinds).flatMap(([code, kind]) =>
  (Object.keys(commands) as (keyof typeof commands)[]).map((command) => [code, command, kind] as const),
)

const firstFrame = (failure: unknown) => /^ +at .*$/m.exec((failure as Error).stack ?? '')?.[0]

const failureAt = async (command: keyof typeof commands, ledger: GuildLedger): Promise<unknown> => {
  const failure = failureOf(commands[command](ledger))
  await vi.advanceTimersByTimeAsync(2 * 60 * 60_000) // a watch is patient for an hour
  return failure
}

it.each(rows)('the stack of a %s begins with the line of the %s', async (code, command, [respond, options]) => {
  const ledger = new GuildLedger({ ...stubService(respond).options, ...options })

  const failure = await failureAt(command, ledger)

  expect(failure).toHaveProperty('code', code)
  expect(failure).toHaveProperty('stack', expect.stringMatching(/^\w+Error: .+\n +at /))
  expect(firstFrame(failure)).toMatch(new RegExp(`at (async )?(Object\\.)?${command} .*stacks\\.test\\.ts`))
})

it.each([
  ['a bad query', (ledger: GuildLedger) => ledger.transactions.list({ page: 0 })],
  ['a bad option of a call', (ledger: GuildLedger) => ledger.transactions.list({}, { timeoutMs: 0 })],
  ['a bad path', (ledger: GuildLedger) => ledger.get('discharges')],
  ['a bad query of iterate', (ledger: GuildLedger) => ledger.transactions.iterate({ page: 0 })],
  ['a bad query of a loop', loopOver],
  ['a bad option of pages', (ledger: GuildLedger) => ledger.transactions.pages({}, { concurrency: 0 })],
  ['a bad option of watch', (ledger: GuildLedger) => ledger.transactions.watch({}, { intervalMs: 0 })],
  ['a bad identifier', (ledger: GuildLedger) => ledger.user('')],
  ['a bad client option', () => new GuildLedger({ apiKey: '' })],
  ['a second iteration', consumeTwice],
])('the stack of the error for %s begins with the line of its caller', async (_, call) => {
  const ledger = new GuildLedger(stubService(() => Response.json(guildResponse)).options)

  const failure = await failureOf(async () => call(ledger))

  expect(firstFrame(failure)).toMatch(/stacks\.test\.ts/)
})

async function loopOver(ledger: GuildLedger) {
  for await (const _ of ledger.transactions.iterate({ page: 0 }));
}

async function consumeTwice(ledger: GuildLedger) {
  const paginator = ledger.transactions.iterate()
  for await (const _ of paginator);
  for await (const _ of paginator);
}

it('calls that nobody awaits lead to their line', async () => {
  const ledger = new GuildLedger(stubService(error(403, 'no')).options)
  const failures: unknown[] = []
  const commandThatDoesNotAwait = () => {
    for (const call of [ledger.transactions.list(), ledger.transactions.iterate().next()])
      call.catch((reason: unknown) => void failures.push(reason))
  }

  commandThatDoesNotAwait()
  await vi.waitFor(() => expect(failures).toHaveLength(2), { timeout: 10_000 })

  for (const failure of failures) expect(firstFrame(failure)).toContain('commandThatDoesNotAwait')
})

it('calls that share a request have errors of their own, which lead to each', async () => {
  const ledger = new GuildLedger({ ...stubService(error(403, 'no')).options, throttle: {} })
  const first = async () => {
    await ledger.transactions.list()
  }
  const second = async () => {
    await ledger.transactions.list()
  }

  const [a, b] = (await Promise.all([failureOf(first()), failureOf(second())])) as [Error, Error]

  expect([firstFrame(a), firstFrame(b)]).toEqual([
    expect.stringMatching(/at (async )?first /),
    expect.stringMatching(/at (async )?second /),
  ])
  expect(a).toHaveProperty('attempts', 1)
  expect(a).toHaveProperty('callId', expect.not.stringMatching(Reflect.get(b, 'callId')))
  expect(Object.prototype.toString.call(b)).toBe('[object Error]')
  expect(b).toMatchObject({ name: 'PermissionDeniedError', message: a.message, status: 403 })
})

it('leaves the reason of an abort as it is', async () => {
  const ledger = new GuildLedger(stubService(() => new Promise(() => {})).options)
  const reason = new Error('enough')
  const { stack } = reason

  expect(await failureOf(ledger.transactions.list({}, { signal: AbortSignal.abort(reason) }))).toBe(reason)
  expect(reason.stack).toBe(stack)
})

/** Requests whose caller gave up: left alone on the network until their responses say when their slots come free. */
import { GuildLedger, type CallOptions, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { failureOf, guildResponse, stubService, type SentRequest } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubThrottle } from './throttle-stub.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const never = () => new Promise<never>(() => {})

/** Sends one request, which is given up after a second at the latest. */
const sendOne = (
  respond: (request: SentRequest) => Promise<Response>,
  call: CallOptions = {},
  options: GuildLedgerOptions = {},
) => {
  const service = stubService((_, request) => respond(request))
  const { throttle, outcomes } = stubThrottle()
  const ledger = new GuildLedger({ ...service.options, throttle, attemptTimeoutMs: 1000, ...options })
  const failure = failureOf(ledger.transactions.list({}, call))
  return { ledger, failure, outcomes, sent: service.sent, network: () => service.sent[0]?.init.signal }
}

it.each([
  ['after the time limit of an attempt', false, 10_000, { code: 'timeout', phase: 'attempt', timeoutMs: 1000 }],
  ['once the caller aborts', true, 3000, { reason: 'enough' }],
])('is given up %s, and left alone on the network for a while', async (_, isAborted, lingersMs, expected) => {
  const stop = new AbortController()
  const respond = ({ init: { signal } }: SentRequest): Promise<never> =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
  const { failure, outcomes, network } = sendOne(respond, { signal: stop.signal })
  await vi.advanceTimersByTimeAsync(999)
  expect(outcomes).toEqual([])
  if (isAborted) stop.abort({ reason: 'enough' })
  await vi.advanceTimersByTimeAsync(1)

  expect(await failure).toMatchObject(expected)

  expect(outcomes).toEqual([{ kind: 'aborted' }])
  await vi.advanceTimersByTimeAsync(lingersMs - 2)
  expect(network()?.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(2)
  expect(network()?.aborted).toBe(true)
  expect(outcomes).toEqual([{ kind: 'aborted' }]) // it may still arrive
  expect(vi.getTimerCount()).toBe(0)
})

it.each<[string, Record<string, string>, boolean]>([
  ['small, and read away', { 'content-length': '65536' }, false],
  ['large', { 'content-length': '65537' }, true],
  ['of unknown length', {}, true],
])(
  'a request that was given up is reported once its response is seen, whose body is %s',
  async (_, headers, isEnded) => {
    const late = { status: 503, headers: { 'retry-after': '9', ...headers } }
    const { failure, outcomes, network } = sendOne(() => wait(2500).then(() => new Response('', late)))
    await vi.advanceTimersByTimeAsync(1000)
    await failure
    await vi.advanceTimersByTimeAsync(1500)

    expect(outcomes).toEqual([{ kind: 'aborted' }, { kind: 'completed', status: 503, retryAfterMs: 9000 }])
    expect(network()?.aborted).toBe(isEnded)
    expect(vi.getTimerCount()).toBe(0)
  },
)

it('a request that was given up is reported once it fails', async () => {
  const respond = () => wait(1500).then(() => Promise.reject(new Error('socket hang up')))
  const { ledger, failure, outcomes, network } = sendOne(respond)
  await vi.advanceTimersByTimeAsync(1000)
  await failure
  await vi.advanceTimersByTimeAsync(500)
  await ledger.close()

  expect(network()?.aborted).toBe(false) // Node throws an exception that nobody can catch
  expect(outcomes).toEqual([{ kind: 'aborted' }, { kind: 'failed' }])
  expect(vi.getTimerCount()).toBe(0)
})

it.each([0, 1000])('a request ends on the network where the client is closed after %i ms', async (ms) => {
  const { ledger, failure, network } = sendOne(never)
  await vi.advanceTimersByTimeAsync(ms)
  await ledger.close()
  await failure

  expect(network()?.aborted).toBe(true)
})

it('a request that was given up keeps no process alive', async () => {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  const { failure } = sendOne(never)
  await vi.advanceTimersByTimeAsync(1000)
  await failure

  expect(setTimer.mock.results.at(-1)?.value).toSatisfy((timer: NodeJS.Timeout) => !timer.hasRef())
})

it('a request that is given up ends on the network where there is no throttle', async () => {
  const stop = new AbortController()
  const { failure, network } = sendOne(never, { signal: stop.signal }, { throttle: false })
  await vi.advanceTimersByTimeAsync(1)

  stop.abort('enough')

  expect(await failure).toBe('enough')
  expect(network()?.aborted).toBe(true)
})

it('a request is not sent if the caller aborts at the moment its slot is granted', async () => {
  const stop = new AbortController()
  const { throttle, outcomes } = stubThrottle()
  const acquire = async () => {
    const permit = await throttle.acquire()
    stop.abort('enough')
    return permit
  }
  const respond = async () => Response.json(guildResponse)
  const { failure, sent } = sendOne(respond, { signal: stop.signal }, { throttle: { ...throttle, acquire } })
  await vi.advanceTimersByTimeAsync(1)

  expect(await failure).toBe('enough')
  expect(outcomes).toEqual([{ kind: 'notSent' }])
  expect(sent).toEqual([])
})

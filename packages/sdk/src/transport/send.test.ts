import { failureOf } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Outcome, Throttle } from '../throttle/index.ts'
import { createApiKeys } from './api-keys.ts'
import type { Authentication, PreparedRequest } from './auth.ts'
import { createLingeringRequests } from './send.ts'
import { createSend, type Call } from './send.ts'

describe('a request', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  const never = () => new Promise<never>(() => {})
  const respondWith =
    (
      status: number,
      text: () => Promise<string> = async () => 'the text',
      headers: Record<string, string> = {},
    ): PreparedRequest =>
    async (_signal, onHead) => {
      const head = { status, headers: new Headers(headers) }
      const isRateLimit = onHead(head)
      return { ...head, isRateLimit, text: await text() }
    }

  interface Parts {
    readonly call?: Partial<Call>
    readonly keys?: Partial<Authentication['keys']>
    readonly acquire?: (release: (outcome: Outcome) => void) => ReturnType<Throttle['acquire']>
    readonly isPaced?: boolean
    readonly hasServed?: boolean
  }

  /** Sends one request, to which the service responds so. */
  const sendOne = (respond: PreparedRequest, parts: Parts = {}) => {
    const { call: given, keys, isPaced = true, hasServed = false, acquire = async (release) => ({ release }) } = parts
    const outcomes: Outcome[] = []
    const acquireOptions: unknown[] = []
    const lingering = createLingeringRequests()
    let network: AbortSignal | undefined
    const auth: Authentication = {
      keys: { ...createApiKeys('key', () => {}), ...keys },
      redact: (text) => text,
      prepare: () => async (signal, onHead) => {
        network = signal
        return respond(signal, onHead)
      },
    }
    const throttle: Throttle = {
      acquire: (how) => {
        acquireOptions.push(how)
        return acquire((outcome) => void outcomes.push(outcome))
      },
      pause: () => {},
      reset: () => {},
      estimateMs: () => 0,
      stats: {} as Throttle['stats'],
    }
    const retry = { maxRetries: 0, maxRateLimitRetries: 0, baseDelayMs: 0, maxDelayMs: 5000 }
    const send = createSend({ throttle: isPaced ? throttle : undefined, retry, log: () => {} }, auth, lingering, {
      hasServed,
    })
    const call: Call = {
      label: 'GET /x',
      trace: { callId: '1', method: 'GET', endpoint: '/x', attempts: 0, queuedMs: 0, requests: [] },
      signal: new AbortController().signal,
      timeLeftMs: () => Infinity,
      attemptTimeoutMs: 1000,
      priority: 'interactive',
      isQueued: false,
      onSend: vi.fn(),
      ...given,
    }
    const received = send(new Request('https://ledger.example/x'), call)
    received.catch(() => {})
    return { received, call, acquireOptions, outcomes, lingering, network: () => network }
  }

  it.each([
    ['after the time limit of an attempt', false, 10_000, { code: 'timeout', phase: 'attempt', timeoutMs: 1000 }],
    ['once the caller aborts', true, 3000, { reason: 'enough' }],
  ])('is given up %s, and left alone on the network for a while', async (_, isAborted, lingersMs, failure) => {
    const stop = new AbortController()
    const respond: PreparedRequest = (signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    const { received, outcomes, network } = sendOne(respond, { call: { signal: stop.signal } })
    await vi.advanceTimersByTimeAsync(999)
    expect(outcomes).toEqual([])
    if (isAborted) stop.abort({ reason: 'enough' })
    await vi.advanceTimersByTimeAsync(1)

    expect(await failureOf(received)).toMatchObject(failure)

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
  ])('that was given up is reported once its response is seen, whose body is %s', async (_, headers, isEnded) => {
    const text = vi.fn(async () => 'the text')
    const respond = respondWith(503, text, { 'retry-after': '9', ...headers })
    const { received, call, outcomes, network } = sendOne(async (signal, onHead) => {
      await wait(2500)
      return respond(signal, onHead)
    })
    await vi.advanceTimersByTimeAsync(1000)
    await failureOf(received)
    await vi.advanceTimersByTimeAsync(1500)

    expect(outcomes).toEqual([{ kind: 'aborted' }, { kind: 'completed', status: 503, retryAfterMs: 5000 }])
    expect(network()?.aborted).toBe(isEnded)
    expect(call.trace.status).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that was given up is reported once it fails', async () => {
    const respond = () => wait(1500).then(() => Promise.reject(new Error('socket hang up')))
    const { received, outcomes, lingering, network } = sendOne(respond)
    await vi.advanceTimersByTimeAsync(1000)
    await failureOf(received)
    await vi.advanceTimersByTimeAsync(500)
    lingering.end()

    expect(network()?.aborted).toBe(false) // Node throws an exception that nobody can catch
    expect(outcomes).toEqual([{ kind: 'aborted' }, { kind: 'failed' }])
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([0, 1000])('that is given up after 1000 ms ends at once where the client is closed after %i', async (ms) => {
    const { received, lingering, network } = sendOne(never)
    await vi.advanceTimersByTimeAsync(ms)
    lingering.end()
    await vi.advanceTimersByTimeAsync(1000 - ms)
    await failureOf(received)

    expect(network()?.aborted).toBe(true)
  })

  it('that was given up keeps no process alive', async () => {
    const setTimer = vi.spyOn(globalThis, 'setTimeout')
    const { received } = sendOne(never)
    await vi.advanceTimersByTimeAsync(1000)
    await failureOf(received)

    expect(setTimer.mock.results.at(-1)?.value).toSatisfy((timer: NodeJS.Timeout) => !timer.hasRef())
  })

  it('ends on the network once it is given up where there is no throttle', async () => {
    const stop = new AbortController()
    const { received, network } = sendOne(never, { isPaced: false, call: { signal: stop.signal } })
    await vi.advanceTimersByTimeAsync(1)

    stop.abort('enough')

    expect(await failureOf(received)).toBe('enough')
    expect(network()?.reason).toBe('enough')
  })

  it('is not sent if the caller aborts at the moment its slot is granted', async () => {
    const stop = new AbortController()
    const { received, call, outcomes } = sendOne(respondWith(200), {
      call: { signal: stop.signal },
      acquire: async (release) => {
        stop.abort('enough')
        return { release }
      },
    })

    expect(await failureOf(received)).toBe('enough')
    expect(outcomes).toEqual([{ kind: 'notSent' }])
    expect(call.trace.attempts).toBe(0)
  })
})

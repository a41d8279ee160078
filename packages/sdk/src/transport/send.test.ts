import { failureOf } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RedirectError } from '../errors/index.ts'
import type { Outcome, Throttle } from '../throttle/index.ts'
import type { Authentication, RedactedResponse } from './auth.ts'
import { fixedKey } from './fixed-key.ts'
import type { GivenUpRequest } from './lingering.ts'
import { createSend, retryAfterOf, type Call } from './send.ts'

const now = Date.parse('2026-01-31T10:00:00Z')

it.each([
  ['0', 0],
  ['7', 7_000],
  ['12', 12_000],
  ['1.5', 1_500],
  ['1.25', 1_250],
  [' 3 ', 3_000],
  ['Sat, 31 Jan 2026 10:00:09 GMT', 9_000],
  ['Saturday, 31-Jan-26 10:00:09 GMT', 9_000],
  ['Sat, 31 Jan 2026 09:00:00 GMT', 0],
])('reads the Retry-After %j as %i ms', (value, expectedMs) => {
  expect(retryAfterOf(new Headers({ 'retry-after': value }), now)).toBe(expectedMs)
})

it.each(['', 'soon', '-1', '+5', '10, 10', '1,5', '1.', '1e3', '0x10', 'Soon, 5 GMT', '2026-01-31T10:00:09Z'])(
  'ignores the Retry-After %j',
  (value) => {
    expect(retryAfterOf(new Headers({ 'retry-after': value }), now)).toBeUndefined()
  },
)

it.each([
  'x7',
  '7x',
  'xSat, 31 Jan 2026 10:00:09 GMT',
  'Sat, 31 Jan 2026 10:00:09 GMT+2',
  'Sat, 32 Jan 2026 10:00:09 GMT',
])('ignores the Retry-After %j, which is nearly one', (value) => {
  expect(retryAfterOf(new Headers({ 'retry-after': value }), now)).toBeUndefined()
})

it('reads no Retry-After from headers without one', () => {
  expect(retryAfterOf(new Headers(), now)).toBeUndefined()
})

describe('a request', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  const never = () => new Promise<never>(() => {})
  const headOf = (
    status: number,
    text: () => Promise<string> = async () => 'the text',
    headers: Record<string, string> = {},
  ): RedactedResponse => ({ status, headers: new Headers(headers), text })

  interface Parts {
    readonly call?: Partial<Call>
    readonly keys?: Partial<Authentication['keys']>
    readonly acquire?: (release: (outcome: Outcome) => void) => ReturnType<Throttle['acquire']>
    readonly isPaced?: boolean
  }

  /** Sends one request, to which the service responds so. */
  const sendOne = (respond: (network: AbortSignal) => Promise<RedactedResponse>, parts: Parts = {}) => {
    const { call: given, keys, isPaced = true, acquire = async (release) => ({ release }) } = parts
    const outcomes: Outcome[] = []
    const acquireOptions: unknown[] = []
    const added: { readonly request: GivenUpRequest; readonly ms: number }[] = []
    let network: AbortSignal | undefined
    const auth: Authentication = {
      keys: { ...fixedKey('key'), ...keys } as Authentication['keys'],
      redact: (text) => text,
      prepare: () => (signal) => {
        network = signal
        return respond(signal)
      },
    }
    const throttle: Throttle = {
      acquire: (how) => {
        acquireOptions.push(how)
        return acquire((outcome) => void outcomes.push(outcome))
      },
      pause: () => {},
      reset: () => {},
      stats: {} as Throttle['stats'],
    }
    const retry = { maxRetries: 0, maxRateLimitRetries: 0, baseDelayMs: 0, maxDelayMs: 5000 }
    const send = createSend({ throttle: isPaced ? throttle : undefined, retry }, auth, {
      add: (request, ms) => void added.push({ request, ms }),
      end: () => {},
    })
    const call: Call = {
      keyVersion: 7,
      label: 'GET /x',
      trace: { callId: '1', method: 'GET', endpoint: '/x', attempts: 0, queuedMs: 0 },
      signal: undefined,
      timeLeftMs: () => Infinity,
      attemptTimeoutMs: 1000,
      priority: 'interactive',
      isQueued: false,
      onSend: vi.fn(),
      ...given,
    }
    const received = send(new Request('https://ledger.example/x'), call)
    received.catch(() => {})
    return { received, call, acquireOptions, outcomes, added, network: () => network }
  }

  it('resolves with what is received, reports it to the throttle, and leaves no timer', async () => {
    const head = headOf(200, undefined, { 'retry-after': '2' })
    const { received, call, outcomes, added } = sendOne(async () => head)

    expect(await received).toEqual({ status: 200, headers: head.headers, retryAfterMs: 2000, text: 'the text' })

    expect(outcomes).toEqual([{ kind: 'completed', status: 200, retryAfterMs: 2000 }])
    expect(call).toMatchObject({ keyVersion: 0, isQueued: false, trace: { attempts: 1, status: 200, queuedMs: 0 } })
    expect(call.onSend).toHaveBeenCalledOnce()
    expect(added).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('resolves with what is received where there is no throttle', async () => {
    expect(await sendOne(async () => headOf(200), { isPaced: false }).received).toMatchObject({ status: 200 })
  })

  it('passes on to the throttle what it waits for', async () => {
    const { signal } = new AbortController()
    const { received, acquireOptions } = sendOne(async () => headOf(200), { call: { signal, priority: 'background' } })
    await received

    expect(acquireOptions).toEqual([{ signal, priority: 'background', attemptTimeoutMs: 1000 }])
  })

  it('reports a Retry-After to the throttle as maxDelayMs at most', async () => {
    const { received, outcomes } = sendOne(async () => headOf(503, undefined, { 'retry-after': '6' }))

    expect(await received).toMatchObject({ retryAfterMs: 6000 })
    expect(outcomes).toEqual([{ kind: 'completed', status: 503, retryAfterMs: 5000 }])
  })

  it('without a signal is left alone on the network for as long after the time limit of an attempt', async () => {
    const { received, added } = sendOne(never)
    await vi.advanceTimersByTimeAsync(1000)

    expect(await failureOf(received)).toMatchObject({ code: 'timeout', phase: 'attempt' })
    expect(added.map(({ ms }) => ms)).toEqual([10_000])
  })

  it.each([
    ['after the time limit of an attempt', false, 10_000, { code: 'timeout', phase: 'attempt', timeoutMs: 1000 }],
    ['once the caller aborts', true, 3000, { reason: 'enough' }],
  ])('is given up %s, and left alone on the network', async (_, isAborted, lingersMs, failure) => {
    const stop = new AbortController()
    const { received, outcomes, added, network } = sendOne(never, { call: { signal: stop.signal } })
    await vi.advanceTimersByTimeAsync(999)
    expect(outcomes).toEqual([])
    if (isAborted) stop.abort({ reason: 'enough' })
    await vi.advanceTimersByTimeAsync(1)

    expect(await failureOf(received)).toMatchObject(failure)

    expect(outcomes).toEqual([{ kind: 'aborted' }])
    expect(added.map(({ ms }) => ms)).toEqual([lingersMs])
    expect(network()?.aborted).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
    added[0]?.request.onEnd(headOf(503, undefined, { 'retry-after': '2' }))
    added[0]?.request.onEnd(undefined)
    expect(outcomes.slice(1)).toEqual([{ kind: 'completed', status: 503, retryAfterMs: 2000 }, { kind: 'failed' }])
  })

  it('ends on the network once it is given up where there is no throttle', async () => {
    const stop = new AbortController()
    const { received, added, network } = sendOne(never, { isPaced: false, call: { signal: stop.signal } })
    await vi.advanceTimersByTimeAsync(1)

    stop.abort('enough')

    expect(await failureOf(received)).toBe('enough')
    expect(network()?.reason).toBe('enough')
    expect(added).toEqual([])
  })

  it('that fails is reported as failed, and not ended on the network', async () => {
    const { received, outcomes, added, network } = sendOne(() => Promise.reject(new Error('no route')))

    expect(await failureOf(received)).toMatchObject({
      code: 'connection',
      message: 'GET /x failed: no route. Check baseUrl and the network, or try again.',
    })
    expect(outcomes).toEqual([{ kind: 'failed' }])
    expect(added).toEqual([])
    expect(network()?.aborted).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends on the network if its body takes too long', async () => {
    const { received, outcomes, added, network } = sendOne(async () => headOf(200, never))
    await vi.advanceTimersByTimeAsync(1000)

    expect(await failureOf(received)).toMatchObject({ code: 'timeout', phase: 'attempt' })
    expect(outcomes).toEqual([{ kind: 'completed', status: 200, retryAfterMs: undefined }])
    expect(added).toEqual([])
    expect(network()?.reason).toMatchObject({ code: 'timeout' })
  })

  it.each([200, 299])('with status %i fails if its body breaks off', async (status) => {
    const { received, call } = sendOne(async () => headOf(status, () => Promise.reject(new Error('reset'))))

    expect(await failureOf(received)).toMatchObject({
      code: 'connection',
      message: 'GET /x failed: the response broke off: reset. Check baseUrl and the network, or try again.',
    })
    expect(call.trace.status).toBe(status)
  })

  it.each([199, 300, 503])('with status %i keeps its status if its body breaks off', async (status) => {
    const { received } = sendOne(async () => headOf(status, () => Promise.reject(new Error('reset'))))

    expect(await received).toMatchObject({ status, text: '' })
  })

  it('rejects with the error of a redirect', async () => {
    const redirect = new RedirectError('not followed')

    expect(await failureOf(sendOne(async () => headOf(302, () => Promise.reject(redirect))).received)).toBe(redirect)
  })

  it('says how long it waits in the queue, and whether it does', async () => {
    const { received, call } = sendOne(async () => headOf(200), {
      acquire: async (release) => wait(70).then(() => ({ release })),
    })
    await vi.advanceTimersByTimeAsync(69)
    expect(call).toMatchObject({ isQueued: true, keyVersion: -1, trace: { attempts: 0 } })
    expect(call.onSend).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await received

    expect(call).toMatchObject({ isQueued: false, trace: { attempts: 1, queuedMs: 70 } })
  })

  it('waits in the queue no more once the throttle has rejected it', async () => {
    const { received, call } = sendOne(never, {
      acquire: async () => wait(70).then(() => Promise.reject(new Error('full'))),
    })
    await vi.advanceTimersByTimeAsync(70)

    await expect(received).rejects.toThrow('full')
    expect(call).toMatchObject({ isQueued: false, trace: { attempts: 0, queuedMs: 70 } })
  })

  it('hands back its slot where the key was rejected meanwhile, and waits for another slot after that for a key', async () => {
    const ready = [wait(100), undefined]
    const readyFor: unknown[] = []
    const { received, call, outcomes } = sendOne(async () => headOf(200), {
      keys: {
        ready: (_call, isGranted) => {
          readyFor.push(isGranted)
          return ready.shift()
        },
      },
    })
    await vi.advanceTimersByTimeAsync(99)
    expect(outcomes).toEqual([{ kind: 'notSent' }])
    expect(call.trace.attempts).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    await received

    expect(readyFor).toEqual([true, true])
    expect(outcomes).toEqual([{ kind: 'notSent' }, { kind: 'completed', status: 200, retryAfterMs: undefined }])
  })

  it('waits for a key where there is no throttle', async () => {
    const ready = [wait(100), undefined]
    const { received, call } = sendOne(async () => headOf(200), {
      isPaced: false,
      keys: { ready: () => ready.shift() },
    })
    await vi.advanceTimersByTimeAsync(99)
    expect(call.trace.attempts).toBe(0)
    await vi.advanceTimersByTimeAsync(1)

    expect(await received).toMatchObject({ status: 200 })
  })

  it('is not sent if the caller aborts at the moment its slot is granted', async () => {
    const stop = new AbortController()
    const { received, call, outcomes } = sendOne(async () => headOf(200), {
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

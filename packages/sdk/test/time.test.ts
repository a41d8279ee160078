import { getEventListeners } from 'node:events'
import { GuildLedger, type GuildLedgerOptions, type Outcome, type Throttle } from '@guild-ledger/sdk'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { guildReply, refusal } from './replies.ts'

type Answer = (nth: number, signal: AbortSignal) => Response | Promise<Response>
const never: Answer = (_, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
const page = () => Response.json(guildReply)
const stalledBody = () =>
  new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{"su')) }))

/** A client whose service is a function. */
const client = (answer: Answer, options: GuildLedgerOptions = {}) => {
  const sentAt: number[] = []
  const ledger = new GuildLedger({
    apiKey: 'k3y',
    baseUrl: 'https://ledger.example',
    throttle: false,
    logLevel: 'off',
    fetch: async (_, init) => {
      sentAt.push(Date.now())
      return answer(sentAt.length, init.signal as AbortSignal)
    },
    ...options,
  })
  return { ledger, sentAt }
}
/** Retries start a millisecond after their wait at the earliest: timers of 0 ms take 1. */
const expectSent = (sentAt: number[], expected: number[]) => {
  expect(sentAt).toHaveLength(expected.length)
  for (const [i, at] of sentAt.entries())
    expect(at - (expected[i] ?? 0)).toSatisfy((late: number) => late >= 0 && late <= 5)
}
const settled = (call: Promise<unknown>) =>
  call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('time limits', () => {
  it('gives an attempt 10 s unless told otherwise, and asks again twice', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const { ledger, sentAt } = client(never, { retry: { baseDelayMs: 2_000 } })
    const result = settled(ledger.transactions.list())
    await vi.advanceTimersByTimeAsync(33_010)
    expect(await result).toMatchObject({
      error: {
        name: 'TimeoutError',
        code: 'timeout',
        timeoutMs: 10_000,
        message: expect.stringContaining('none within 10000 ms'),
      },
    })
    expectSent(sentAt, [0, 11_000, 23_000])
  })

  it('counts the body as part of the attempt', async () => {
    const { ledger } = client(stalledBody, { attemptTimeoutMs: 500, retry: false })
    const result = settled(ledger.transactions.list())
    await vi.advanceTimersByTimeAsync(500)
    expect(await result).toMatchObject({ error: { code: 'timeout', timeoutMs: 500 } })
  })

  it('starts the time of an attempt when its slot is granted', async () => {
    const throttle = slowThrottle(60_000)
    const { ledger } = client(page, { throttle, attemptTimeoutMs: 100 })
    const result = settled(ledger.transactions.list())
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await result).toMatchObject({ value: { response: { queuedMs: 60_000 } } })
  })

  it.each<[string, Answer, GuildLedgerOptions]>([
    ['the queue', page, { throttle: slowThrottle(60_000) }],
    ['a fetch that ignores its signal', () => new Promise(() => {}), {}],
    ['the body', stalledBody, {}],
    ['middleware', page, { middleware: [() => new Promise(() => {})] }],
  ])('ends a call in %s once timeoutMs is over', async (_, answer, options) => {
    const { ledger } = client(answer, options)
    const result = settled(ledger.transactions.list({}, { timeoutMs: 2_000 }))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await result).toMatchObject({
      error: { code: 'timeout', timeoutMs: 2_000, message: expect.stringContaining('2000 ms') },
    })
    expect(vi.getTimerCount()).toBe(options.throttle ? 1 : 0)
  })
})

describe('a retry that would come too late', () => {
  it('is not waited for: the refusal itself comes at once', async () => {
    const busy = () => Response.json(refusal('later'), { status: 503, headers: { 'retry-after': '15' } })
    const { ledger, sentAt } = client(busy)
    const result = settled(ledger.transactions.list({}, { timeoutMs: 2_000 }))
    await vi.advanceTimersByTimeAsync(1)
    expect(await Promise.race([result, Promise.resolve('still waiting')])).toMatchObject({
      error: { status: 503, retryAfterMs: 15_000, attempts: 1 },
    })
    expect(sentAt).toEqual([0])
  })
})

describe('an abort by the caller', () => {
  it.each<[string, Answer, GuildLedgerOptions]>([
    ['in the queue', page, { throttle: slowThrottle(60_000) }],
    ['under way', never, {}],
    ['in a fetch that ignores its signal', () => new Promise(() => {}), {}],
    ['in the body', stalledBody, {}],
    ['before a retry', () => Response.json(refusal('later'), { status: 500 }), { retry: { baseDelayMs: 10_000 } }],
  ])('ends a call %s at once, with its own reason', async (_, answer, options) => {
    const stop = new AbortController()
    const { ledger, sentAt } = client(answer, options)
    const result = settled(ledger.transactions.list({}, { signal: stop.signal }))
    await vi.advanceTimersByTimeAsync(1)
    stop.abort('enough')
    expect(await result).toEqual({ error: 'enough' })
    const sent = sentAt.length
    await vi.advanceTimersByTimeAsync(120_000)
    expect(sentAt).toHaveLength(sent)
  })

  it('before the call sends nothing', async () => {
    const { ledger, sentAt } = client(page)
    expect(await settled(ledger.transactions.list({}, { signal: AbortSignal.abort('no') }))).toEqual({ error: 'no' })
    expect(sentAt).toEqual([])
  })
})

describe('waits before retries', () => {
  it('doubles its bound and draws the wait at random below it', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const { ledger, sentAt } = client(() => Response.json(refusal('x'), { status: 500 }), { retry: { maxRetries: 3 } })
    const result = settled(ledger.transactions.list())
    await vi.advanceTimersByTimeAsync(10_000)
    await result
    expectSent(sentAt, [0, 150, 450, 1_050])
  })

  it.each([
    ['7', [0, 7_000]],
    ['Thu, 01 Jan 1970 00:00:09 GMT', [0, 9_000]],
    ['0', [0, 0]],
    ['Wed, 31 Dec 1969 00:00:00 GMT', [0, 0]],
  ])('keeps to Retry-After: %s', async (retryAfter, expected) => {
    const { ledger, sentAt } = client((nth) =>
      nth === 1 ? Response.json(refusal('x'), { status: 429, headers: { 'retry-after': retryAfter } }) : page(),
    )
    const result = ledger.transactions.list()
    await vi.advanceTimersByTimeAsync(20_000)
    await result
    expectSent(sentAt, expected)
  })

  it('gives up where the service wants longer than maxDelayMs, and tells how long', async () => {
    const { ledger, sentAt } = client(() =>
      Response.json(refusal('x'), { status: 429, headers: { 'retry-after': '3600' } }),
    )
    expect(await settled(ledger.transactions.list())).toMatchObject({
      error: { code: 'rate_limited', retryAfterMs: 3_600_000 },
    })
    expect(sentAt).toEqual([0])
  })

  it('is not confused by a Retry-After it cannot read', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const { ledger, sentAt } = client((nth) =>
      nth === 1 ? Response.json(refusal('x'), { status: 503, headers: { 'retry-after': 'soon' } }) : page(),
    )
    await vi.runAllTimersAsync()
    const result = ledger.transactions.list()
    await vi.runAllTimersAsync()
    await result
    expectSent(sentAt, [0, 0])
  })
})

describe('a Retry-After that is neither seconds nor an HTTP date', () => {
  it.each(['-1', '+5', '10, 10', '1,5', 'soon 5', '1.', 'Soon, 5 GMT'])(
    '%s does not mean at once',
    async (retryAfter) => {
      vi.spyOn(Math, 'random').mockReturnValue(0.5)
      const { ledger, sentAt } = client((nth) =>
        nth === 1 ? Response.json(refusal('x'), { status: 503, headers: { 'retry-after': retryAfter } }) : page(),
      )
      const result = ledger.transactions.list()
      await vi.advanceTimersByTimeAsync(30_000)
      await result
      expect(sentAt[1]).toBeGreaterThanOrEqual(150)
    },
  )
})

describe('what goes on after the reply', () => {
  const stuck = { '~standard': { version: 1, vendor: 'test', validate: () => new Promise<never>(() => {}) } } as const

  it('is ended by timeoutMs and by the caller too: a schema that never answers', async () => {
    const { ledger } = client(page)
    const late = settled(ledger.get('/x', { schema: stuck, timeoutMs: 50 }))
    const stop = new AbortController()
    const stopped = settled(ledger.get('/x', { schema: stuck, signal: stop.signal }))
    await vi.advanceTimersByTimeAsync(50)
    stop.abort('enough')
    await vi.advanceTimersByTimeAsync(1)
    expect(await Promise.race([late, Promise.resolve('still waiting')])).toMatchObject({ error: { code: 'timeout' } })
    expect(await Promise.race([stopped, Promise.resolve('still waiting')])).toEqual({ error: 'enough' })
  })
})

describe('middleware that asks twice at once', () => {
  it('has a time limit for each request, and leaves no slot under way', async () => {
    const outcomes: Outcome[] = []
    const { ledger } = client(never, {
      attemptTimeoutMs: 100,
      retry: false,
      throttle: slowThrottle(0, outcomes),
      middleware: [(request, next) => Promise.any([next(request), next(request)])],
    })
    const result = settled(ledger.transactions.list())
    await vi.advanceTimersByTimeAsync(5_000)
    expect(outcomes).toHaveLength(2)
    expect(await Promise.race([result, Promise.resolve('still waiting')])).toHaveProperty('error')
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the throttle', () => {
  it('is asked before every attempt and told how each went', async () => {
    const outcomes: Outcome[] = []
    const throttle = slowThrottle(0, outcomes)
    const { ledger } = client(
      (nth, signal) => {
        if (nth === 1) throw new TypeError('fetch failed')
        if (nth === 2) return Response.json(refusal('x'), { status: 503, headers: { 'retry-after': '2' } })
        return nth === 3 ? never(nth, signal) : page()
      },
      { throttle, retry: { maxRetries: 3 }, attemptTimeoutMs: 1_000 },
    )
    const result = ledger.transactions.list()
    await vi.advanceTimersByTimeAsync(60_000)
    expect((await result).response.attempts).toBe(4)
    expect(outcomes).toEqual([
      { kind: 'failed' },
      { kind: 'answered', status: 503, retryAfterMs: 2_000 },
      { kind: 'abandoned', mayArriveForMs: 1_000 },
      { kind: 'answered', status: 200, retryAfterMs: undefined },
    ])
  })

  it('gives a slot to each request of a middleware that asks twice', async () => {
    const outcomes: Outcome[] = []
    const { ledger } = client(page, {
      throttle: slowThrottle(0, outcomes),
      middleware: [async (request, next) => (await next(request), next(request))],
    })
    const result = ledger.transactions.list()
    await vi.runAllTimersAsync()
    await result
    expect(outcomes).toHaveLength(2)
  })
})

describe('what a call leaves behind', () => {
  it('leaves no timer and no listener, over 1,000 calls that go every way', async () => {
    const stop = new AbortController()
    const failed = () => Response.json(refusal('x'), { status: 500 })
    const ways: Answer[] = [
      page,
      failed,
      () => new Response('{'),
      () => Promise.reject(new TypeError('fetch failed')),
      never,
    ]
    const { ledger } = client((nth, signal) => (ways[nth % ways.length] ?? page)(nth, signal), {
      retry: { baseDelayMs: 0 },
      timeoutMs: 60_000,
      throttle: slowThrottle(0),
    })
    for (let i = 0; i < 1_000; i += 1) {
      const call = settled(ledger.transactions.list({}, { signal: stop.signal }))
      await vi.runAllTimersAsync()
      await call
    }
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0)
    expect(vi.getTimerCount()).toBe(0)
  }, 60_000)
})

/** A throttle that lets everything pass after `ms` milliseconds and notes what it is told. */
function slowThrottle(ms: number, outcomes: Outcome[] = []): Throttle {
  return {
    acquire: async () => {
      await new Promise((passed) => setTimeout(passed, ms))
      return { release: (outcome) => void outcomes.push(outcome) }
    },
    pause: () => {},
    stats: { waiting: 0, held: 0, underWay: 0, acquired: 0, refused: 0, lost: 0, pausedForMs: 0, pace: 'arrival' },
  }
}

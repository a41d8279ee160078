import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createThrottle, type ThrottleOptions } from './index.ts'
import type { Outcome, Permit, Throttle } from './types.ts'
import { createVirtualTime, type VirtualTime } from '@guild-ledger/test-kit'

const ok: Outcome = { kind: 'completed', status: 200 }

/** A throttle in virtual time, whose timers fire when `firesAt` says. */
const start = (options: ThrottleOptions = {}, firesAt?: (due: number) => number) => {
  const time = createVirtualTime(firesAt)
  return { time, throttle: createThrottle({ clock: time.clock, ...options }) }
}

/** Sends one request that takes `roundTripMs` and notes when it was sent. */
const send = async (
  time: VirtualTime,
  throttle: Throttle,
  sent: number[],
  { roundTripMs = 100, outcome = ok }: { roundTripMs?: number; outcome?: Outcome } = {},
): Promise<void> => {
  const permit = await throttle.acquire()
  sent.push(time.now())
  time.at(time.now() + roundTripMs, () => permit.release(outcome))
}

const sendMany = async (
  count: number,
  options: ThrottleOptions = {},
  request: { roundTripMs?: number; outcome?: Outcome } = {},
): Promise<number[]> => {
  const { time, throttle } = start(options)
  const sent: number[] = []
  for (let i = 0; i < count; i++) void send(time, throttle, sent, request)
  await time.run()
  return sent
}

/** Takes all ten slots at once, for requests that are in flight, or that end at once with `outcome`. */
const ten = async (throttle: Throttle, outcome?: Outcome): Promise<Permit[]> => {
  const permits = await Promise.all(Array.from({ length: 10 }, () => throttle.acquire()))
  if (outcome) for (const permit of permits) permit.release(outcome)
  return permits
}

it('lets no call overtake those that wait, where timers are late', async () => {
  const { time, throttle } = start({}, (due) => due + 500)
  await ten(throttle, ok)
  const sent: string[] = []
  const callAt = (ms: number, name: string) => time.at(ms, () => void throttle.acquire().then(() => sent.push(name)))
  callAt(0, 'first')
  callAt(1100, 'second')
  await time.run()
  expect(sent).toEqual(['first', 'second'])
})

describe('a slot', () => {
  it('comes free a second and two milliseconds after the response', async () => {
    const sent = await sendMany(30)

    expect(sent).toEqual([...Array(10).fill(0), ...Array(10).fill(1102), ...Array(10).fill(2204)])
  })

  it.each<[Outcome, number]>([
    [{ kind: 'notSent' }, 300],
    [{ kind: 'failed' }, 1302],
    [{ kind: 'aborted' }, 11_302],
    [{ kind: 'completed', status: 502 }, 11_302],
    [{ kind: 'completed', status: 504 }, 11_302],
  ])('of a request that ends after 300 ms with %o comes free at %d ms', async (outcome, at) => {
    const sent = await sendMany(11, {}, { roundTripMs: 300, outcome })

    expect(sent[10]).toBe(at)
  })

  it.each([ok, { kind: 'failed' } as const])(
    'of a request that was given up comes free a second after the response is seen after all: %j',
    async (outcome) => {
      const { time, throttle } = start()
      const permits = await ten(throttle, { kind: 'aborted' })
      const eleventh = throttle.acquire().then(() => time.now())

      time.at(700, () => permits[3]?.release(outcome))
      await time.run()

      expect(await eleventh).toBe(1702)
    },
  )

  it('of a request that was given up is not held longer by what is reported later', async () => {
    const { time, throttle } = start()
    const permits = await ten(throttle, { kind: 'aborted' })
    const eleventh = throttle.acquire().then(() => time.now())

    for (const permit of permits) time.at(10_900, () => permit.release(ok))
    await time.run()

    expect(await eleventh).toBe(11_002)
  })

  it('of a request that nothing is reported of never ends by itself', async () => {
    const { time, throttle } = start()
    await ten(throttle)
    void throttle.acquire({ attemptTimeoutMs: 100 })

    await time.run(3_600_000)

    expect(throttle.stats).toMatchObject({ held: 10, inFlight: 10, waiting: 1 })
  })

  it('of a request that was given up is held as much longer as the process stood still meanwhile', async () => {
    const { time, throttle } = start({}, (due) => (due > 4000 && due < 29_000 ? 29_000 : due))
    await ten(throttle, { kind: 'aborted' })
    const eleventh = throttle.acquire().then(() => time.now())

    await time.run()

    expect(await eleventh).toBe(29_000 + 6000 + 1002)
  })

  it('comes free once, however often its permit is released', async () => {
    const { throttle } = start()
    const [permit] = await ten(throttle)

    permit?.release({ kind: 'notSent' })
    permit?.release({ kind: 'notSent' })
    permit?.release(ok)

    expect(throttle.stats).toMatchObject({ held: 9, inFlight: 9, acquired: 10 })
  })

  it('is not reused early when a timer fires early', async () => {
    const { time, throttle } = start({}, (due) => due - 0.9)
    const sent: number[] = []
    for (let i = 0; i < 11; i++) void send(time, throttle, sent)

    await time.run()

    expect(sent[10]).toBeGreaterThanOrEqual(1102)
    expect(sent[10]).toBeLessThan(1103)
  })

  it.each([
    ['5', { requestsPerSecond: 5 }, 5, 1002],
    ['25', { requestsPerSecond: 25 }, 25, 1002],
    ['2.5: two', { requestsPerSecond: 2.5 }, 2, 1002],
    ['0.5: one in two seconds', { requestsPerSecond: 0.5 }, 1, 2002],
    ['10 with a margin of 5 ms', { marginMs: 5 }, 10, 1005],
    ['10 shared by four', { share: { of: 4 } }, 2, 1002],
    ['10 shared by four, the first of them', { share: { of: 4, index: 0 } }, 3, 1002],
    ['10 shared by four, the third of them', { share: { of: 4, index: 2 } }, 2, 1002],
    ['10 shared by four, the last of them', { share: { of: 4, index: 3 } }, 2, 1002],
    ['10 shared by ten', { share: { of: 10 } }, 1, 1002],
  ])('is one of as many as the rate allows: %s', async (_name, options, burst, next) => {
    const sent = await sendMany(burst + 1, options, { roundTripMs: 0 })

    expect(sent).toEqual([...Array(burst).fill(0), next])
  })
})

describe('the queue of a throttle', () => {
  it('grants four permits to interactive calls for each one to background work while both wait', async () => {
    const { time, throttle } = start()
    await ten(throttle, ok)
    const order: string[] = []
    const wait = async (priority: 'interactive' | 'background') => {
      const permit = await throttle.acquire({ priority })
      order.push(priority === 'interactive' ? 'i' : 'b')
      permit.release(ok)
    }
    for (let i = 0; i < 4; i++) void wait('background')
    for (let i = 0; i < 10; i++) void wait('interactive')

    await time.run()

    expect(order.join('')).toBe('iiiibiiiibiibb')
  })

  it('rejects a waiting call at once when its signal aborts, and keeps nothing of it', async () => {
    const { time, throttle } = start()
    await ten(throttle, ok)
    const controller = new AbortController()
    const reason = new Error('not needed any more')
    const waiting = throttle.acquire({ signal: controller.signal })

    controller.abort(reason)

    await expect(waiting).rejects.toBe(reason)
    expect(throttle.stats.waiting).toBe(0)
    expect(time.timers).toBe(0)
  })

  it('keeps the order of the other calls when one in the middle is aborted', async () => {
    const { time, throttle } = start()
    await ten(throttle, ok)
    const controller = new AbortController()
    const order: number[] = []
    const calls = [1, 2, 3, 4].map(async (n) => {
      await throttle.acquire({ signal: n === 2 || n === 4 ? controller.signal : undefined })
      order.push(n)
    })
    controller.abort()

    const ends = Promise.allSettled(calls)
    await time.run()

    expect(order).toEqual([1, 3])
    expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
  })

  it('goes on with interactive calls when the background call whose turn it is was aborted', async () => {
    const throttle = createThrottle({ clock: createVirtualTime().clock })
    const permits = await ten(throttle)
    const controller = new AbortController()
    void throttle.acquire({ priority: 'background', signal: controller.signal }).catch(() => {})
    const calls = Array.from({ length: 5 }, () => throttle.acquire())
    for (const permit of permits.slice(0, 4)) permit.release({ kind: 'notSent' })
    controller.abort()
    permits[4]?.release({ kind: 'notSent' })

    expect(await Promise.all(calls)).toHaveLength(5)
  })

  it('rejects a call whose signal is aborted already, although slots are free', async () => {
    const throttle = createThrottle()

    const call = throttle.acquire({ signal: AbortSignal.abort('too late') })

    await expect(call).rejects.toBe('too late')
    expect(throttle.stats.acquired).toBe(0)
  })

  it('rejects an interactive call when maxQueue of them wait already, background work does not count', async () => {
    const { throttle } = start({ maxQueue: 2 })
    await ten(throttle)
    for (let i = 0; i < 5; i++) void throttle.acquire({ priority: 'background' })
    void throttle.acquire()
    void throttle.acquire()

    const call = throttle.acquire()

    await expect(call).rejects.toMatchObject({
      name: 'ThrottleError',
      code: 'queue_full',
      message: '2 calls wait: start fewer at once, or raise maxQueue in every client',
    })
  })

  it('keeps no timer and no listener once the last call has its permit, however early that came', async () => {
    const { time, throttle } = start()
    const [first] = await ten(throttle)
    const { signal } = new AbortController()
    const eleventh = throttle.acquire({ signal })

    first?.release({ kind: 'notSent' })
    await eleventh

    expect(time.timers).toBe(0)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('a slot kept for interactive calls', () => {
  /** Nine slots are held by background requests for a second; an interactive call came `ago` milliseconds before. */
  const backgroundAfterInteractive = async (pauseMs: number) => {
    const { time, throttle } = start()
    await time.run(100_000)
    const first = await throttle.acquire()
    first.release({ kind: 'notSent' })
    const ago = time.now() + pauseMs
    await time.run(ago)
    const background = Array.from({ length: 10 }, async () => {
      const permit = await throttle.acquire({ priority: 'background' })
      permit.release(ok)
      return time.now()
    })
    await time.run(ago)
    const interactive = throttle.acquire().then(() => time.now() - ago)
    await time.run()
    return { background: (await Promise.all(background)).map((at) => at - ago), interactive: await interactive }
  }

  it.each([
    [4999, 0, [...Array(9).fill(0), 1002]],
    [5000, 1002, Array(10).fill(0)],
  ])('is free beside a background pagination for 5 seconds after a call: %d ms', async (ago, waits, others) => {
    const { background, interactive } = await backgroundAfterInteractive(ago)

    expect(interactive).toBe(waits)
    expect(background).toEqual(others)
  })

  it('is given to background work when no interactive call ever came', async () => {
    const { time, throttle } = start()
    for (let i = 0; i < 11; i++) void throttle.acquire({ priority: 'background' })

    await time.run(1)

    expect(throttle.stats).toMatchObject({ acquired: 10, waiting: 1 })
  })

  it('is given to background work whose turn it is while interactive calls wait', async () => {
    const { time, throttle } = start()
    const permits = await ten(throttle)
    permits.forEach((permit, i) => time.at(10 * i, () => permit.release(ok)))
    const granted: string[] = []
    const wait = async (priority: 'interactive' | 'background') => {
      await throttle.acquire({ priority })
      granted.push(`${priority.charAt(0)}${time.now()}`)
    }
    void wait('background')
    for (let i = 0; i < 6; i++) void wait('interactive')

    await time.run(2000)

    expect(granted).toEqual(['i1002', 'i1012', 'i1022', 'i1032', 'b1042', 'i1052', 'i1062'])
  })

  it('does not exist where there is one slot only', async () => {
    const { time, throttle } = start({ requestsPerSecond: 1 })
    const first = await throttle.acquire()
    first.release(ok)
    const next = throttle.acquire({ priority: 'background' }).then(() => time.now())

    await time.run()

    expect(await next).toBe(1002)
  })
})

describe('a pause', () => {
  it('holds every call for the time of pause(ms)', async () => {
    const { time, throttle } = start()
    const sent: number[] = []
    throttle.pause(700)
    throttle.pause(300)
    void send(time, throttle, sent)
    void send(time, throttle, sent)

    await time.run()

    expect(sent).toEqual([700, 700])
  })

  it.each([
    [429, 4000, 4100],
    [429, undefined, 1102],
    [503, 4000, 4100],
    [500, 4000, 100],
    [200, 4000, 100],
    [503, Number.NaN, 100],
    [503, Infinity, 100],
    [503, -1, 100],
    [503, undefined, 100],
  ])(
    'follows a %d with a Retry-After of %d ms: the next request is sent at %d ms',
    async (status, retryAfterMs, expected) => {
      const { time, throttle } = start()
      const permit = await throttle.acquire()
      const sent: number[] = []
      time.at(100, () => {
        permit.release({ kind: 'completed', status, retryAfterMs })
        void send(time, throttle, sent)
      })

      await time.run()

      expect(sent).toEqual([expected])
    },
  )

  it.each([[Number.NaN], [-1], [Infinity], ['5' as unknown as number]])('cannot last %j milliseconds', (ms) => {
    expect(() => createThrottle().pause(ms)).toThrow('`pause` must be a number of milliseconds ≥ 0, got ')
  })

  it('may be longer than a timer can be set for', async () => {
    const { time, throttle } = start()
    const sent: number[] = []
    throttle.pause(3_000_000_000)
    void send(time, throttle, sent)

    await time.run()

    expect(sent).toEqual([3_000_000_000])
  })
})

describe('reset', () => {
  it('makes the 429s of requests that were sent before mean nothing', async () => {
    const { throttle } = start()
    const [first, second] = await ten(throttle)
    first?.release({ kind: 'completed', status: 429 })

    throttle.reset()
    second?.release({ kind: 'completed', status: 429 })

    expect(throttle.stats).toMatchObject({ pace: 'arrival', rateLimited: 2 })
  })

  it('ends a pause and returns to the first pace, but frees no slot', async () => {
    const time = createVirtualTime()
    const changes: unknown[] = []
    const throttle = createThrottle({ clock: time.clock, onPaceChange: (change) => changes.push(change) })
    await ten(throttle, { kind: 'completed', status: 429, retryAfterMs: 60_000 })
    const next = throttle.acquire().then(() => time.now())

    throttle.reset()
    await time.run()

    expect(await next).toBe(1002)
    expect(changes).toEqual([
      { from: 'arrival', to: 'spaced', reason: 'rate-limited' },
      { from: 'spaced', to: 'arrival', reason: 'reset' },
    ])
  })
})

describe('estimateMs', () => {
  it('is 0 where a call would be sent at once, whatever is in flight', async () => {
    const { time, throttle } = start({ maxQueue: 0 })
    await time.run(5000)
    for (let i = 0; i < 5; i++) void send(time, throttle, [])
    await time.run(7000)
    void send(time, throttle, [], { roundTripMs: 900 })
    await time.run(9000)
    for (let i = 0; i < 9; i++) void send(time, throttle, [])
    await time.run(9001)

    expect(throttle.estimateMs()).toBe(0)
    expect(throttle.estimateMs({ priority: 'background' })).toBe(199 + 1002) // an eighth of the way from 100 to 900 ms
  })

  it.each([
    [0, 4 * 1102 - 1150],
    [1, 4360],
    [2, 7940],
  ])('is what a call waits behind requests that take as long as those before, after %d 429s', async (times, ms) => {
    const { time, throttle } = start()
    for (let i = 0; i < times; i++) {
      await time.run(2000 * (i + 1))
      const permit = await throttle.acquire()
      permit.release({ kind: 'completed', status: 429 })
    }
    await time.run(10_000)
    for (let i = 0; i < 45; i++) void send(time, throttle, [])
    await time.run(11_150)

    const estimated = throttle.estimateMs()
    const waited = throttle.acquire().then(() => time.now() - 11_150)
    await time.run()

    expect([estimated, await waited]).toEqual([ms, ms])
  })

  it('counts a pause, the pace, and the calls that go first', async () => {
    const { throttle } = start()
    const permit = await throttle.acquire()
    permit.release({ kind: 'completed', status: 429, retryAfterMs: 3000 })
    for (let i = 0; i < 3; i++) void throttle.acquire()
    for (let i = 0; i < 3; i++) void throttle.acquire({ priority: 'background' })

    expect(throttle.estimateMs()).toBe(3000 + 3 * 112)
    expect(throttle.estimateMs({ priority: 'background' })).toBe(3000 + 6 * 112)
  })

  it('counts the full ten seconds for requests that were given up, and changes nothing', async () => {
    const { time, throttle } = start()
    const permits = await ten(throttle, { kind: 'aborted' })
    await time.run(400)

    expect(throttle.estimateMs()).toBe(10_602)
    expect(throttle.stats).toMatchObject({ held: 10, waiting: 0 })
    permits[5]?.release(ok)
    expect(throttle.estimateMs()).toBe(1002)
  })
})

describe('stats', () => {
  it('count waiting calls and held slots, and show how long a pause lasts', async () => {
    const { time, throttle } = start()
    await time.run(700)
    const [first] = await ten(throttle)
    first?.release({ kind: 'completed', status: 503, retryAfterMs: 2000 })
    void throttle.acquire()

    expect(throttle.stats).toEqual({
      waiting: 1,
      held: 10,
      inFlight: 9,
      givenUp: 0,
      acquired: 10,
      rateLimited: 0,
      pausedForMs: 2000,
      pace: 'arrival',
      requestsPerSecond: 10,
    })
  })
})

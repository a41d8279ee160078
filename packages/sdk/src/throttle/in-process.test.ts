import { inspect } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { createThrottle } from './index.ts'
import type { Outcome, Permit, Throttle } from './throttle.ts'
import { createVirtualTime, type VirtualTime } from './testing/virtual-time.ts'

const ok: Outcome = { kind: 'answered', status: 200 }

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
  options: Parameters<typeof createThrottle>[0] = {},
  request: { roundTripMs?: number; outcome?: Outcome } = {},
): Promise<number[]> => {
  const time = createVirtualTime()
  const throttle = createThrottle({ clock: time.clock, ...options })
  const sent: number[] = []
  for (let i = 0; i < count; i++) void send(time, throttle, sent, request)
  await time.run()
  return sent
}

/** Takes all ten slots at once, none of them answered yet. */
const tenUnderWay = async (throttle: Throttle): Promise<Permit[]> =>
  Promise.all(Array.from({ length: 10 }, () => throttle.acquire()))

describe('rule R', () => {
  it('lets ten go at once and the next ten a second and two milliseconds after the replies', async () => {
    const sent = await sendMany(30)

    expect(sent).toEqual([...Array(10).fill(0), ...Array(10).fill(1102), ...Array(10).fill(2204)])
  })

  it('holds a slot as long as its reply is out', async () => {
    const sent = await sendMany(11, {}, { roundTripMs: 7000 })

    expect(sent[10]).toBe(8002)
  })

  it('holds the slot of a failed request for a second after the failure', async () => {
    const sent = await sendMany(11, {}, { roundTripMs: 300, outcome: { kind: 'failed' } })

    expect(sent[10]).toBe(1302)
  })

  it('holds the slot of an abandoned request for as long as it may still arrive, and a second', async () => {
    const sent = await sendMany(11, {}, { roundTripMs: 300, outcome: { kind: 'abandoned', mayArriveForMs: 5000 } })

    expect(sent[10]).toBe(6302)
  })

  it.each([Number.NaN, -1, Infinity])('takes %d ms of an abandoned request for ten seconds', async (mayArriveForMs) => {
    const sent = await sendMany(11, {}, { roundTripMs: 0, outcome: { kind: 'abandoned', mayArriveForMs } })

    expect(sent[10]).toBe(11_002)
  })

  it('frees at once the slot of a request that was not sent', async () => {
    const sent = await sendMany(11, {}, { roundTripMs: 50, outcome: { kind: 'unsent' } })

    expect(sent[10]).toBe(50)
  })

  it('frees a slot once, however often its permit is released', async () => {
    const time = createVirtualTime()
    const throttle = createThrottle({ clock: time.clock })
    const [permit] = await tenUnderWay(throttle)

    permit?.release({ kind: 'unsent' })
    permit?.release({ kind: 'unsent' })
    permit?.release(ok)

    expect(throttle.stats).toMatchObject({ held: 9, underWay: 9, acquired: 10 })
  })

  it('reads the clock again when a timer fires early', async () => {
    const time = createVirtualTime((due) => due - 0.9)
    const throttle = createThrottle({ clock: time.clock })
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
    ['10 shared by four, the last of them', { share: { of: 4, index: 3 } }, 2, 1002],
    ['10 shared by ten', { share: { of: 10 } }, 1, 1002],
  ])('sends at a rate of %s', async (_name, options, burst, next) => {
    const sent = await sendMany(burst + 1, options, { roundTripMs: 0 })

    expect(sent).toEqual([...Array(burst).fill(0), next])
  })
})

describe('the queue', () => {
  it('lets four interactive calls go before each one of the background while both wait', async () => {
    const time = createVirtualTime()
    const throttle = createThrottle({ clock: time.clock })
    for (const permit of await tenUnderWay(throttle)) permit.release(ok)
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

  it('lets a waiting call leave at once when its signal aborts, and keeps nothing of it', async () => {
    const time = createVirtualTime()
    const throttle = createThrottle({ clock: time.clock })
    const permits = await tenUnderWay(throttle)
    for (const permit of permits) permit.release(ok)
    const controller = new AbortController()
    const reason = new Error('not needed any more')
    const waiting = throttle.acquire({ signal: controller.signal, timeoutMs: 60_000 })

    controller.abort(reason)

    await expect(waiting).rejects.toBe(reason)
    expect(throttle.stats.waiting).toBe(0)
    expect(time.timers).toBe(0)
  })

  it('keeps the order of the calls that stay when one in the middle leaves', async () => {
    const time = createVirtualTime()
    const throttle = createThrottle({ clock: time.clock })
    for (const permit of await tenUnderWay(throttle)) permit.release(ok)
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

  it('refuses a call whose signal is aborted already, with slots to spare', async () => {
    const throttle = createThrottle()

    const call = throttle.acquire({ signal: AbortSignal.abort('too late') })

    await expect(call).rejects.toBe('too late')
    expect(throttle.stats.acquired).toBe(0)
  })

  it('adds one listener to a signal however many calls wait with it, and takes it off when the last has gone', async () => {
    const time = createVirtualTime()
    const throttle = createThrottle({ clock: time.clock })
    const { signal } = new AbortController()
    const add = vi.spyOn(signal, 'addEventListener')
    const remove = vi.spyOn(signal, 'removeEventListener')

    const calls = Array.from({ length: 50 }, async () => (await throttle.acquire({ signal })).release(ok))
    const beforeAnyLeft = remove.mock.calls.length
    await time.run()
    await Promise.all(calls)

    expect(add).toHaveBeenCalledOnce()
    expect(beforeAnyLeft).toBe(0)
    expect(remove).toHaveBeenCalledOnce()
  })

  it('refuses a call when maxQueue calls wait already', async () => {
    const time = createVirtualTime()
    const throttle = createThrottle({ clock: time.clock, maxQueue: 2 })
    await tenUnderWay(throttle)
    void throttle.acquire()
    void throttle.acquire()

    const call = throttle.acquire()

    await expect(call).rejects.toMatchObject({
      name: 'ThrottleError',
      code: 'queue_full',
      message: '2 calls wait for the throttle already: start fewer at once, or raise maxQueue',
    })
  })

  it('ends a call that waited longer than its timeoutMs, early timers or not', async () => {
    const time = createVirtualTime((due) => due - 0.5)
    const throttle = createThrottle({ clock: time.clock })
    await tenUnderWay(throttle)
    const call = throttle.acquire({ timeoutMs: 250 }).catch((error: unknown) => ({ error, at: time.now() }))

    await time.run()

    expect(await call).toMatchObject({
      at: 250,
      error: {
        code: 'timeout',
        timeoutMs: 250,
        message:
          'No slot of the throttle came free within 250 ms, nothing was sent: raise timeoutMs or start fewer calls at once',
      },
    })
    expect(throttle.stats.waiting).toBe(0)
  })

  it('ends a call at once that cannot be served within its timeoutMs because of a pause', async () => {
    const time = createVirtualTime()
    const throttle = createThrottle({ clock: time.clock })
    throttle.pause(5000)

    await expect(throttle.acquire({ timeoutMs: 4999 })).rejects.toMatchObject({ code: 'timeout' })

    expect(time.now()).toBe(0)
  })
})

describe('pauses', () => {
  it('holds everyone for the time of pause(ms)', async () => {
    const time = createVirtualTime()
    const throttle = createThrottle({ clock: time.clock })
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
    [503, 4000, 4100],
    [500, 4000, 100],
    [200, 4000, 100],
    [503, Number.NaN, 100],
    [503, Infinity, 100],
    [503, -1, 100],
    [503, undefined, 100],
  ])(
    'after a %d with a Retry-After of %d ms, the next request goes at %d ms',
    async (status, retryAfterMs, expected) => {
      const time = createVirtualTime()
      const throttle = createThrottle({ clock: time.clock })
      const permit = await throttle.acquire()
      const sent: number[] = []
      time.at(100, () => {
        permit.release({ kind: 'answered', status, retryAfterMs })
        void send(time, throttle, sent)
      })

      await time.run()

      expect(sent).toEqual([expected])
    },
  )

  it.each([[Number.NaN], [-1], [Infinity], ['5' as unknown as number]])('refuses pause(%j)', (ms) => {
    expect(() => createThrottle().pause(ms)).toThrow('pause must be a number of milliseconds of at least 0; got ')
  })

  it('waits out a pause longer than a timer can be set for', async () => {
    const time = createVirtualTime()
    const throttle = createThrottle({ clock: time.clock })
    const sent: number[] = []
    throttle.pause(3_000_000_000)
    void send(time, throttle, sent)

    await time.run()

    expect(sent).toEqual([3_000_000_000])
  })
})

describe('figures', () => {
  it('tells who waits, what is held and for how long it is paused', async () => {
    const time = createVirtualTime()
    const throttle = createThrottle({ clock: time.clock })
    const [first] = await tenUnderWay(throttle)
    first?.release({ kind: 'answered', status: 503, retryAfterMs: 2000 })
    void throttle.acquire()

    expect(throttle.stats).toEqual({
      waiting: 1,
      held: 10,
      underWay: 9,
      acquired: 10,
      refused: 0,
      lost: 0,
      pausedForMs: 2000,
      pace: 'arrival',
    })
  })

  it('shows itself by its figures, in JSON and to console.log', () => {
    const throttle = createThrottle()
    const figures =
      '"waiting":0,"held":0,"underWay":0,"acquired":0,"refused":0,"lost":0,"pausedForMs":0,"pace":"arrival"'

    expect(JSON.stringify(throttle)).toBe(`{${figures}}`)
    expect(inspect(throttle)).toMatch(/^Throttle \{\s+waiting: 0,/)
  })
})

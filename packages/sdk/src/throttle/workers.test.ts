/** The throttle on Cloudflare Workers, where a timer dies with the request that set it, and no request can clear another's. */
import { createVirtualTime } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => {
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
  vi.resetModules() // the runtime is looked at once
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const setUp = async () => {
  const { createThrottle } = await import('./index.ts')
  const time = createVirtualTime()
  let ends = false
  const setTimeout: typeof time.clock.setTimeout = (callback, ms) => (ends ? {} : time.clock.setTimeout(callback, ms))
  const throttle = createThrottle({ clock: { ...time.clock, setTimeout, clearTimeout: () => {} } })
  /** A call whose event ends at once: its timers do not fire, and its promises do not go on. */
  const callAndEnd = () => {
    ends = true
    vi.stubGlobal('Promise', Unsettled)
    void throttle.acquire()
    vi.stubGlobal('Promise', RealPromise)
    ends = false
  }
  return { time, throttle, callAndEnd }
}

const RealPromise = Promise

class Unsettled<T> extends RealPromise<T> {
  constructor(run: (resolve: () => void, reject: () => void) => void) {
    super(() => {})
    run(
      () => {},
      () => {},
    )
  }
}

it('lets calls pass that check by themselves, ten in a second', async () => {
  const { time, throttle } = await setUp()
  const sent: number[] = []
  const send = async () => {
    const permit = await throttle.acquire()
    sent.push(time.now())
    permit.release({ kind: 'completed', status: 200 })
  }
  for (let i = 0; i < 30; i++) void send()

  await time.run()

  expect(sent).toHaveLength(30)
  for (const [n, second] of [0, 1, 2].entries()) {
    const ten = sent.slice(10 * n, 10 * n + 10)
    expect(Math.min(...ten)).toBeGreaterThanOrEqual(1002 * second)
    expect(Math.max(...ten)).toBeLessThanOrEqual(1052 * second) // they check every 50 ms
  }
})

it('does not count a call twice whose time limit passes after it has got its permit', async () => {
  const { time, throttle } = await setUp()
  const held = await Promise.all(Array.from({ length: 10 }, () => throttle.acquire()))
  const waiting = throttle.acquire({ timeoutMs: 5000 })
  for (const permit of held) permit.release({ kind: 'notSent' })

  await time.run(10_000)

  await expect(waiting).resolves.toBeDefined()
  expect(throttle.stats).toMatchObject({ waiting: 0, inFlight: 1 })
})

it('rejects a call whose signal fires while it waits', async () => {
  const { time, throttle } = await setUp()
  await Promise.all(Array.from({ length: 10 }, () => throttle.acquire()))
  const controller = new AbortController()
  const waiting = throttle.acquire({ signal: controller.signal })
  time.at(120, () => controller.abort('enough'))
  const outcome = waiting.catch((reason: unknown) => reason)

  await time.run(1000)

  expect(await outcome).toBe('enough')
  expect(throttle.stats.waiting).toBe(0)
})

it('lets a call pass within half a second after 100 calls whose events ended', async () => {
  const { time, throttle, callAndEnd } = await setUp()
  throttle.pause(3000)
  for (let i = 0; i < 100; i++) callAndEnd()
  let passedAt = 0
  await time.run(2900)

  void throttle.acquire().then(() => (passedAt = time.now()))
  await time.run(20_000)

  expect(passedAt).toBeGreaterThanOrEqual(3000)
  expect(passedAt).toBeLessThanOrEqual(3500)
})

it('lets calls pass while the events of 40 others end in each second', async () => {
  const { time, throttle, callAndEnd } = await setUp()
  let passed = 0
  const call = async () => {
    const permit = await throttle.acquire()
    passed++
    permit.release({ kind: 'completed', status: 200 })
  }
  for (let i = 0; i < 20; i++) void call()
  for (let at = 0; at < 10_000; at += 100) time.at(at, () => void call())
  for (let at = 0; at < 10_000; at += 25) time.at(at, callAndEnd)

  await time.run(10_000)

  expect(passed).toBeGreaterThan(80)
})

it('hands a permit to another call if the first is held up, and lets the first wait again', async () => {
  const { createThrottle } = await import('./index.ts')
  let now = 0
  const timers: (() => void)[] = []
  const clock = { now: () => now, setTimeout: (fire: () => void) => timers.push(fire), clearTimeout: () => {} }
  const throttle = createThrottle({ clock })
  const held = await Promise.all(Array.from({ length: 10 }, () => throttle.acquire()))
  const got: string[] = []
  const wait = (name: string) => void throttle.acquire({ timeoutMs: Infinity }).then(() => got.push(name))
  wait('first')
  wait('second')
  const [first, second] = timers.splice(-2)
  held[0]?.release({ kind: 'notSent' })

  first?.() // it is granted the free slot here, and runs on only after the second
  now = 600
  second?.()
  await new Promise((resolve) => setImmediate(resolve))

  expect(got).toEqual(['second'])
  expect(throttle.stats).toMatchObject({ inFlight: 10, waiting: 1 })
})

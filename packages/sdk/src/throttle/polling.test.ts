/** The throttle on Cloudflare Workers, where a timer dies with the request that set it, and no request can clear another's. */
import { createVirtualTime } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ThrottleOptions } from './index.ts'

beforeEach(() => {
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
  vi.resetModules() // the runtime is looked at once
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const setUp = async (options: ThrottleOptions = {}) => {
  const { createThrottle } = await import('./index.ts')
  const time = createVirtualTime()
  let ends = false
  const setTimeout: typeof time.clock.setTimeout = (callback, ms) => (ends ? {} : time.clock.setTimeout(callback, ms))
  const throttle = createThrottle({ clock: { ...time.clock, setTimeout, clearTimeout: () => {} }, ...options })
  /** A call whose event ends at once: its timers do not fire, and its promises do not go on. */
  const callAndEnd = (call = (): void => void throttle.acquire()) => {
    ends = true
    vi.stubGlobal('Promise', Unsettled)
    call()
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
  for (let at = 0; at < 10_000; at += 25) time.at(at, () => callAndEnd())

  await time.run(10_000)

  expect(passed).toBeGreaterThan(80)
})

it.each([
  [500, 11_502],
  [Infinity, 21_002],
  [-1, 21_002],
])('ends a slot by itself, 11 s after a limit of %d ms: at %d ms', async (attemptTimeoutMs, endsAt) => {
  const { time, throttle } = await setUp()
  for (let i = 0; i < 10; i++) await throttle.acquire({ attemptTimeoutMs })
  let passedAt = 0
  void throttle.acquire().then(() => (passedAt = time.now()))

  await time.run(30_000)

  expect(passedAt).toBeGreaterThanOrEqual(endsAt)
  expect(passedAt).toBeLessThanOrEqual(endsAt + 50)
})

it('ends the slot of a request that was given up by the clock, or a second after its response', async () => {
  const { time, throttle, callAndEnd } = await setUp()
  const permits = await Promise.all(Array.from({ length: 10 }, () => throttle.acquire()))
  callAndEnd(() => permits.forEach((permit) => permit.release({ kind: 'aborted' })))
  permits[0]?.release({ kind: 'completed', status: 200 })
  const passed: number[] = []
  for (let i = 0; i < 2; i++) void throttle.acquire().then(() => passed.push(time.now()))

  await time.run(20_000)

  expect(passed.map((at) => Math.floor(at / 100) * 100)).toEqual([1000, 11_000])
})

it('rejects a call that finds the queue full of calls that live', async () => {
  const { throttle } = await setUp({ maxQueue: 1 })
  await Promise.all(Array.from({ length: 9 }, () => throttle.acquire()))
  void throttle.acquire({ priority: 'background' })
  await throttle.acquire() // background work leaves it a slot
  void throttle.acquire()

  await expect(throttle.acquire()).rejects.toMatchObject({ code: 'queue_full' })
  expect(throttle.stats.waiting).toBe(2)
})

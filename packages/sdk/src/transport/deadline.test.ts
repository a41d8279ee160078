import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { deadline, sleep } from './deadline.ts'

const never = () => new Promise<never>(() => {})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('fires with its own error when its time is over, and rejects the race', async () => {
  const limit = deadline(undefined, 50, () => new Error('late'))
  const race = limit.race(never()).catch((error: unknown) => error)

  await vi.advanceTimersByTimeAsync(49)
  expect(limit.fired).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)

  expect(limit.fired?.reason).toHaveProperty('message', 'late')
  expect(await race).toBe(limit.fired?.reason)
})

it('fires with the reason of the outer signal', async () => {
  const outer = new AbortController()
  const limit = deadline(outer.signal, undefined, Error)
  const race = limit.race(never()).catch((error: unknown) => error)

  outer.abort('enough')

  expect(await race).toBe('enough')
  expect(limit.fired?.reason).toBe('enough')
})

it('rejects a race at once if the outer signal has fired before', async () => {
  await expect(deadline(AbortSignal.abort('no'), 50, Error).race(never())).rejects.toBe('no')
})

it('resolves a race with the result of the work', async () => {
  expect(await deadline(undefined, 50, Error).race(Promise.resolve(7))).toBe(7)
})

it('leaves no timer and no listener once it is ended', () => {
  const outer = new AbortController()

  deadline(outer.signal, 50, Error).end()

  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(outer.signal, 'abort')).toEqual([])
})

it('sleeps for the given time', async () => {
  const sleeping = sleep(50, undefined).then(() => 'awake')

  await vi.advanceTimersByTimeAsync(49)
  expect(await Promise.race([sleeping, Promise.resolve('asleep')])).toBe('asleep')
  await vi.advanceTimersByTimeAsync(1)

  expect(await sleeping).toBe('awake')
})

it('ends a sleep with the reason of its signal, and leaves no timer', async () => {
  const stop = new AbortController()
  const sleeping = sleep(50, stop.signal)

  stop.abort('enough')

  await expect(sleeping).rejects.toBe('enough')
  expect(vi.getTimerCount()).toBe(0)
})

/** Blocks the event loop, as a process that is suspended does. */
const block = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

it('uses a result that came while the event loop stood still, although the time is over', async () => {
  vi.useRealTimers()
  const limit = deadline(undefined, 20, () => new Error('late'))
  const race = limit.race(new Promise((resolve) => setTimeout(resolve, 30, 'seen')))

  block(600)

  expect(await race).toBe('seen')
  limit.end()
})

it('fires soon after a standstill if nothing came', async () => {
  vi.useRealTimers()
  const limit = deadline(undefined, 20, () => new Error('late'))
  const race = limit.race(never())

  block(600)

  await expect(race).rejects.toThrow('late')
})

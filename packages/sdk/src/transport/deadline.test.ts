import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deadline, sleep, type Deadline } from './deadline.ts'

const never = () => new Promise<never>(() => {})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('rejects a race at once if the outer signal has fired before', async () => {
  await expect(deadline(AbortSignal.abort('no'), 50, Error).race(never())).rejects.toBe('no')
})

it('sleeps for the given time, and leaves no listener', async () => {
  const { signal } = new AbortController()
  const sleeping = sleep(50, signal).then(() => 'awake')

  await vi.advanceTimersByTimeAsync(49)
  expect(await Promise.race([sleeping, Promise.resolve('asleep')])).toBe('asleep')
  await vi.advanceTimersByTimeAsync(1)

  expect(await sleeping).toBe('awake')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it.each([
  ['at once where its timer is 500 ms late', 500, 0],
  ['100 ms later where its timer is over 500 ms late, which is a standstill', 501, 100],
])('fires %s', async (_, lateMs, graceMs) => {
  const limit = deadline(undefined, 20, () => new Error('late'))
  limit.race(never()).catch(() => {})
  const now = performance.now() + 20 + lateMs
  vi.spyOn(performance, 'now').mockReturnValue(now)

  await vi.advanceTimersByTimeAsync(19 + graceMs)
  expect(limit.fired).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)

  expect(limit.fired?.reason).toHaveProperty('message', 'late')
})

it('leaves no timer where it is ended in the time after a standstill', async () => {
  const limit = deadline(undefined, 20, Error)
  const now = performance.now() + 1000
  vi.spyOn(performance, 'now').mockReturnValue(now)
  await vi.advanceTimersByTimeAsync(20)
  expect(vi.getTimerCount()).toBe(1)

  limit.end()

  expect(vi.getTimerCount()).toBe(0)
})

it('keeps the reason for which it fired first', async () => {
  const outer = new AbortController()
  const limit = deadline(outer.signal, 50, () => new Error('late'))
  await vi.advanceTimersByTimeAsync(50)

  outer.abort('enough')

  expect(limit.fired?.reason).toHaveProperty('message', 'late')
})

describe('work within its own time', () => {
  const late = () => new Error('late')
  const within = <T>(
    outer: AbortSignal | undefined,
    work: (outside: Deadline['outside']) => Promise<T>,
  ): Promise<T> => {
    const limit = deadline(outer, 50, late)
    return limit.race(work(limit.outside)).finally(limit.end)
  }
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

  it('is not timed until all of its parts outside are over', async () => {
    const settled = vi.fn()
    void within(undefined, async (outside) => {
      void outside(() => wait(100))
      void outside(() => wait(300))
      return never()
    }).catch(settled)

    await vi.advanceTimersByTimeAsync(349)
    expect(settled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)

    expect(settled).toHaveBeenCalledWith(expect.objectContaining({ message: 'late' }))
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves no timer where a part outside ends after it', async () => {
    await within(undefined, async (outside) => void outside(() => wait(100)))

    await vi.advanceTimersByTimeAsync(100)

    expect(vi.getTimerCount()).toBe(0)
  })
})

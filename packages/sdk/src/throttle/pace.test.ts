import { describe, expect, it } from 'vitest'
import { createThrottle, type Pace, type ThrottleOptions } from './index.ts'
import { createVirtualTime } from './testing/virtual-time.ts'

/** Answers from the times of earlier arrivals whether one more may pass. */
type Limiter = (arrivals: readonly number[], now: number) => boolean

/** Weighs the window before by the part of it that a sliding second still covers. */
const slidingCounter: Limiter = (arrivals, now) => {
  const begin = Math.floor(now / 1000) * 1000
  const before = arrivals.filter((time) => time >= begin - 1000 && time < begin).length
  const current = arrivals.filter((time) => time >= begin).length
  return before * (1 - (now - begin) / 1000) + current + 1 <= 10
}

/** No burst at all, and slower than documented: 120 ms between two arrivals. */
const evenly: Limiter = (arrivals, now) => now - (arrivals.at(-1) ?? -Infinity) >= 120

const walk = async (limiter: Limiter, count: number, options: ThrottleOptions = {}, roundTripMs = 40) => {
  const time = createVirtualTime()
  const steps: { from: Pace; to: Pace }[] = []
  const throttle = createThrottle({ clock: time.clock, onStepDown: (step) => steps.push(step), ...options })
  const passed: number[] = []
  const sent: number[] = []
  const refusedAt: number[] = []
  const send = async (): Promise<void> => {
    const permit = await throttle.acquire()
    sent.push(time.now())
    const arrives = time.now() + roundTripMs / 2
    const status = limiter(passed, arrives) ? 200 : 429
    if (status === 200) passed.push(arrives)
    else refusedAt.push(time.now())
    time.at(arrives + roundTripMs / 2, () => permit.release({ kind: 'answered', status }))
  }
  for (let i = 0; i < count; i++) void send()
  await time.run()
  return { throttle, steps, sent, refusedAt }
}

describe('after a 429 that came although the promise was kept', () => {
  it('nine slots are left, 112 ms apart, and a sliding counter refuses no more', async () => {
    const { throttle, steps, refusedAt } = await walk(slidingCounter, 300, { requestsPerSecond: 10 })

    expect(steps).toEqual([{ from: 'arrival', to: 'spaced' }])
    expect(throttle.stats.pace).toBe('spaced')
    expect(Math.max(...refusedAt)).toBeLessThan(3000)
  })

  it('requests of the same burst that are refused too make no further step', async () => {
    const time = createVirtualTime()
    const throttle = createThrottle({ clock: time.clock })
    const permits = await Promise.all(Array.from({ length: 10 }, () => throttle.acquire()))

    for (const permit of permits) permit.release({ kind: 'answered', status: 429 })

    expect(throttle.stats).toMatchObject({ pace: 'spaced', refused: 10 })
  })

  it('sends are 112 ms apart, and nine slots are held at most', async () => {
    const time = createVirtualTime()
    const throttle = createThrottle({ clock: time.clock })
    const first = await throttle.acquire()
    first.release({ kind: 'answered', status: 429 })
    const sent: number[] = []
    const send = async (): Promise<void> => {
      const permit = await throttle.acquire()
      sent.push(time.now())
      time.at(time.now() + 300, () => permit.release({ kind: 'answered', status: 200 }))
    }
    for (let i = 0; i < 12; i++) void send()

    await time.run()

    expect(sent).toEqual([112, 224, 336, 448, 560, 672, 784, 896, 1008, 1414, 1526, 1638])
  })

  it('and one more after that, requests go one at a time, 102 ms after each reply', async () => {
    const { throttle, steps, sent, refusedAt } = await walk(evenly, 60)

    expect(steps).toEqual([
      { from: 'arrival', to: 'spaced' },
      { from: 'spaced', to: 'sequential' },
    ])
    expect(throttle.stats.pace).toBe('sequential')
    const later = sent.filter((time) => time > Math.max(...refusedAt)).slice(1)
    expect(new Set(later.slice(1).map((time, i) => time - (later[i] ?? 0)))).toEqual(new Set([142]))
  })

  it('adaptive becomes arrival first', async () => {
    const { steps } = await walk(slidingCounter, 100, { guarantee: 'adaptive' })

    expect(steps[0]).toEqual({ from: 'adaptive', to: 'arrival' })
  })

  it('nothing is slower than one at a time', async () => {
    const { throttle } = await walk(() => false, 20)

    expect(throttle.stats).toMatchObject({ pace: 'sequential', refused: 20 })
  })

  it.each([
    [1, 1001],
    [2, 1001],
    [5, 251],
  ])('a throttle of %d a second keeps %d ms between two', async (requestsPerSecond, apart) => {
    const time = createVirtualTime()
    const throttle = createThrottle({ clock: time.clock, requestsPerSecond, marginMs: 0 })
    const first = await throttle.acquire()
    first.release({ kind: 'answered', status: 429 })

    const permit = throttle.acquire().then(() => time.now())
    await time.run()

    expect(await permit).toBe(apart)
  })
})

import { createVirtualTime } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { createThrottle } from './index.ts'

/** Sends requests one after the other as the throttle lets them, until a time; `statusAt` says what they get. */
const sendUntil = async (endMs: number, statusAt: (ms: number, count: number) => number) => {
  const time = createVirtualTime()
  const throttle = createThrottle({ clock: time.clock })
  const sent: { readonly at: number; readonly status: number; readonly isRateLimit: unknown }[] = []
  const send = async (): Promise<void> => {
    const permit = await throttle.acquire()
    const at = time.now()
    time.at(at + 40, () => {
      const status = statusAt(at, sent.length)
      sent.push({ at, status, isRateLimit: permit.release({ kind: 'completed', status }) })
      if (time.now() < endMs) void send()
    })
  }
  for (let i = 0; i < 12; i++) void send()
  await time.run(endMs)
  return { time, throttle, sent }
}

it.each([503, 508, 509, 529])('takes a %i for a rate limit while other requests are answered', async (refusal) => {
  let lastPassedAt = -Infinity
  const { throttle, sent } = await sendUntil(20_000, (at) => {
    if (at - lastPassedAt < 100) return refusal
    lastPassedAt = at
    return 200
  })

  const limited = sent.filter(({ status }) => status !== 200)
  expect(limited.every(({ isRateLimit }) => isRateLimit === true)).toBe(true)
  expect(limited.length).toBeLessThan(25)
  expect(throttle.stats).toMatchObject({ pace: 'spaced', rateLimited: limited.length })
})

it('takes a 503 for an outage where nothing else was answered', async () => {
  const { throttle, sent } = await sendUntil(60_000, () => 503)

  expect(sent.some(({ isRateLimit }) => isRateLimit)).toBe(false)
  expect(throttle.stats).toMatchObject({ pace: 'arrival', rateLimited: 0 })
  expect(sent.length).toBeGreaterThan(500)
})

it.each([
  [{ status: 503 }, 4, true],
  [{ status: 503 }, 6, false],
  [{ status: 403, isRefusal: true }, 4, true],
  [{ status: 403, isRefusal: true }, 6, false],
  [{ status: 403 }, 4, false],
])('takes %j that comes %i s after the last answer for a rate limit: %s', async (response, seconds, isRateLimit) => {
  const time = createVirtualTime()
  const throttle = createThrottle({ clock: time.clock })
  const answered = await throttle.acquire()
  answered.release({ kind: 'completed', status: 404 })
  await time.run(seconds * 1000)

  const permit = await throttle.acquire()

  expect(permit.release({ kind: 'completed', ...response })).toBe(isRateLimit)
})

it.each([
  ['of one second', 1000],
  ['of four seconds', 4000],
  ['of a minute', 60_000],
])('is at full pace half a minute after an outage %s', async (_, lengthMs) => {
  const isAway = (at: number) => at >= 10_000 && at < 10_000 + lengthMs
  const { throttle, sent } = await sendUntil(10_000 + lengthMs + 40_000, (at) => (isAway(at) ? 503 : 200))

  expect(throttle.stats.pace).toBe('arrival')
  const after = sent.filter(({ at }) => at >= 10_000 + lengthMs && at < 10_000 + lengthMs + 10_000)
  expect(after.length).toBeGreaterThanOrEqual(70)
})

it('keeps the careful pace for ten minutes where 503s come back', async () => {
  let lastPassedAt = -Infinity
  const { sent } = await sendUntil(300_000, (at) => {
    if (at - lastPassedAt < 100) return 503
    lastPassedAt = at
    return 200
  })

  expect(sent.filter(({ at, status }) => status === 503 && at > 60_000)).toEqual([])
})

it('waits two windows after a 421, which fetch sends twice', async () => {
  const throttle = createThrottle({ clock: createVirtualTime().clock })
  const permit = await throttle.acquire()

  permit.release({ kind: 'completed', status: 421 })

  expect(throttle.stats).toMatchObject({ pausedForMs: 2004, pace: 'arrival' })
})

it.each([502, 504, 520, 522, 524])(
  'counts a request that gets a %i as given up: it may still arrive',
  async (status) => {
    const throttle = createThrottle({ clock: createVirtualTime().clock })
    const permit = await throttle.acquire()

    permit.release({ kind: 'completed', status })

    expect(throttle.stats).toMatchObject({ givenUp: 1, held: 1 })
  },
)

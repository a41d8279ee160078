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
  const clock = { ...time.clock, clearTimeout: () => {} }
  return { time, throttle: createThrottle({ clock }) }
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

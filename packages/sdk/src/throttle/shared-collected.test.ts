import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, it } from 'vitest'
import { createThrottle } from './index.ts'
import { sharedThrottle } from './shared.ts'

const origin = 'https://ledger.test'
let collectGarbage: () => void

const sharedThrottleCount = (): number => {
  const registry = Reflect.get(globalThis, Symbol.for('@guild-ledger/sdk/throttles/1')) as
    | { entries: Map<string, unknown> }
    | undefined
  return registry?.entries.size ?? 0
}

beforeAll(() => {
  setFlagsFromString('--expose-gc')
  collectGarbage = runInNewContext('gc') as () => void
})

/** Collects garbage until `done`, in at most 200 rounds. */
const collectUntil = async (done: () => boolean): Promise<void> => {
  for (let round = 0; round < 200 && !done(); round++) {
    collectGarbage()
    await setImmediate()
  }
}

describe('the throttle that clients share', () => {
  it('is less strict again once the strict client is gone', async () => {
    const client = {}
    const throttle = sharedThrottle(client, origin, 'relaxing', { requestsPerSecond: 10 })
    sharedThrottle({}, origin, 'relaxing', { requestsPerSecond: 1, maxQueue: 0 })
    const tryTwo = async () => Promise.all([throttle.acquire(), throttle.acquire()])
    let permits: unknown[] = []

    for (let round = 0; round < 200 && permits.length === 0; round++) {
      collectGarbage()
      await setImmediate()
      permits = await tryTwo().catch(() => [])
    }

    expect(permits).toHaveLength(2)
    expect(client).toEqual({})
  })

  it('is forgotten with the last of its clients: thousands of them leave nothing', { timeout: 30_000 }, async () => {
    const before = sharedThrottleCount()
    for (let i = 0; i < (process.env.CI ? 10_000 : 1000); i++) sharedThrottle({}, origin, `key ${i}`)

    await collectUntil(() => sharedThrottleCount() <= before)

    expect(sharedThrottleCount()).toBeLessThanOrEqual(before)
  })

  it('is forgotten too when a callback holds the client', async () => {
    const before = sharedThrottleCount()
    for (let i = 0; i < 100; i++) {
      const client = { changes: 0 }
      sharedThrottle(client, origin, `holding ${i}`, { onPaceChange: () => void client.changes++ })
    }

    await collectUntil(() => sharedThrottleCount() <= before)

    expect(sharedThrottleCount()).toBeLessThanOrEqual(before)
  })

  it('outlives its clients while slots are held, so that the next client finds them held', async () => {
    const permit = await (async () => sharedThrottle({}, origin, 'busy').acquire())()
    let others = sharedThrottleCount()
    sharedThrottle({}, origin, 'idle')
    await collectUntil(() => sharedThrottleCount() <= others)
    others = sharedThrottleCount()

    const throttle = sharedThrottle({}, origin, 'busy')

    expect(throttle.stats.acquired).toBe(1)
    permit.release({ kind: 'notSent' })
  })
})

describe('a permit that is never released', () => {
  it('is found by the garbage collector, counted, and holds its slot for ten seconds and one more', async () => {
    let now = 0
    const throttle = createThrottle({ clock: { now: () => now, setTimeout: () => 0, clearTimeout: () => {} } })
    await throttle.acquire()

    await collectUntil(() => throttle.stats.lost === 1)

    expect(throttle.stats).toMatchObject({ lost: 1, inFlight: 0, held: 1 })
    now = 11_001
    expect(throttle.stats.held).toBe(1)
    now = 11_002
    expect(throttle.stats.held).toBe(0)
  })
})

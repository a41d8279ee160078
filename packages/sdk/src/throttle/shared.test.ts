import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { inspect } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { createThrottle } from './index.ts'
import { sharedThrottle, sharedThrottleCount } from './shared.ts'

const origin = 'https://ledger.test'
let collectGarbage: () => void

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

describe('the throttle of an origin and a key', () => {
  it('is one for all clients of the same origin and key', () => {
    const clients = [{}, {}]

    const [one, other] = clients.map((client) => sharedThrottle(client, origin, 'same key'))

    expect(one).toBe(other)
  })

  it.each([
    ['key', origin, 'another key'],
    ['origin', 'https://other.test', 'a key'],
  ])('is another one for another %s', (_what, otherOrigin, otherKey) => {
    expect(sharedThrottle({}, origin, 'a key')).not.toBe(sharedThrottle({}, otherOrigin, otherKey))
  })

  it('is as strict as the strictest of its clients', async () => {
    const generous = sharedThrottle({}, origin, 'strict', { requestsPerSecond: 10, guarantee: 'adaptive' })
    const strict = sharedThrottle({}, origin, 'strict', { requestsPerSecond: 2, maxQueue: 0 })

    await generous.acquire()
    await generous.acquire()

    await expect(generous.acquire()).rejects.toMatchObject({ code: 'queue_full' })
    expect(strict.stats).toMatchObject({ held: 2, pace: 'arrival' })
  })

  it('does not show the key anywhere', () => {
    const throttle = sharedThrottle({}, origin, 'sk_very_secret')

    const registry: unknown = Reflect.get(globalThis, Symbol.for('@guild-ledger/sdk/throttles/1'))
    const shown = inspect([throttle, registry], { depth: 6, showHidden: true })

    expect(shown).toContain('ledger.test')
    expect(shown).not.toContain('very_secret')
  })

  it('is forgotten with the last of its clients: 10,000 of them leave nothing', async () => {
    const before = sharedThrottleCount()
    for (let i = 0; i < 10_000; i++) sharedThrottle({}, origin, `key ${i}`)

    await collectUntil(() => sharedThrottleCount() <= before)

    expect(sharedThrottleCount()).toBeLessThanOrEqual(before)
  })

  it('is forgotten too when what is to be told of a step down holds the client', async () => {
    const before = sharedThrottleCount()
    for (let i = 0; i < 100; i++) {
      const client = { steps: 0 }
      sharedThrottle(client, origin, `holding ${i}`, { onStepDown: () => void client.steps++ })
    }

    await collectUntil(() => sharedThrottleCount() <= before)

    expect(sharedThrottleCount()).toBeLessThanOrEqual(before)
  })

  it('tells each of its clients of a step down', async () => {
    const told: string[] = []
    const clients = ['one', 'other'].map((name) => ({ onStepDown: () => void told.push(name) }))
    const [throttle] = clients.map((client) => sharedThrottle(client, origin, 'stepping', client))

    const permit = await throttle?.acquire()
    permit?.release({ kind: 'answered', status: 429 })

    expect(told).toEqual(['one', 'other'])
  })

  it('outlives its clients while slots are held, so that the next client does not start anew', async () => {
    const permit = await (async () => sharedThrottle({}, origin, 'busy').acquire())()
    let others = sharedThrottleCount()
    sharedThrottle({}, origin, 'idle')
    await collectUntil(() => sharedThrottleCount() <= others)
    others = sharedThrottleCount()

    const throttle = sharedThrottle({}, origin, 'busy')

    expect(throttle.stats.acquired).toBe(1)
    permit.release({ kind: 'unsent' })
  })
})

describe('a permit that nobody releases', () => {
  it('is found by the garbage collector, counted, and holds its slot for ten seconds more and a second', async () => {
    let now = 0
    const throttle = createThrottle({ clock: { now: () => now, setTimeout: () => 0, clearTimeout: () => {} } })
    await throttle.acquire()

    await collectUntil(() => throttle.stats.lost === 1)

    expect(throttle.stats).toMatchObject({ lost: 1, underWay: 0, held: 1 })
    now = 11_001
    expect(throttle.stats.held).toBe(1)
    now = 11_002
    expect(throttle.stats.held).toBe(0)
  })
})

import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { inspect } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { createThrottle } from './index.ts'
import { sharedThrottle } from './shared.ts'

const origin = 'https://ledger.test'
let collectGarbage: () => void

const registry = () =>
  Reflect.get(globalThis, Symbol.for('@guild-ledger/sdk/throttles/1')) as { entries: Map<string, unknown> }
const sharedThrottleCount = (): number => registry().entries.size

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
  it('is the same for all clients of one origin and key', () => {
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
    const clients = [{}, {}] as const
    const fast = sharedThrottle(clients[0], origin, 'strict', { requestsPerSecond: 10, guarantee: 'adaptive' })
    const strict = sharedThrottle(clients[1], origin, 'strict', { requestsPerSecond: 2, maxQueue: 0 })

    await fast.acquire()
    await fast.acquire()

    await expect(fast.acquire()).rejects.toMatchObject({ code: 'queue_full' })
    expect(strict.stats).toMatchObject({ held: 2, pace: 'arrival' })
    expect(clients).toHaveLength(2)
  })

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

  it('is the same for a new key, unless that has another one already, which the client joins', async () => {
    const notified: string[] = []
    const client = { onPaceChange: () => void notified.push('paced') }
    const old = sharedThrottle(client, origin, 'replaced', { ...client, requestsPerSecond: 1 })
    const renamed = sharedThrottle(client, origin, 'replacement', client, { throttle: old, apiKey: 'replaced' })
    expect(renamed).toBe(old)
    expect(sharedThrottle({}, origin, 'replacement')).toBe(old)
    const permit = await old.acquire()
    permit.release({ kind: 'completed', status: 429 })
    expect(notified).toEqual(['paced'])

    const other = sharedThrottle({}, origin, 'used elsewhere')
    const joined = sharedThrottle(client, origin, 'used elsewhere', client, { throttle: old, apiKey: 'replacement' })
    expect(joined).toBe(other)
    old.reset()
    expect(notified).toEqual(['paced'])
  })

  it('remembers the last 8 keys of a client whose key is replaced again and again', () => {
    const client = {}
    const before = sharedThrottleCount()
    let previous = { throttle: sharedThrottle(client, origin, 'minted 0'), apiKey: 'minted 0' }
    for (let i = 1; i < 20; i++) {
      const apiKey = `minted ${i}`
      previous = { throttle: sharedThrottle(client, origin, apiKey, {}, previous), apiKey }
    }

    expect(sharedThrottleCount()).toBeLessThanOrEqual(before + 8)
    expect(sharedThrottle({}, origin, 'minted 12')).toBe(previous.throttle)
  })

  it('shows the key nowhere', () => {
    const throttle = sharedThrottle({}, origin, 'sk_very_secret')

    const shown = inspect([throttle, registry()], { depth: 6, showHidden: true })

    expect(shown).toContain('ledger.test')
    expect(shown).not.toContain('very_secret')
  })

  it('is forgotten with the last of its clients: 2,000 of them leave nothing', { timeout: 30_000 }, async () => {
    const before = sharedThrottleCount()
    for (let i = 0; i < 2000; i++) sharedThrottle({}, origin, `key ${i}`)

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

  it('notifies each of its clients of a pace change', async () => {
    const notified: string[] = []
    const clients = ['one', 'other'].map((name) => ({ onPaceChange: () => void notified.push(name) }))
    const [throttle] = clients.map((client) => sharedThrottle(client, origin, 'changing', client))

    const permit = await throttle?.acquire()
    permit?.release({ kind: 'completed', status: 429 })

    expect(notified).toEqual(['one', 'other'])
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

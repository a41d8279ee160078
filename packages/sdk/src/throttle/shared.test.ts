import { inspect } from 'node:util'
import { createVirtualTime, processorMs } from '@guild-ledger/test-kit'
import { describe, expect, it } from 'vitest'
import { createThrottle, type ThrottleOptions } from './index.ts'
import { sharedThrottle } from './shared.ts'
import type { Outcome, Permit } from './types.ts'

const ok: Outcome = { kind: 'completed', status: 200 }
const registry = () =>
  Reflect.get(globalThis, Symbol.for('@guild-ledger/sdk/throttles/1')) as ReadonlyMap<string, object>

let count = 0
/** Clients of one origin and key, which no other test uses. */
const setUp = (firesAt?: (due: number) => number) => {
  const time = createVirtualTime(firesAt)
  const origin = `https://ledger-${count++}.test`
  const client = (apiKey = 'a key', options: ThrottleOptions = {}) =>
    sharedThrottle(origin, () => apiKey, { clock: time.clock, ...options })
  return { time, origin, client }
}
const take = async (throttle: ReturnType<typeof sharedThrottle>, times: number): Promise<Permit[]> =>
  Promise.all(Array.from({ length: times }, () => throttle.acquire()))

describe('the throttle that clients share', () => {
  it('counts the requests of all clients of one origin and key, and of no others', async () => {
    const { time, client } = setUp()
    await take(client(), 10)

    const same = client().acquire()
    const other = client('another key').acquire()
    const elsewhere = setUp().client().acquire()

    await Promise.all([other, elsewhere])
    expect(await Promise.race([same, time.run(60_000).then(() => 'waits')])).toBe('waits')
  })

  it('is as strict as the strictest of those that have used it since it was last idle', async () => {
    const { time, client } = setUp()
    const [fast, strict] = [client(), client('a key', { requestsPerSecond: 2, maxQueue: 1 })]
    const release = (permits: readonly Permit[]) => permits.forEach((permit) => permit.release(ok))

    release(await take(fast, 5)) // nobody strict has used it yet
    void strict.acquire().then((permit) => permit.release(ok))
    await expect(fast.acquire()).rejects.toMatchObject({ code: 'queue_full' })
    await time.run(1002)
    void fast.acquire().then((permit) => permit.release(ok))
    expect(fast.stats).toMatchObject({ held: 2, requestsPerSecond: 2 })

    await time.run(2004)
    expect(await take(fast, 10)).toHaveLength(10)
  })

  it('says before its first use what it would do', () => {
    const { client } = setUp()

    expect(client('a key', { requestsPerSecond: 2 }).stats).toEqual(createThrottle({ requestsPerSecond: 2 }).stats)
  })

  it('goes along with a key that is replaced, together with the calls that wait', async () => {
    const { time, origin } = setUp()
    let apiKey = 'old'
    const throttle = sharedThrottle(origin, () => apiKey, { clock: time.clock })
    const permits = await take(throttle, 10)
    const waiting = throttle.acquire().then(() => time.now())

    apiKey = 'new'
    permits[0]?.release(ok)
    await time.run(5000)

    expect(await waiting).toBe(1002)
    expect(throttle.stats).toMatchObject({ held: 10, acquired: 11 })
  })

  it('lets a call that waits move to the throttle that another client uses with the new key', async () => {
    const { time, origin, client } = setUp()
    let apiKey = 'old'
    const throttle = sharedThrottle(origin, () => apiKey, { clock: time.clock })
    const permits = await take(throttle, 10)
    const waiting = throttle.acquire()
    await client('new').acquire()

    apiKey = 'new'
    permits[0]?.release(ok)
    await time.run(5000)

    await waiting
    expect(throttle.stats).toMatchObject({ held: 2, acquired: 2 })
    expect(client('old').stats).toMatchObject({ held: 9 })
  })

  it('remembers a 429 and the time since, whoever comes next', async () => {
    const { time, client } = setUp()
    const permit = await client().acquire()
    permit.release({ kind: 'completed', status: 429 })
    await time.run(60_000)
    for (let i = 0; i < 10; i++) await client(`other ${i}`).acquire()

    expect(client().stats.pace).toBe('spaced')
    await time.run(600_000)
    expect(client().stats.pace).toBe('arrival')
    for (let i = 0; i < 10; i++) (await client(`later ${i}`).acquire()).release({ kind: 'notSent' })
    const later = await client().acquire()
    later.release({ kind: 'completed', status: 429 })
    await time.run(1_300_000)
    expect(client().stats.pace).toBe('spaced')
  })

  it('knows the calls that wait, and the strictest, although no slot is held and the timer of a pause is late', async () => {
    const { time, client } = setUp((due) => (due > 7000 ? due + 500 : due))
    const throttle = client('a key', { requestsPerSecond: 2 })
    const permit = await throttle.acquire()
    permit.release({ kind: 'completed', status: 503, retryAfterMs: 7001 })
    void throttle.acquire()
    await time.run(5000)
    void client().acquire()
    await time.run(7100)

    expect(throttle.stats).toMatchObject({ waiting: 2, requestsPerSecond: 2 })
  })

  it('notifies the client whose request brought a change of pace', async () => {
    const { time, client } = setUp()
    const notified: unknown[] = []
    const [one, other] = ['one', 'other'].map((name) =>
      client('a key', { onPaceChange: ({ to }) => void notified.push([name, to]) }),
    )
    const permit = await one?.acquire()
    permit?.release({ kind: 'completed', status: 429, retryAfterMs: 6000 })
    void other?.acquire()
    await time.run(10_000)

    expect(notified).toEqual([['one', 'spaced']])
  })

  it('is forgotten when it is idle: a thousand keys, of which ten are in use at a time, leave few', async () => {
    const { time, client } = setUp()
    const before = registry().size
    for (let i = 0; i < 1000; i++) {
      const permit = await client(`key ${i}`).acquire({ priority: 'background' })
      permit.release(ok)
      await time.run(time.now() + 100)
    }

    expect(registry().size - before).toBeLessThan(50)
  })

  it('costs the same however many are busy', async () => {
    const { client } = setUp()
    const acquire = async (from: number) => {
      for (let i = from; i < from + 5000; i++) await client(`key ${i}`).acquire()
    }
    const first = await processorMs(() => acquire(0))

    expect(await processorMs(() => acquire(5000))).toBeLessThan(5 * first)
  })

  it('is found under a name that all versions of this package give it, which does not show the key', async () => {
    await sharedThrottle('https://ledger.test', () => 'a key whose name is known').acquire()

    expect([...registry().keys()]).toContain('https://ledger.test 736546974714075')
    expect(inspect(registry(), { depth: 6, showHidden: true })).not.toContain('whose name is known')
  })
})

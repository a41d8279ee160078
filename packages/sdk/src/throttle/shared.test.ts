import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sharedThrottle } from './shared.ts'
import type { Throttle } from './throttle.ts'

const origin = 'https://ledger.test'

const registry = () =>
  Reflect.get(globalThis, Symbol.for('@guild-ledger/sdk/throttles/1')) as {
    entries: Map<string, { throttle: Throttle }>
  }
/** How many names a throttle has; none once it is forgotten. */
const namesOf = (throttle: Throttle) =>
  [...registry().entries.values()].filter((entry) => entry.throttle === throttle).length

const kept: object[] = []
/** A client that the garbage collector leaves alone: what becomes of a throttle without clients may set a timer. */
const keptClient = (): object => {
  const client = {}
  kept.push(client)
  return client
}

describe('the throttle that clients share', () => {
  it('is the same for all clients of one origin and key', () => {
    const clients = [keptClient(), keptClient()]

    const [one, other] = clients.map((client) => sharedThrottle(client, origin, 'same key'))

    expect(one).toBe(other)
  })

  it.each([
    ['key', origin, 'another key'],
    ['origin', 'https://other.test', 'a key'],
  ])('is another one for another %s', (_what, otherOrigin, otherKey) => {
    expect(sharedThrottle(keptClient(), origin, 'a key')).not.toBe(sharedThrottle(keptClient(), otherOrigin, otherKey))
  })

  it('is as strict as the strictest of its clients', async () => {
    const clients = [keptClient(), keptClient()] as const
    const fast = sharedThrottle(clients[0], origin, 'strict', { requestsPerSecond: 10, guarantee: 'adaptive' })
    const strict = sharedThrottle(clients[1], origin, 'strict', { requestsPerSecond: 2, maxQueue: 0 })

    await fast.acquire()
    await fast.acquire()

    await expect(fast.acquire()).rejects.toMatchObject({ code: 'queue_full' })
    expect(strict.stats).toMatchObject({ held: 2, pace: 'arrival' })
    expect(clients).toHaveLength(2)
  })

  it('is the same for a new key, unless that has another one already, which the client joins', async () => {
    const notified: string[] = []
    const client = { onPaceChange: () => void notified.push('paced') }
    kept.push(client)
    const old = sharedThrottle(client, origin, 'replaced', { ...client, requestsPerSecond: 1 })
    const renamed = sharedThrottle(client, origin, 'replacement', client, { throttle: old, apiKey: 'replaced' })
    expect(renamed).toBe(old)
    expect(sharedThrottle(keptClient(), origin, 'replacement')).toBe(old)
    expect(namesOf(old)).toBe(2)
    const permit = await old.acquire()
    permit.release({ kind: 'completed', status: 429 })
    expect(notified).toEqual(['paced'])

    const other = sharedThrottle(keptClient(), origin, 'used elsewhere')
    const joined = sharedThrottle(client, origin, 'used elsewhere', client, { throttle: old, apiKey: 'replacement' })
    expect(joined).toBe(other)
    old.reset()
    expect(notified).toEqual(['paced'])
  })

  it('remembers the last 8 keys of a client whose key is replaced again and again', () => {
    const client = keptClient()
    let previous = { throttle: sharedThrottle(client, origin, 'minted 0'), apiKey: 'minted 0' }
    for (let i = 1; i < 20; i++) {
      const apiKey = `minted ${i}`
      previous = { throttle: sharedThrottle(client, origin, apiKey, {}, previous), apiKey }
    }

    expect(namesOf(previous.throttle)).toBe(8)
    expect(sharedThrottle(keptClient(), origin, 'minted 12')).toBe(previous.throttle)
    expect(sharedThrottle(keptClient(), origin, 'minted 11')).not.toBe(previous.throttle)
  })

  it('is found under a name that all versions of this package give it, which does not show the key', () => {
    sharedThrottle(keptClient(), origin, 'a key whose name is known')

    expect([...registry().entries.keys()]).toContain('https://ledger.test 1e5ucpn1i8wan6')
  })

  it('is the same in another copy of this package', async () => {
    const one = sharedThrottle(keptClient(), origin, 'used by two copies')
    vi.resetModules()
    const copy = await import('./shared.ts')

    expect(copy.sharedThrottle).not.toBe(sharedThrottle)
    expect(copy.sharedThrottle(keptClient(), origin, 'used by two copies')).toBe(one)
  })

  it('is not shared where the runtime does not say which clients are gone', () => {
    vi.stubGlobal('FinalizationRegistry', undefined)
    const one = sharedThrottle(keptClient(), origin, 'unwatched')

    expect(sharedThrottle(keptClient(), origin, 'unwatched')).not.toBe(one)
    expect(sharedThrottle(keptClient(), origin, 'next', {}, { throttle: one, apiKey: 'unwatched' })).toBe(one)
    vi.unstubAllGlobals()
  })

  describe('that a client leaves for the throttle of its new key', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => {
      vi.restoreAllMocks()
      vi.useRealTimers()
    })

    /** A client of a throttle, and a throttle that another one uses, which it joins. */
    const setUp = (apiKey: string) => {
      const client = keptClient()
      const throttle = sharedThrottle(client, origin, apiKey, { requestsPerSecond: 1, maxQueue: 0 })
      const joined = sharedThrottle(keptClient(), origin, `new ${apiKey}`)
      const leave = () => void sharedThrottle(client, origin, `new ${apiKey}`, {}, { throttle, apiKey })
      return { throttle, joined, leave }
    }

    it('is forgotten at once if it is idle', () => {
      const { throttle, joined, leave } = setUp('idle then')
      expect(namesOf(throttle)).toBe(1)

      leave()

      expect([namesOf(throttle), namesOf(joined)]).toEqual([0, 1])
    })

    it('is kept while a slot is held, looked at every 5 seconds, without keeping the process alive', async () => {
      const { throttle, leave } = setUp('held then')
      const permit = await throttle.acquire()
      const setTimer = vi.spyOn(globalThis, 'setTimeout')

      leave()
      await vi.advanceTimersByTimeAsync(5000)
      expect(namesOf(throttle)).toBe(1)
      permit.release({ kind: 'notSent' })
      await vi.advanceTimersByTimeAsync(4999)
      expect(namesOf(throttle)).toBe(1)
      await vi.advanceTimersByTimeAsync(1)

      expect(namesOf(throttle)).toBe(0)
      expect(setTimer.mock.results.every(({ value }) => !(value as NodeJS.Timeout).hasRef())).toBe(true)
      expect(vi.getTimerCount()).toBe(0)
    })

    it('is kept while it is paused', async () => {
      const { throttle, leave } = setUp('paused then')
      throttle.pause(7000)

      leave()
      await vi.advanceTimersByTimeAsync(5000)
      expect(namesOf(throttle)).toBe(1)
      await vi.advanceTimersByTimeAsync(5000)

      expect(namesOf(throttle)).toBe(0)
    })

    it('is kept if it has another client by then', async () => {
      const { throttle, leave } = setUp('joined then')
      const permit = await throttle.acquire()
      leave()

      expect(sharedThrottle(keptClient(), origin, 'joined then')).toBe(throttle)
      permit.release({ kind: 'notSent' })
      await vi.advanceTimersByTimeAsync(10_000)

      expect(namesOf(throttle)).toBe(1)
    })

    it('is as strict as its other clients from then on', async () => {
      const { throttle, leave } = setUp('relaxed then')
      sharedThrottle(keptClient(), origin, 'relaxed then', { requestsPerSecond: 5 })
      await throttle.acquire()
      await expect(throttle.acquire()).rejects.toMatchObject({ code: 'queue_full' })

      leave()

      await expect(throttle.acquire()).resolves.toBeDefined()
    })
  })

  it('shows the key nowhere', () => {
    const throttle = sharedThrottle(keptClient(), origin, 'sk_very_secret')

    const shown = inspect([throttle, registry()], { depth: 6, showHidden: true })

    expect(shown).toContain('ledger.test')
    expect(shown).not.toContain('very_secret')
  })

  it('notifies each of its clients of a pace change and of a long wait', async () => {
    vi.useFakeTimers()
    const notified: unknown[] = []
    const [throttle] = ['one', 'other'].map((name) =>
      sharedThrottle(keptClient(), origin, 'changing', {
        onPaceChange: ({ to }) => void notified.push([name, to]),
        onLongWait: ({ waitedMs, stats }) => void notified.push([name, waitedMs, stats.waiting]),
      }),
    )
    const permit = await throttle?.acquire()
    permit?.release({ kind: 'completed', status: 429 })
    expect(notified).toEqual([
      ['one', 'spaced'],
      ['other', 'spaced'],
    ])

    throttle?.pause(6000)
    void throttle?.acquire()
    await vi.advanceTimersByTimeAsync(5000)
    vi.useRealTimers()

    expect(notified.slice(2)).toEqual([
      ['one', 5000, 1],
      ['other', 5000, 1],
    ])
  })
})

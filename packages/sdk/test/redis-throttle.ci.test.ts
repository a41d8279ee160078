import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRedisThrottle, type RedisThrottle, type RedisThrottleOptions } from '@guild-ledger/sdk/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ok, settled, startRedisWithClients, take, throttleOn, timed, type RedisWithClients } from './redis-support.ts'

describe('a throttle in Redis', { concurrent: true }, () => {
  let clients: RedisWithClients
  beforeAll(async () => void (clients = await startRedisWithClients()))
  afterAll(async () => clients[Symbol.asyncDispose]())

  it.each(['ioredis', 'ioredis5', 'nodeRedis', 'nodeRedis5'] as const)(
    'grants ten permits at once and the eleventh a second and `marginMs` after the first response, with %s',
    async (library) => {
      const throttle = await settled(throttleOn(clients[library], { marginMs: 300 }))

      const permits = await take(throttle, 10)
      const eleventh = timed(throttle.acquire())
      permits[0]?.release(ok)

      expect((await eleventh).ms).toBeGreaterThanOrEqual(1300)
      expect(throttle.stats).toMatchObject({ acquired: 12, inFlight: 10, available: true })
    },
  )

  it('counts the requests of all processes with the same key, and of no others', async () => {
    const key = randomUUID()
    const one = await settled(throttleOn(clients.ioredis, { key }))
    const same = throttleOn(clients.nodeRedis, { key })
    const other = await settled(throttleOn(clients.nodeRedis))
    const permits = await take(one, 10)

    const waits = await Promise.race([same.acquire().then(() => 'same'), take(other, 10).then(() => 'other')])

    expect(waits).toBe('other')
    for (const permit of permits) permit.release({ kind: 'notSent' })
  })

  it('serves the process that waits longest: one that requests much does not block another', async () => {
    const key = randomUUID()
    const busy = await settled(throttleOn(clients.ioredis, { key }))
    const other = throttleOn(clients.nodeRedis, { key })
    const order: string[] = []
    const use = async (throttle: RedisThrottle, name: string) => {
      const permit = await throttle.acquire()
      order.push(name)
      permit.release(ok)
    }
    const all = Array.from({ length: 40 }, () => use(busy, 'busy'))
    await sleep(30)
    all.push(use(other, 'other'))

    await Promise.all(all)

    expect(order.indexOf('other')).toBeLessThanOrEqual(20)
  })

  it('does not run a script again that failed', async () => {
    const failing = { evalsha: async () => Promise.reject(new Error('READONLY')), eval: async () => '{}' }

    await expect(throttleOn(failing).acquire()).rejects.toThrow('READONLY')
  })

  it('stores neither the key nor anything that is not under its one hash tag', async () => {
    const key = `sk_secret_${randomUUID()}`
    await settled(throttleOn(clients.ioredis, { key, prefix: 'tagged' }))

    const names = await clients.ioredis.keys('{tagged:*')

    expect(names.join()).not.toContain('secret')
    expect(new Set(names.map((name) => name.replace(/\}.*/, '')))).toHaveProperty('size', 1)
  })

  it.each([
    ['client', { client: {}, key: 'k' }, '`client` must be a client of ioredis or node-redis, such as'],
    ['client', { client: 'redis://', key: 'k' }, '`client` must be a client of ioredis or node-redis, such as'],
    ['client', { client: null, key: 'k' }, '`client` is missing: pass a client of ioredis or node-redis to create'],
    ['client', { key: 'k' }, '`client` is missing: pass a client of ioredis or node-redis to createRedisThrottle'],
    ['key', { key: undefined }, '`key` is missing: pass the API key to createRedisThrottle'],
    ['key', { key: '' }, '`key` must be a string that is not empty, got a string of 0 characters'],
    ['prefix', { prefix: 'a{b' }, '`prefix` must be a string that is not empty, without { and }, got "a{b"'],
    ['onUnavailable', { onUnavailable: 'wait' }, '`onUnavailable` must be one of share, fail, got "wait"'],
    ['processes', { onUnavailable: 'share' }, '`processes` is missing: pass the number of processes that share'],
    ['processes', { processes: 0 }, '`processes` must be an integer ≥ 1, got 0'],
    ['share', { processes: 11 }, '`share.of` must be an integer from 1 to 10'],
    ['requestsPerSecond', { requestsPerSecond: -1 }, '`requestsPerSecond` must be a number > 0, such as 10, got -1'],
    ['redisTimeoutMs', { redisTimeoutMs: 0 }, '`redisTimeoutMs` must be a number of milliseconds > 0, got 0'],
    ['guarantee', { guarantee: 'adaptive' }, 'Unknown option `guarantee`. Known options: `requestsPerSecond`, '],
  ])('rejects an invalid %s', (option, options, message) => {
    const whole =
      'client' in options || option === 'client' ? options : { client: clients.ioredis, key: 'k', ...options }

    expect(() => createRedisThrottle(whole as RedisThrottleOptions)).toThrow(
      expect.objectContaining({ code: 'configuration', option, message: expect.stringContaining(message) as unknown }),
    )
  })
})

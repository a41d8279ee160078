import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRedisThrottle, type RedisClient, type RedisThrottle, type RedisThrottleOptions } from './redis.ts'
import { judge } from './testing/simulation.ts'
import { startProcesses } from './testing/redis-processes.ts'
import { startRedis, type RedisServer } from './testing/redis-server.ts'
import type { Outcome, Permit } from './throttle.ts'

const ok: Outcome = { kind: 'answered', status: 200 }

/** Clients of both libraries for a server, closed with the test. */
const connect = async (port: number) => {
  const ioredis = new Redis(port, '127.0.0.1').on('error', () => {})
  const nodeRedis = await createClient({ url: `redis://127.0.0.1:${port}` })
    .on('error', () => {})
    .connect()
  return {
    ioredis,
    nodeRedis,
    [Symbol.dispose]() {
      ioredis.disconnect()
      nodeRedis.destroy()
    },
  }
}

const throttleOn = (client: RedisClient, options: Partial<RedisThrottleOptions> = {}): RedisThrottle =>
  createRedisThrottle({ client, key: randomUUID(), ...options })

/** Waits out the pause that follows an empty Redis, and gives the slot back. */
const settled = async (throttle: RedisThrottle): Promise<RedisThrottle> => {
  const permit = await throttle.acquire()
  permit.release({ kind: 'unsent' })
  return throttle
}

const take = async (throttle: RedisThrottle, count: number): Promise<Permit[]> =>
  Promise.all(Array.from({ length: count }, () => throttle.acquire()))

const timed = async <T>(work: Promise<T>): Promise<{ ms: number; value: T }> => {
  const from = performance.now()
  const value = await work
  return { ms: performance.now() - from, value }
}

describe('a throttle in Redis', { concurrent: true, timeout: 30_000 }, () => {
  let server: RedisServer
  let clients: Awaited<ReturnType<typeof connect>>
  beforeAll(async () => {
    server = await startRedis()
    clients = await connect(server.port)
  })
  afterAll(async () => {
    clients[Symbol.dispose]()
    await server.stop()
  })

  it.each(['ioredis', 'nodeRedis'] as const)(
    'lets ten go at once and the eleventh a second after the first reply, by way of %s',
    async (library) => {
      const throttle = await settled(throttleOn(clients[library]))

      const permits = await take(throttle, 10)
      const eleventh = timed(throttle.acquire())
      permits[0]?.release(ok)

      expect((await eleventh).ms).toBeGreaterThanOrEqual(1002)
      expect(throttle.stats).toMatchObject({ acquired: 12, underWay: 10, available: true })
    },
  )

  it('counts for all who use the same key, and for nobody else', async () => {
    const key = randomUUID()
    const one = await settled(throttleOn(clients.ioredis, { key }))
    const same = throttleOn(clients.nodeRedis, { key })
    const other = await settled(throttleOn(clients.nodeRedis))
    const permits = await take(one, 10)

    const waits = await Promise.race([same.acquire().then(() => 'same'), take(other, 10).then(() => 'other')])

    expect(waits).toBe('other')
    for (const permit of permits) permit.release({ kind: 'unsent' })
  })

  it('frees at once what was not sent, and keeps what was given up for as long as it may arrive', async () => {
    const throttle = await settled(throttleOn(clients.ioredis))
    const [sent, unsent, ...others] = await take(throttle, 10)

    unsent?.release({ kind: 'unsent' })
    await take(throttle, 1)
    sent?.release({ kind: 'abandoned', mayArriveForMs: 700 })
    const next = await timed(throttle.acquire())

    expect(others).toHaveLength(8)
    expect(next.ms).toBeGreaterThanOrEqual(1702)
  })

  it('makes all processes more careful after a 429 that came although the promise was kept', async () => {
    const key = randomUUID()
    const steps: unknown[] = []
    const one = await settled(throttleOn(clients.ioredis, { key, onStepDown: (step) => steps.push(step) }))
    const other = throttleOn(clients.nodeRedis, { key })

    const [permit] = await take(one, 1)
    permit?.release({ kind: 'answered', status: 429 })
    // From before the first of the two: it may be granted well before this process hears of it.
    const two = await timed(take(other, 2))

    expect(steps).toEqual([{ from: 'arrival', to: 'spaced' }])
    expect(other.stats.pace).toBe('spaced')
    expect(two.ms).toBeGreaterThanOrEqual(111)
  })

  it('holds everyone for a Retry-After', async () => {
    const key = randomUUID()
    const one = await settled(throttleOn(clients.ioredis, { key }))
    const other = throttleOn(clients.nodeRedis, { key })
    const [permit] = await take(one, 1)

    permit?.release({ kind: 'answered', status: 503, retryAfterMs: 1500 })
    await sleep(50)

    expect((await timed(other.acquire())).ms).toBeGreaterThanOrEqual(1400)
  })

  it('asks Redis for nothing during a pause of its own', async () => {
    const throttle = await settled(throttleOn(clients.nodeRedis))
    const before = throttle.stats.roundTrips

    throttle.pause(400)
    const waited = await timed(throttle.acquire())

    expect(waited.ms).toBeGreaterThanOrEqual(399)
    expect(throttle.stats.roundTrips - before).toBeLessThanOrEqual(3)
  })

  it('gives the turn to whoever waits longest: a greedy process does not keep a modest one waiting', async () => {
    const key = randomUUID()
    const greedy = await settled(throttleOn(clients.ioredis, { key }))
    const modest = throttleOn(clients.nodeRedis, { key })
    const order: string[] = []
    const use = async (throttle: RedisThrottle, name: string) => {
      const permit = await throttle.acquire()
      order.push(name)
      permit.release(ok)
    }
    const all = Array.from({ length: 40 }, () => use(greedy, 'greedy'))
    await sleep(30)
    all.push(use(modest, 'modest'))

    await Promise.all(all)

    expect(order.indexOf('modest')).toBeLessThanOrEqual(20)
  })

  it('makes at most two round trips for a request and one for each wake', async () => {
    const throttle = await settled(throttleOn(clients.ioredis))
    const before = throttle.stats.roundTrips

    for (let i = 0; i < 5; i++) {
      const permit = await throttle.acquire()
      permit.release(ok)
    }
    await sleep(20)

    expect(throttle.stats.roundTrips - before).toBeLessThanOrEqual(10)
  })

  it('lets a waiting call leave when its signal aborts, and gives its turn to the others', async () => {
    const key = randomUUID()
    const throttle = await settled(throttleOn(clients.ioredis, { key }))
    const permits = await take(throttle, 10)
    const controller = new AbortController()
    const left = throttle.acquire({ signal: controller.signal })
    const stays = throttleOn(clients.nodeRedis, { key }).acquire()
    await sleep(50)

    controller.abort(new Error('enough'))
    permits[0]?.release({ kind: 'unsent' })

    await expect(left).rejects.toThrow('enough')
    expect(await stays).toHaveProperty('release')
    expect(throttle.stats.waiting).toBe(0)
  })

  it('stores neither the key nor anything that is not under its one hash tag', async () => {
    const key = `sk_secret_${randomUUID()}`
    await settled(throttleOn(clients.ioredis, { key, prefix: 'tagged' }))

    const names = await clients.ioredis.keys('{tagged:*')

    expect(names.join()).not.toContain('secret')
    expect(new Set(names.map((name) => name.replace(/\}.*/, '')))).toHaveProperty('size', 1)
  })

  it.each([
    ['client', { client: {}, key: 'k' }, 'client must be a client of ioredis or node-redis, such as'],
    ['client', { client: null, key: 'k' }, 'client must be a client of ioredis or node-redis, such as'],
    ['client', { key: 'k' }, 'client is missing: pass a client of ioredis or node-redis to createRedisThrottle'],
    ['key', { key: '' }, 'key must be a string that is not empty; got ""'],
    ['prefix', { prefix: 'a{b}' }, 'prefix must be a string that is not empty, without { and }; got "a{b}"'],
    ['onUnavailable', { onUnavailable: 'wait' }, 'onUnavailable must be one of share, fail; got "wait"'],
    ['processes', { onUnavailable: 'share' }, 'processes is missing: pass the number of processes that share the key'],
    ['processes', { processes: 0 }, 'processes must be a whole number of at least 1; got 0'],
    ['share', { processes: 11 }, 'share.of must be at most 10'],
    ['requestsPerSecond', { requestsPerSecond: -1 }, 'requestsPerSecond must be a number above 0, such as 10; got -1'],
    ['redisTimeoutMs', { redisTimeoutMs: 0 }, 'redisTimeoutMs must be a number of milliseconds above 0; got 0'],
    [
      'guarantee',
      { guarantee: 'adaptive' },
      'guarantee must be left out, as no such name is known (there are requestsPerSecond',
    ],
  ])('refuses a wrong %s', (option, options, message) => {
    const whole =
      'client' in options || option === 'client' ? options : { client: clients.ioredis, key: 'k', ...options }

    expect(() => createRedisThrottle(whole as RedisThrottleOptions)).toThrow(
      expect.objectContaining({ code: 'configuration', option, message: expect.stringContaining(message) as unknown }),
    )
  })
})

describe('when Redis has trouble', { concurrent: true, timeout: 40_000 }, () => {
  it('loads its script again after SCRIPT FLUSH', async () => {
    await using server = await startRedis()
    using clients = await connect(server.port)
    const throttles = [clients.ioredis, clients.nodeRedis].map((client) => throttleOn(client))
    await Promise.all(throttles.map(settled))

    await clients.ioredis.script('FLUSH')

    const permits = await Promise.all(throttles.map((throttle) => throttle.acquire()))
    expect(permits).toHaveLength(2)
    expect(throttles.map(({ stats }) => stats.outages)).toEqual([0, 0])
  })

  it('waits after FLUSHALL until every lease that is gone would have ended, and counts those still under way', async () => {
    await using server = await startRedis()
    using clients = await connect(server.port)
    const throttle = await settled(throttleOn(clients.ioredis))
    await take(throttle, 9)

    await clients.ioredis.flushall()
    const tenth = await timed(throttle.acquire())
    const eleventh = await Promise.race([throttle.acquire({ timeoutMs: 1500 }).catch(() => 'waits'), sleep(3000)])

    expect(tenth.ms).toBeGreaterThanOrEqual(2500)
    expect(eleventh).toBe('waits')
  })

  it.each(['stopped', 'frozen'] as const)('fails within a bounded time when it is %s', async (how) => {
    await using server = await startRedis()
    using clients = await connect(server.port)
    const throttles = [clients.ioredis, clients.nodeRedis].map((client) => throttleOn(client, { redisTimeoutMs: 300 }))
    await Promise.all(throttles.map(settled))
    if (how === 'stopped') await server.stop()
    else server.freeze()

    const calls = await Promise.allSettled(throttles.map((throttle) => throttle.acquire()))

    expect(calls).toMatchObject([
      { status: 'rejected', reason: { name: 'ThrottleError', code: 'throttle_unavailable' } },
      { status: 'rejected', reason: { name: 'ThrottleError', code: 'throttle_unavailable' } },
    ])
    server.thaw()
    await server.start()
    const again = async (throttle: RedisThrottle): Promise<Permit> => throttle.acquire().catch(() => again(throttle))
    expect(await Promise.all(throttles.map(again))).toHaveLength(2)
  })

  it.each(['stopped', 'frozen'] as const)('goes on with its share when it is %s, and comes back', async (how) => {
    await using server = await startRedis()
    using clients = await connect(server.port)
    const options = { redisTimeoutMs: 300, processes: 5 }
    const throttle = await settled(throttleOn(clients.ioredis, options))
    if (how === 'stopped') await server.stop()
    else server.freeze()

    const alone = await timed(take(throttle, 2))
    for (const permit of alone.value) permit.release(ok)
    const third = await timed(throttle.acquire())

    expect(alone.ms).toBeGreaterThanOrEqual(2500)
    expect(third.ms).toBeGreaterThanOrEqual(1000)
    expect(throttle.stats).toMatchObject({ available: false, outages: 1 })
    third.value.release(ok)
    server.thaw()
    await server.start()
    while (!throttle.stats.available) {
      const permit = await throttle.acquire()
      permit.release(ok)
    }
    expect(throttle.stats.outages).toBe(1)
  })

  it('keeps the leases of a process that died until they expire', async () => {
    await using server = await startRedis()
    using clients = await connect(server.port)
    const options = { key: randomUUID(), attemptTimeoutMs: 500 }
    const dying = await settled(throttleOn(clients.ioredis, options))
    await take(dying, 10)
    clients.ioredis.disconnect()

    const next = await timed(throttleOn(clients.nodeRedis, options).acquire())

    expect(next.ms).toBeGreaterThanOrEqual(2300)
  })

  it('works in a cluster, where all names must be in one slot', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'redis-cluster-'))
    await using server = await startRedis(['--cluster-enabled', 'yes', '--dir', folder])
    using clients = await connect(server.port)
    await clients.ioredis.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await expect.poll(async () => clients.ioredis.cluster('INFO'), { timeout: 10_000 }).toContain('cluster_state:ok')

    const throttle = await settled(throttleOn(clients.ioredis))

    expect(await take(throttle, 10)).toHaveLength(10)
    expect(throttle.stats.outages).toBe(0)
    await rm(folder, { recursive: true })
  })
})

describe('many processes with one key', { timeout: 90_000 }, () => {
  it('are never over ten in a second, all served, though two die and Redis restarts empty in the middle', async () => {
    await using server = await startRedis()
    await using processes = await startProcesses(8, server.port, () => Math.random() * 40)
    const { arrivals, pids } = processes
    const servedAll = (from: number, who: readonly number[]) => () =>
      who.every((pid) => arrivals.slice(from).filter((arrival) => arrival.pid === pid).length >= 2)

    const before = await processes.until(servedAll(0, pids), 30)
    await Promise.all(pids.slice(0, 2).map((pid) => processes.kill(pid)))
    await server.stop()
    await server.start()
    const after = await processes.until(servedAll(arrivals.length, pids.slice(2)), 30)

    expect([before, after]).toEqual([true, true])
    expect(judge(arrivals.map(({ at }) => at))).toMatchObject({ over: 0, most: expect.any(Number) as number })
  })
})

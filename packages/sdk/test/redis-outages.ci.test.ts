import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Permit } from '@guild-ledger/sdk/throttle'
import type { RedisThrottle } from '@guild-ledger/sdk/redis'
import { judgeArrivals } from '@guild-ledger/test-kit'
import type { Redis } from 'ioredis'
import { describe, expect, it, vi } from 'vitest'
import { ok, settled, startRedisWithClients, take, throttleOn, timed } from './redis-support.ts'

describe('a throttle whose Redis has trouble', { concurrent: true }, () => {
  it('loads its script again after SCRIPT FLUSH', async () => {
    await using redis = await startRedisWithClients()
    const throttles = [redis.ioredis, redis.nodeRedis].map((client) => throttleOn(client))
    await Promise.all(throttles.map(settled))

    await redis.ioredis.script('FLUSH')

    const permits = await Promise.all(throttles.map((throttle) => throttle.acquire()))
    expect(permits).toHaveLength(2)
    expect(throttles.map(({ stats }) => stats.outages)).toEqual([0, 0])
  })

  it.each([
    ['FLUSHALL', async (redis: Redis) => redis.flushall()],
    ['the eviction of the leases', async (redis: Redis) => redis.del(await redis.keys('*leases'))],
  ])('waits after %s until every lost lease would have ended, and counts those still in flight', async (_, lose) => {
    await using redis = await startRedisWithClients()
    const throttle = await settled(throttleOn(redis.ioredis))
    await take(throttle, 9)

    await lose(redis.ioredis)
    const tenth = await timed(throttle.acquire())
    const eleventh = await throttle.acquire({ signal: AbortSignal.timeout(1500) }).catch(() => 'waits')

    expect(tenth.ms).toBeGreaterThanOrEqual(2500)
    expect(eleventh).toBe('waits')
  })

  it.each(['stopped', 'frozen'] as const)('fails within a bounded time when Redis is %s', async (how) => {
    await using redis = await startRedisWithClients()
    const throttles = [redis.ioredis, redis.nodeRedis].map((client) => throttleOn(client, { redisTimeoutMs: 300 }))
    await Promise.all(throttles.map(settled))
    if (how === 'stopped') await redis.server.stop()
    else redis.server.freeze()

    const calls = await Promise.allSettled(throttles.map((throttle) => throttle.acquire()))

    const reason = { name: 'ThrottleError', code: 'throttle_unavailable', cause: expect.any(Error) as Error }
    expect(calls).toMatchObject([{ reason }, { reason }])
    redis.server.thaw()
    await redis.server.start()
    const again = async (throttle: RedisThrottle): Promise<Permit> => throttle.acquire().catch(() => again(throttle))
    expect(await Promise.all(throttles.map(again))).toHaveLength(2)
  })

  it.each(['stopped', 'frozen'] as const)(
    'continues with its share when Redis is %s, and returns to the shared rate',
    async (how) => {
      await using redis = await startRedisWithClients()
      const throttle = await settled(throttleOn(redis.ioredis, { redisTimeoutMs: 300, processes: 5 }))
      if (how === 'stopped') await redis.server.stop()
      else redis.server.freeze()

      const two = await timed(take(throttle, 2))
      for (const permit of two.value) permit.release(ok)

      expect(two.ms).toBeGreaterThanOrEqual(2500)
      expect(throttle.stats).toMatchObject({ available: false, outages: 1 })
      redis.server.thaw()
      await redis.server.start()
      while (!throttle.stats.available) {
        const permit = await throttle.acquire()
        permit.release(ok)
      }
      expect(throttle.stats.outages).toBe(1)
    },
  )

  it.each<[string, string[], string | undefined]>([
    ['may evict any key', ['--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lru'], 'allkeys-lru'],
    ['may evict keys that expire', ['--maxmemory', '64mb', '--maxmemory-policy', 'volatile-ttl'], 'volatile-ttl'],
    ['evicts nothing', ['--maxmemory', '64mb', '--maxmemory-policy', 'noeviction'], undefined],
    ['has no memory limit', ['--maxmemory-policy', 'allkeys-lru'], undefined],
  ])('warns once, at its first use, where Redis %s', async (_, settings, policy) => {
    await using redis = await startRedisWithClients(settings)
    // Not vi.fn(): its calls are cleared when another test starts.
    const warnings: string[] = []
    const onWarning = policy === 'volatile-ttl' ? undefined : (message: string) => void warnings.push(message)
    if (!onWarning)
      process.on('warning', ({ name, message }) => name === 'GuildLedgerWarning' && warnings.push(message))
    const throttle = await settled(throttleOn(redis.ioredis, { onWarning }))

    await take(throttle, 3)

    const warning = `The throttle's Redis may evict its keys (maxmemory-policy ${policy}). Requests stop for 2.5 s each time it does: use a Redis with maxmemory-policy noeviction.`
    await vi.waitFor(() => expect(warnings).toEqual(policy === undefined ? [] : [warning]), 10_000)
  })

  it('lets at most ten requests pass in a second while Redis evicts keys for lack of memory', async () => {
    await using redis = await startRedisWithClients()
    const throttle = await settled(throttleOn(redis.ioredis))
    await redis.ioredis.config('SET', 'maxmemory-policy', 'volatile-ttl')
    const passed: number[] = []
    const end = performance.now() + 8000
    // On a busy machine the pauses after evictions may take all of that time.
    const isDone = () => performance.now() > (passed.length > 10 ? end : end + 12_000)
    const send = async (): Promise<void> => {
      while (!isDone()) {
        const permit = await throttle.acquire({ signal: AbortSignal.timeout(1000) }).catch(() => sleep(50))
        if (permit) passed.push(performance.now())
        permit?.release(ok)
      }
    }
    const sending = Promise.all(Array.from({ length: 20 }, send))
    const used = /used_memory:(\d+)/.exec(await redis.ioredis.info('memory'))?.[1]

    await redis.ioredis.config('SET', 'maxmemory', String(Number(used) + 200_000))
    for (let i = 0; i < 40; i++) {
      await redis.ioredis.setex(`filler:${i}`, 500_000, 'x'.repeat(20_000)).catch(() => {})
      await sleep(50)
    }
    await redis.ioredis.config('SET', 'maxmemory', '0')
    await sending

    expect(judgeArrivals(passed).most).toBeLessThanOrEqual(10)
    expect(passed.length).toBeGreaterThan(10)
  })

  it('works in a cluster, where all names must be in one slot', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'redis-cluster-'))
    await using redis = await startRedisWithClients(['--cluster-enabled', 'yes', '--dir', folder])
    await redis.ioredis.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await vi.waitFor(async () => expect(await redis.ioredis.cluster('INFO')).toContain('cluster_state:ok'), 10_000)

    const throttle = await settled(throttleOn(redis.ioredis))

    expect(await take(throttle, 10)).toHaveLength(10)
    expect(throttle.stats.outages).toBe(0)
    await rm(folder, { recursive: true })
  })
})

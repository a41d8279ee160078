import { createThrottle } from '@guild-ledger/sdk'
import type { AcquireOptions, Outcome, PaceChange, Permit, Throttle } from '@guild-ledger/sdk/throttle'
import { cases, createRandom } from '@guild-ledger/test-kit'
import { describe, expect, it } from 'vitest'
import { startVirtualRedis, type RedisNetwork } from './redis-simulation.ts'
import { simulateClient, type Scenario } from './transport-simulation.ts'

const harsh: Scenario = {
  seed: 1,
  calls: cases(150, 30),
  callers: 30,
  inboundMs: 3000,
  outboundMs: 500,
  stalls: 0.3,
  gatewayErrors: 0.2,
  failures: 0.2,
  aborts: 0.4,
  attemptTimeoutMs: 1000,
  timeoutMs: 30_000,
  clients: 5,
}

/** With the share of calls whose request arrives, at least: about half of what is usual, because aborts end the rest. */
const networks: Record<string, RedisNetwork & { readonly arrivals: number; readonly processes?: number }> = {
  'a Redis close by': { arrivals: 0.45 },
  'a Redis that responds after up to 1.5 s': { latencyMs: 750, arrivals: 0.05 },
  'a Redis whose connections fail': { latencyMs: 5, failures: 0.1, arrivals: 0.09 },
  'shares of the rate while Redis is away': { isAway: (now) => now % 40_000 > 20_000, processes: 5, arrivals: 0.2 },
}

const simulate = async (scenario: Scenario, network: RedisNetwork = {}, processes?: number) => {
  await using redis = await startVirtualRedis()
  const random = createRandom(2)
  return await simulateClient({
    ...scenario,
    settle: redis.settle,
    throttle: (time, attemptTimeoutMs) => redis.connect({ attemptTimeoutMs, processes }, { random, ...network }, time),
  })
}

it.each(Object.entries(networks))(
  'no second has an eleventh arrival from five processes that abort, time out and meet a gateway, with %s',
  { timeout: 240_000 },
  async (_name, network) => {
    const run = await simulate(harsh, network, network.processes)

    expect(run.most).toBeLessThanOrEqual(10)
    expect(run.arrivals).toBeGreaterThan(harsh.calls * network.arrivals)
  },
)

/** A network that holds requests back for up to nine seconds and delivers them all at once. */
const delivery: Scenario = {
  ...harsh,
  calls: 60,
  inboundMs: 0,
  deliversEveryMs: 9000,
  outboundMs: 0,
  stalls: 0,
  gatewayErrors: 0,
  failures: 0,
  aborts: 0,
  attemptTimeoutMs: 10_000,
}

it.each([
  ['time out', { attemptTimeoutMs: 500 }],
  ['are aborted', { aborts: 1, calls: 300 }],
  ['get a 502 or 504 from a gateway', { gatewayErrors: 1 }],
])(
  'no second has an eleventh arrival from five processes whose requests %s, and arrive up to nine seconds later all at once',
  async (_title, givenUp) => {
    const run = await simulate({ ...delivery, ...givenUp })

    expect(run.most).toBeLessThanOrEqual(10)
    expect(run.arrivals).toBeGreaterThan(10)
  },
)

it.each([
  ['forward by 11 seconds every three seconds', (now: number) => Math.floor(now / 3000) * 11_000],
  ['back by an hour every three seconds', (now: number) => Math.floor(now / 3000) * -3_600_000],
])('no second has an eleventh arrival while the clock of Redis is set %s', async (_title, clockAheadMs) => {
  const run = await simulate({ ...delivery, timeoutMs: undefined }, { clockAheadMs })

  expect(run.most).toBeLessThanOrEqual(10)
  expect(run.arrivals).toBe(60)
})

const ok: Outcome = { kind: 'completed', status: 200 }

/** Makes calls, and gives the permits that they have got so far. */
const acquire = (throttle: Throttle, calls: number, how?: AcquireOptions): readonly Permit[] => {
  const permits: Permit[] = []
  for (let i = 0; i < calls; i++) void throttle.acquire(how).then((permit) => permits.push(permit))
  return permits
}

const use = async (throttle: Throttle, outcome: Outcome = { kind: 'notSent' }): Promise<void> => {
  const permit = await throttle.acquire()
  permit.release(outcome)
}

/** What happens before a process starts. Times in milliseconds. */
interface Start {
  /** Slots that another process holds; it has died if they do not end. */
  readonly held?: number
  readonly abortedAt?: number
  readonly completedAt?: number
  readonly attemptTimeoutMs?: number
  /** When the other process has no connection to Redis. */
  readonly away?: readonly [from: number, to: number]
  readonly startAt?: number
  /** How far the clock of Redis is set forward just before the start. */
  readonly aheadMs?: number
  readonly hadSlotBefore?: boolean
}

it.each<[string, number, Start]>([
  ['when requests of another have ended', 6002, { completedAt: 5000 }],
  ['when given-up requests of another got a response', 6002, { abortedAt: 500, completedAt: 5000 }],
  ['no sooner where the clock of Redis was set forward', 6002, { completedAt: 5000, aheadMs: 60_000 }],
  ['no sooner, if it had one before', 4402, { completedAt: 3400, aheadMs: 60_000, hadSlotBefore: true }],
  ['no sooner than given-up requests end after such a step', 11_502, { abortedAt: 500, aheadMs: 60_000 }],
  ['no sooner if the other had no connection', 9002, { completedAt: 8000, aheadMs: 60_000, away: [400, 3000] }],
  ['at once, where another has given up a request', 3500, { held: 3, abortedAt: 500 }],
  ['at once, where a request given up by another has ended', 14_000, { held: 3, abortedAt: 500, startAt: 14_000 }],
  ['2.5 s after its start, where another died with requests in flight', 6000, { held: 3, away: [900, Infinity] }],
  ['when requests of a dead one cannot arrive', 11_000, { attemptTimeoutMs: 500, away: [100, Infinity] }],
  ['at once, though the clock of Redis was set back', 3500, { held: 3, aheadMs: -3_600_000 }],
])('a process that starts gets a slot %s', async (_title, slotAt, start) => {
  const { held = 10, completedAt, abortedAt, away: [awayFrom, awayTo] = [0, 0], startAt = 3500, aheadMs = 0 } = start
  await using redis = await startVirtualRedis()
  const { time } = redis
  const begin = 3000
  const clockAheadMs = (now: number) => (now < begin + startAt ? 0 : aheadMs)
  const isAway = (now: number) => now >= begin + awayFrom && now < begin + awayTo
  const holder = redis.connect({ attemptTimeoutMs: start.attemptTimeoutMs }, { clockAheadMs, isAway })
  const starting = redis.connect({ processes: 5 }, { clockAheadMs })
  if (start.hadSlotBefore) void use(starting)
  const permits = acquire(holder, held)
  await time.run(begin)

  const end = (outcome: Outcome) => permits.forEach((permit) => permit.release(outcome))
  if (completedAt !== undefined) time.at(begin + completedAt, () => end(ok))
  if (abortedAt !== undefined) time.at(begin + abortedAt, () => end({ kind: 'aborted' }))
  await time.run(begin + startAt)
  const granted = acquire(starting, 1)
  await time.run(begin + slotAt - 1)
  const early = granted.length
  await time.run(begin + slotAt + 1000)

  expect([early, granted.length]).toEqual([0, 1])
})

it('a process waits longer where Redis is new if Redis may take longer to respond', async () => {
  await using redis = await startVirtualRedis()
  const granted = acquire(redis.connect({ redisTimeoutMs: 3000 }), 1)

  await redis.time.run(4499)

  expect(granted).toHaveLength(0)
})

it.each([
  ['between its request for slots and the response', 3000, { attemptTimeoutMs: 500 }, 0],
  ['while it has no connection to Redis', 2950, { processes: 5 }, 2900],
])('a process that stood still %s sends nothing beside the requests of others', async (_, at, options, from) => {
  const awake = (due: number) => (due > 3000 && due < 16_000 ? 16_000 : due)
  await using redis = await startVirtualRedis(awake)
  const { time } = redis
  const isAway = (now: number) => from > 0 && now > from && now < 3000
  const still = redis.connect(options, { seenAt: awake, isAway })
  const other = redis.connect()
  void use(still)
  time.at(2900, () => void use(other))
  time.at(at, () => acquire(still, 10))
  time.at(15_900, () => acquire(other, 10))

  await time.run(16_500)

  expect([still.stats.inFlight, other.stats.inFlight]).toEqual([0, 10])
})

it('a process leaves one slot for interactive calls of another', async () => {
  await using redis = await startVirtualRedis()
  const [one, other] = [redis.connect(), redis.connect()]
  void use(one)
  await redis.time.run(3000)

  const granted = acquire(other, 10, { priority: 'background' })
  await redis.time.run(7000)
  const within5s = granted.length
  await redis.time.run(9000)

  expect([within5s, granted.length]).toEqual([9, 10])
})

it.each([
  ['while it waits', 3020],
  ['before Redis has responded', 3010.5],
])('a call that is aborted %s holds up no other process', async (_, abortAt) => {
  await using redis = await startVirtualRedis()
  const { time } = redis
  const [holder, leaving, staying] = [redis.connect(), redis.connect(), redis.connect()]
  const permits = acquire(holder, 10)
  await time.run(3010)
  const controller = new AbortController()
  const left = leaving.acquire({ signal: controller.signal }).catch((error: unknown) => error)

  time.at(abortAt, () => controller.abort('enough'))
  await time.run(3015)
  const granted = acquire(staying, 1)
  await time.run(3050)
  expect(staying.estimateMs()).toBeGreaterThan(900)
  time.at(3100, () => permits[0]?.release({ kind: 'notSent' }))
  await time.run(4100)

  expect(await left).toBe('enough')
  await expect(leaving.acquire({ signal: controller.signal })).rejects.toBe('enough')
  expect(granted).toHaveLength(1)
})

it.each([
  ['was aborted', 10, (_throttle: Throttle, controller: AbortController) => controller.abort()],
  ['has to wait for the end of a pause', 0, (throttle: Throttle) => throttle.pause(1000)],
])('a process does not use a slot that Redis grants for a call that meanwhile %s', async (_, forOthers, change) => {
  await using redis = await startVirtualRedis()
  const { time } = redis
  const [one, other] = [redis.connect(), redis.connect()]
  void use(one)
  void use(other)
  await time.run(3000)
  const controller = new AbortController()
  void one.acquire({ signal: controller.signal }).catch(() => {})
  await time.run(3000.5)
  change(one, controller)
  await time.run(3010)
  const granted = acquire(other, 10)
  await time.run(3400)

  expect([one.stats.inFlight, granted.length, other.stats.pausedForMs > 0]).toEqual([0, forOthers, forOthers === 0])
})

it('a process gets all free slots as soon as Redis is back, also if it did not see that Redis granted them before', async () => {
  await using redis = await startVirtualRedis()
  let random = 0.9
  const throttle = redis.connect({ processes: 5, onUnavailable: 'fail' }, { failures: 0.8, random: () => random })
  expect(throttle.estimateMs()).toBe(0)
  acquire(throttle, 1)
  await redis.time.run(3000)

  random = 0.4
  const calls = Promise.allSettled(Array.from({ length: 10 }, () => throttle.acquire()))
  await redis.time.run(3100)
  random = 0.9
  const granted = acquire(throttle, 10)
  await redis.time.run(3150)

  expect(new Set((await calls).map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(granted).toHaveLength(9)
})

it('a process forgets requests that have ended, whether Redis responds or not, and asks Redis no more than it must', async () => {
  await using redis = await startVirtualRedis()
  const { time } = redis
  let isAway = false
  const reported: number[] = []
  const onRequest: RedisNetwork['onRequest'] = ({ leases }) => reported.push(leases.length)
  const throttle = redis.connect({ processes: 5 }, { onRequest, isAway: () => isAway })
  const scriptsOf = async (requests: number, ms: number): Promise<number> => {
    const before = reported.length
    for (let i = 0; i < requests; i++) time.at(time.now() + 700 * i, () => void use(throttle, ok))
    await time.run(time.now() + ms)
    return reported.length - before
  }

  expect(await scriptsOf(100, 75_000)).toBeLessThan(210)
  expect(await scriptsOf(0, 75_000)).toBe(0)
  for (let i = 0; i < 10; i++) void use(throttle, ok)
  expect(await scriptsOf(0, 75_000)).toBe(2)
  throttle.pause(75_000)
  expect(await scriptsOf(1, 74_000)).toBe(1)
  await scriptsOf(5, 75_000)
  expect(reported.at(-1)).toBeLessThan(5)
  throttle.pause(1e6)
  const controller = new AbortController()
  void throttle.acquire({ signal: controller.signal }).catch(() => {})
  await scriptsOf(0, 1000)
  controller.abort()
  expect(time.timers).toBe(0)
  await scriptsOf(1, 1000)
  throttle.reset()
  await time.run(time.now() + 10)
  expect(throttle.stats).toMatchObject({ acquired: 117, roundTrips: reported.length })

  isAway = true
  expect(await scriptsOf(100, 75_000)).toBeLessThan(400)
  expect(reported.at(-1)).toBeGreaterThan(20)
  expect(reported.at(-1)).toBeLessThan(60)
  isAway = false
  await time.run(time.now() + 1000)
  const granted = acquire(redis.connect(), 1)
  await time.run(time.now() + 1000)
  expect(granted).toHaveLength(0)
})

/** Gives a throttle in Redis and one without the same responses, and what they have in common then, each time it changes. */
const compare = async (away: boolean, figuresOf: (throttle: Throttle) => string) => {
  const redis = await startVirtualRedis()
  const { time } = redis
  const changes: PaceChange[][] = [[], []]
  const [ofShared, ofLocal] = changes.map((list) => (change: PaceChange) => void list.push(change))
  const throttles = [
    redis.connect({ processes: 1, onPaceChange: ofShared }, { isAway: () => away }),
    createThrottle({ clock: time.clock, onPaceChange: ofLocal }),
  ]
  const found: string[] = []
  const pass = async (ms: number) => time.run(time.now() + ms)
  const respond = async (statuses: readonly number[], everyMs: number) => {
    for (const status of statuses) {
      for (const throttle of throttles) void use(throttle, { kind: 'completed', status })
      await pass(everyMs)
      const [shared = '', local] = throttles.map(figuresOf)
      expect(shared).toBe(local)
      if (found.at(-1) !== shared) found.push(shared)
    }
  }
  return { ...redis, changes, found, pass, respond }
}

it.each([false, true])('the pace changes as without Redis, where Redis is away: %s', async (away) => {
  await using both = await compare(away, ({ stats }) => `${stats.pace} ${stats.requestsPerSecond}`)

  await both.respond([200, 429], 6000)
  await both.flush()
  await both.respond([200, 429, 429, 429, ...Array.from({ length: 41 }, () => 200)], 6000)
  await both.pass(700_000)
  await both.respond([200, 200], 6000)

  const sequential = ['sequential 10', 'sequential 5', 'sequential 2.5', 'sequential 5', 'sequential 10']
  expect(both.found).toEqual(['arrival 10', 'spaced 9', ...sequential, 'spaced 9'])
  expect(both.changes[0]).toEqual(both.changes[1])
})

it.each([false, true])('a 503 limits the rate as without Redis, where Redis is away: %s', async (away) => {
  await using both = await compare(away, ({ stats }) => `${stats.pace} ${stats.rateLimited}`)

  await both.respond([200, 200], 2000)
  await both.respond([503, 503, 200, 503, 200], 2000)
  await both.pass(31_000)
  await both.respond([503, 503, 200, 200], 6000)
  await both.pass(45_000)
  await both.respond([200], 6000)

  // The second 503 follows no answer since the first: it may be the same outage. Later ones come where nobody is answered.
  expect(both.found).toEqual(['arrival 0', 'spaced 1', 'spaced 2', 'sequential 3', 'spaced 3', 'arrival 3'])
})

it('a process knows from others that the service answers, so that its 503 is a rate limit', async () => {
  await using redis = await startVirtualRedis()
  const { time } = redis
  const [one, other] = [redis.connect(), redis.connect()]
  void use(one, { kind: 'completed', status: 200 })
  await time.run(time.now() + 4000)
  void use(one, { kind: 'completed', status: 200 })
  await time.run(time.now() + 200)

  void use(other, { kind: 'completed', status: 503 })
  await time.run(time.now() + 2000)

  expect(other.stats).toMatchObject({ rateLimited: 1, pace: 'spaced' })
})

it('the smallest rate among processes counts for all, and none is left behind', async () => {
  await using redis = await startVirtualRedis()
  const { time } = redis
  const rates = [10, 5]
  const granted: { readonly at: number; readonly process: number }[] = []
  const work = async (throttle: Throttle, process: number): Promise<void> => {
    for (;;) {
      const permit = await throttle.acquire()
      granted.push({ at: time.now(), process })
      time.at(time.now() + 40, () => permit.release({ kind: 'completed', status: 200 }))
    }
  }
  const throttles = rates.map((requestsPerSecond) => redis.connect({ requestsPerSecond }))
  throttles.forEach((throttle, process) => {
    for (let i = 0; i < 10; i++) void work(throttle, process)
  })
  await time.run(30_000)

  const late = granted.filter(({ at }) => at > 10_000)
  for (const { at } of late)
    expect(late.filter((one) => one.at >= at && one.at < at + 1000).length).toBeLessThanOrEqual(5)
  const shares = rates.map((_, process) => late.filter((one) => one.process === process).length / late.length)
  for (const share of shares) expect(share).toBeGreaterThan(0.35)
  expect(throttles.map(({ stats }) => stats.requestsPerSecond)).toEqual([5, 5])
})

it('a Redis whose round trip is near the time limit costs little more than none', async () => {
  const passedIn = async (network: RedisNetwork): Promise<number> => {
    await using redis = await startVirtualRedis()
    const { time } = redis
    const throttle = redis.connect({ processes: 2 }, network)
    let passed = 0
    const work = async (): Promise<void> => {
      for (;;) {
        const permit = await throttle.acquire()
        passed++
        time.at(time.now() + 40, () => permit.release({ kind: 'completed', status: 200 }))
      }
    }
    for (let i = 0; i < 10; i++) void work()
    await time.run(180_000)
    return passed
  }

  const away = await passedIn({ isAway: () => true })
  const slow = await passedIn({ latencyMs: 700, random: createRandom(3) })

  expect(slow).toBeGreaterThan(0.6 * away)
})

describe('the pace that processes share', () => {
  const limited: Outcome = { kind: 'completed', status: 429 }

  /** Two processes that know what Redis has. The network is that of the second one. */
  const setUp = async (network: RedisNetwork = {}) => {
    const redis = await startVirtualRedis()
    const { time } = redis
    const one = redis.connect({ processes: 5 })
    const other = redis.connect({ processes: 5 }, network)
    const pass = async (ms: number) => time.run(time.now() + ms)
    /** A request of each of them. */
    const send = async (outcome: Outcome, throttles: readonly Throttle[] = [one, other]): Promise<void> => {
      const granted = throttles.map((throttle) => acquire(throttle, 1))
      await pass(6000)
      for (const [permit] of granted) permit?.release(outcome)
      await pass(6000)
    }
    const paces = () => [one, other].map(({ stats }) => `${stats.pace} ${stats.requestsPerSecond}`)
    await send(ok)
    return { redis, one, other, pass, send, paces, [Symbol.asyncDispose]: redis[Symbol.asyncDispose] }
  }

  it('becomes slower by one step where two processes get a 429 at once', async () => {
    await using both = await setUp()

    await both.send(limited)
    await both.send(ok)
    expect(both.paces()).toEqual(['spaced 9', 'spaced 9'])

    await both.send(limited)
    await both.send(limited)
    await both.send(ok)
    expect(both.paces()).toEqual(['sequential 5', 'sequential 5'])
  })

  it('holds at once for a process that has not heard of it', async () => {
    await using both = await setUp()
    await both.send(limited, [both.one])
    expect(both.paces()).toEqual(['spaced 9', 'arrival 10'])

    const granted = acquire(both.other, 10)
    await both.pass(500)

    expect(granted.length).toBeGreaterThan(2)
    expect(granted.length).toBeLessThan(6)
    expect(both.paces()).toEqual(['spaced 9', 'spaced 9'])
  })

  it('has no more slots for a process that starts than the strictest one allows', async () => {
    await using both = await setUp()
    const strict = both.redis.connect({ requestsPerSecond: 3 })
    await both.send(ok, [strict])

    const granted = acquire(both.redis.connect(), 10)
    await both.pass(500)

    expect(granted).toHaveLength(3)
  })

  it('is known again after Redis has lost it, from the process that was most careful', async () => {
    await using both = await setUp()
    await both.send(limited, [both.one])

    await both.redis.flush()
    await both.send(ok, [both.other])
    expect(both.paces()).toEqual(['spaced 9', 'arrival 10'])
    await both.send(ok, [both.one])
    await both.send(ok)

    expect(both.paces()).toEqual(['spaced 9', 'spaced 9'])
  })

  it('counts for all if it became slower while a process had no connection', async () => {
    let isAway = false
    await using both = await setUp({ isAway: () => isAway })
    isAway = true
    await both.send(ok, [both.other])
    await both.send(limited, [both.other])
    expect(both.paces()).toEqual(['arrival 10', 'spaced 9'])

    isAway = false
    await both.pass(3000)
    await both.send(ok)

    expect(both.paces()).toEqual(['spaced 9', 'spaced 9'])
  })

  it('is reset by a process that has not heard of the last change', async () => {
    await using both = await setUp()
    await both.send(limited, [both.one])
    await both.send(limited, [both.one])
    expect(both.paces()).toEqual(['sequential 10', 'arrival 10'])

    both.other.reset()
    for (let i = 0; i < 2; i++) await both.send(ok, [both.other])
    await both.send(ok)

    expect(both.paces()).toEqual(['arrival 10', 'arrival 10'])
  })

  it('becomes faster again for all, ten minutes after the 429', async () => {
    await using both = await setUp()
    await both.send(limited)
    await both.pass(570_000)
    const late = both.redis.connect()
    await both.send(ok, [both.one, late])
    expect(both.paces()).toEqual(['spaced 9', 'spaced 9'])
    expect(late.stats.pace).toBe('spaced')

    await both.pass(20_000)
    await both.send(ok, [late])
    expect(late.stats.pace).toBe('arrival')
    await both.send(ok)
    expect(both.paces()).toEqual(['arrival 10', 'arrival 10'])
  })
})

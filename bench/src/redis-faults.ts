/**
 * Eight processes with one key, sharing a throttle in Redis, while Redis, its keys and the processes fail: 60 faults in
 * random order, 12 with each set of processes. The service that they send to judges the arrivals. Takes about ten
 * minutes, and needs redis-server and redis-cli.
 *
 *     pnpm --dir bench redis:faults [faults] [seed]
 */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { judgeArrivals } from '../../packages/test-kit/src/judge-arrivals.ts'
import { createRandom } from '../../packages/test-kit/src/random.ts'
import { startRedis, type RedisServer } from '../../packages/test-kit/src/redis-server.ts'
import { startProcesses, type Processes } from '../../packages/test-kit/src/service-processes.ts'

const faultCount = Number(process.argv[2] ?? 60)
const seed = Number(process.argv[3] ?? Date.now() % 1e6)
const faultsPerSession = 12
const processCount = 8
const watchMs = 4000
const worker = new URL('../../packages/sdk/test/redis-worker.ts', import.meta.url)
const run = promisify(execFile)
const random = createRandom(seed)
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T

interface Session {
  readonly server: RedisServer
  readonly processes: Processes
  readonly alive: number[]
  readonly redis: (...command: string[]) => Promise<string>
}

const keyOf = async ({ redis }: Session, part: string): Promise<string> =>
  (await redis('KEYS', `*:${part}`)).trim().split('\n')[0] ?? ''

const deleteKey = (part: string) => async (session: Session) => {
  await session.redis('DEL', await keyOf(session, part))
}

/** Fills the memory, so that Redis evicts keys by a policy, for a second. */
const evictBy =
  (policy: string) =>
  async ({ redis }: Session) => {
    const used = Number(/used_memory:(\d+)/.exec(await redis('INFO', 'memory'))?.[1])
    await redis('CONFIG', 'SET', 'maxmemory-policy', policy)
    await redis('CONFIG', 'SET', 'maxmemory', String(used + 200_000))
    for (let i = 0; i < 10; i++) {
      const fill = `for n = 1, 4 do redis.call('SETEX', 'filler:' .. (${i} * 4 + n), 500000, string.rep('x', 20000)) end`
      await redis('EVAL', fill, '0')
      await sleep(100)
    }
    await redis('CONFIG', 'SET', 'maxmemory', '0')
    await redis('EVAL', "for n = 1, 40 do redis.call('DEL', 'filler:' .. n) end", '0')
  }

const restart =
  (downMs: number) =>
  async ({ server }: Session) => {
    await server.stop()
    await sleep(downMs)
    await server.start()
  }

const freeze =
  (ms: number) =>
  async ({ server }: Session) => {
    server.freeze()
    await sleep(ms)
    server.thaw()
  }

const suspendProcess =
  (ms: number) =>
  async ({ alive }: Session) => {
    const pid = pick(alive)
    process.kill(pid, 'SIGSTOP')
    await sleep(ms)
    process.kill(pid, 'SIGCONT')
  }

const killProcess = async ({ alive, processes }: Session) => {
  if (alive.length <= processCount - 3) return
  const pid = pick(alive)
  alive.splice(alive.indexOf(pid), 1)
  await processes.kill(pid)
}

const faults: readonly (readonly [name: string, cause: (session: Session) => Promise<unknown>])[] = [
  ['FLUSHALL', async ({ redis }) => redis('FLUSHALL')],
  ['SCRIPT FLUSH', async ({ redis }) => redis('SCRIPT', 'FLUSH')],
  ['all connections closed', async ({ redis }) => redis('CLIENT', 'KILL', 'TYPE', 'normal')],
  ['leases deleted', deleteKey('leases')],
  ['queue deleted', deleteKey('queue')],
  ['state deleted', deleteKey('state')],
  ['evicted by volatile-ttl', evictBy('volatile-ttl')],
  ['evicted by volatile-lru', evictBy('volatile-lru')],
  ['evicted by allkeys-random', evictBy('allkeys-random')],
  ['evicted by allkeys-lfu', evictBy('allkeys-lfu')],
  ['restarted empty at once', restart(0)],
  ['restarted empty after 3 s', restart(3000)],
  ['frozen for 0.8 s', freeze(800)],
  ['frozen for 4 s', freeze(4000)],
  ['a process suspended for 3 s', suspendProcess(3000)],
  ['a process killed', killProcess],
]

/** The longest time without an arrival. */
const longestGap = (times: readonly number[]): number =>
  times.reduce((longest, at, i) => Math.max(longest, at - (times[i - 1] ?? at)), 0)

let over = 0
let most = 0
let longestMs = 0
let done = 0
console.log(`${faultCount} faults, seed ${seed}, Node ${process.version}`)
while (done < faultCount) {
  await using server = await startRedis()
  const redis = async (...command: string[]) =>
    (await run('redis-cli', ['-h', '127.0.0.1', '-p', String(server.port), ...command])).stdout
  await using processes = await startProcesses(worker, processCount, server.port, () => random() * 40)
  const { arrivals } = processes
  const session: Session = { server, processes, alive: [...processes.pids], redis }
  await processes.until(() => arrivals.length >= 40, 60)
  const from = arrivals.length
  for (let i = 0; i < faultsPerSession && done < faultCount; i++, done++) {
    const [name, cause] = pick(faults)
    const first = arrivals.length
    const startedAt = performance.now()
    await cause(session).catch((error: unknown) => console.log(`  ${name}: ${String(error)}`))
    const faultMs = performance.now() - startedAt
    await sleep(watchMs * (0.5 + random()))
    await processes.until(() => arrivals.length >= first + 10, 30)
    const gap = longestGap(arrivals.slice(Math.max(0, first - 1)).map(({ at }) => at))
    longestMs = Math.max(longestMs, gap - faultMs)
    console.log(
      `  ${name}, ${(faultMs / 1000).toFixed(1)} s: ${arrivals.length - first} arrivals, ${(gap / 1000).toFixed(1)} s without one`,
    )
  }
  const judged = judgeArrivals(arrivals.slice(from).map(({ at }) => at))
  over += judged.over
  most = Math.max(most, judged.most)
}
console.log(
  `${done} faults: ${over} arrivals over the limit, worst second ${most}, longest standstill beyond a fault ${(longestMs / 1000).toFixed(1)} s`,
)
if (over > 0 || longestMs > 15_000) process.exitCode = 1

/**
 * Eight processes with one key, sharing a throttle in Redis, while Redis, its keys and the processes fail: 60 faults in
 * random order, 12 with each set of processes. The service that they send to judges the arrivals. Takes about ten
 * minutes, and needs redis-server and redis-cli.
 *
 *     pnpm --dir bench redis:faults [faults] [seed] [part of the names of the faults]
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
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
  /** The master; after a failover another one. */
  server: RedisServer
  /** Everything to end with the session. */
  readonly stack: AsyncDisposableStack
  readonly processes: Processes
  readonly alive: number[]
  /** Sends a command to the master. */
  readonly redis: (...command: string[]) => Promise<string>
  /** Closes the connections of the processes. They connect again, to the master. */
  readonly disconnect: () => void
}

const command = async (port: number, ...words: string[]): Promise<string> =>
  (await run('redis-cli', ['-h', '127.0.0.1', '-p', String(port), ...words])).stdout

/** Listens on a port of its own and connects whoever comes to the port that `target` returns then. */
const startProxy = async (target: () => number) => {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target(), '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from)
          to.destroy()
        })
      from.pipe(to)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const disconnect = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    disconnect,
    [Symbol.asyncDispose]: async () => {
      server.close()
      disconnect()
    },
  }
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

/**
 * The master ends, and `downMs` later its replica takes over. What the master had written last may be missing there.
 * `keepsData` false: the replica was disconnected two seconds before.
 */
const failover =
  (downMs: number, keepsData: boolean) =>
  async (session: Session): Promise<void> => {
    const { server: master, stack } = session
    const replica = stack.use(await startRedis(['--replicaof', '127.0.0.1', String(master.port)]))
    while (!(await command(replica.port, 'INFO', 'replication')).includes('master_link_status:up')) await sleep(50)
    if (!keepsData) {
      await command(replica.port, 'REPLICAOF', 'NO', 'ONE')
      await sleep(2000)
    }
    await master.stop()
    await sleep(downMs)
    await command(replica.port, 'REPLICAOF', 'NO', 'ONE')
    session.server = replica
    session.disconnect()
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
  ['replaced by its replica at once', failover(0, true)],
  ['replaced by its replica after 2 s', failover(2000, true)],
  ['replaced by a replica that is 2 s behind', failover(0, false)],
  ['frozen for 0.8 s', freeze(800)],
  ['frozen for 4 s', freeze(4000)],
  ['a process suspended for 3 s', suspendProcess(3000)],
  ['a process killed', killProcess],
]

const chosen = faults.filter(([name]) => name.includes(process.argv[4] ?? ''))

/** The longest time without an arrival. */
const longestGap = (times: readonly number[]): number =>
  times.reduce((longest, at, i) => Math.max(longest, at - (times[i - 1] ?? at)), 0)

let over = 0
let most = 0
let longestMs = 0
let done = 0
console.log(`${faultCount} faults, seed ${seed}, Node ${process.version}`)
while (done < faultCount) {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await startRedis())
  const proxy = stack.use(await startProxy(() => session.server.port))
  const processes = stack.use(await startProcesses(worker, processCount, proxy.port, () => random() * 40))
  const { arrivals, pids } = processes
  const session: Session = {
    server,
    stack,
    processes,
    alive: [...pids],
    redis: async (...words) => command(session.server.port, ...words),
    disconnect: proxy.disconnect,
  }
  await processes.until(() => arrivals.length >= 40, 60)
  const from = arrivals.length
  for (let i = 0; i < faultsPerSession && done < faultCount; i++, done++) {
    const [name, cause] = pick(chosen)
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

/**
 * Whether eleven requests arrive in a second when a process stands still directly after ten calls of `fetch`: blocked for
 * 22 s, and stopped with SIGSTOP for 25 s, with a throttle of its own and with one in Redis:
 * `pnpm --dir bench standstill`. Takes 40 s; needs redis-server.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { judgeArrivals } from '../../packages/test-kit/src/judge-arrivals.ts'
import { startRedis } from '../../packages/test-kit/src/redis-server.ts'

const stoppedMs = 25_000

const worker = fileURLToPath(new URL('../../packages/sdk/test/standstill-worker.ts', import.meta.url))

const page = JSON.stringify({
  success: true,
  data: [],
  pagination: { page: 1, limit: 20, total: 0, totalPages: 0 },
  summary: { totalTransactions: 0, totalValue: 0, uniqueUsers: 0 },
})

/** Runs a process against a service of its own. Returns how its requests arrived. */
const judge = async (how: string, redisPort: readonly string[]) => {
  const arrivals: number[] = []
  const service = createServer((_request, response) => {
    arrivals.push(performance.now())
    response.end(page)
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const address = service.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const child = spawn(
    process.execPath,
    ['--conditions=@guild-ledger/source', worker, `http://127.0.0.1:${port}`, how, ...redisPort],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const timer = setTimeout(() => child.kill('SIGCONT'), stoppedMs + 3000)
  await once(child, 'exit')
  clearTimeout(timer)
  service.closeAllConnections()
  service.close()
  return judgeArrivals(arrivals)
}

await using redis = await startRedis()
const port = String(redis.port)
const runs: [how: string, redisPort: string[]][] = [
  ['blocked', []],
  ['blocked', [port]],
  ['stopped', []],
  ['stopped', [port]],
]
await Promise.all(
  runs.map(async ([how, redisPort]) => {
    const { most, over, arrivals } = await judge(how, redisPort)
    const where = redisPort.length > 0 ? 'with Redis' : 'in process'
    console.log(`${how}, ${where}: at most ${most} in a second, ${over} over, ${arrivals} arrivals`)
  }),
)

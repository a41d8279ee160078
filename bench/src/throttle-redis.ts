/**
 * Eight processes with one key, sharing a throttle in Redis, against a service that logs arrivals. First undisturbed, then
 * with two of them killed and Redis restarted empty in the middle. Needs redis-server.
 *
 *     pnpm --dir bench throttle:redis [seconds]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startProcesses, type Arrival } from '../../packages/test-kit/src/service-processes.ts'
import { startRedis } from '../../packages/test-kit/src/redis-server.ts'
import { judgeArrivals } from '../../packages/test-kit/src/judge-arrivals.ts'

const seconds = Number(process.argv[2] ?? 60)
const count = 8
const oneWayMs = 25
const ruleRate = 10 / (1.002 + (2 * oneWayMs) / 1000)

const shares = (arrivals: readonly Arrival[], pids: readonly number[]): string => {
  const each = pids.map((pid) => arrivals.filter((arrival) => arrival.pid === pid).length)
  const fair = each.reduce((sum, n) => sum + n, 0) / pids.length
  const off = Math.max(...each.map((n) => Math.abs(n / fair - 1)))
  return `${each.join(', ')} (at most ${(off * 100).toFixed(0)} % off the fair share)`
}

const report = (title: string, arrivals: readonly Arrival[], pids: readonly number[], lasted: number): void => {
  const { over, most } = judgeArrivals(arrivals.map(({ at }) => at))
  const perSecond = arrivals.length / lasted
  const relative = ((perSecond / ruleRate) * 100).toFixed(1)
  console.log(`${title}: ${arrivals.length} arrivals, ${over} over, worst second ${most}`)
  console.log(
    `  ${perSecond.toFixed(2)} per second, ${relative} % of rule R at ${2 * oneWayMs} ms (${ruleRate.toFixed(2)})`,
  )
  console.log(`  requests of each process: ${shares(arrivals, pids)}`)
}

console.log(
  `${count} processes, ${seconds} s each run, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}\n`,
)
{
  await using server = await startRedis()
  await using processes = await startProcesses(
    new URL('../../packages/sdk/test/redis-worker.ts', import.meta.url),
    count,
    server.port,
    () => oneWayMs,
  )
  await processes.until(() => processes.arrivals.length >= 20, 30)
  const from = processes.arrivals.length
  await sleep(seconds * 1000)
  const arrivals = processes.arrivals.slice(from)
  report('undisturbed', arrivals, processes.pids, seconds)
}
{
  await using server = await startRedis()
  await using processes = await startProcesses(
    new URL('../../packages/sdk/test/redis-worker.ts', import.meta.url),
    count,
    server.port,
    () => oneWayMs,
  )
  const { arrivals, pids } = processes
  await processes.until(() => arrivals.length >= 20, 30)
  const from = arrivals[0]?.at ?? 0
  await sleep(seconds * 500)
  await Promise.all(pids.slice(0, 2).map((pid) => processes.kill(pid)))
  const killed = arrivals.length
  await sleep(3000)
  await server.stop()
  await sleep(500)
  await server.start()
  const upAt = performance.now()
  const before = arrivals.length
  await processes.until(() => arrivals.length > before && performance.now() > upAt, 30)
  const recoveredMs = (arrivals[before]?.at ?? Infinity) - upAt
  await sleep(seconds * 500)
  report('two killed, then Redis restarted empty', arrivals.slice(), pids.slice(2), (performance.now() - from) / 1000)
  console.log(`  between the kill and the restart: ${shares(arrivals.slice(killed, before), pids.slice(2))}`)
  console.log(`  first request after Redis was up again: ${(recoveredMs / 1000).toFixed(2)} s`)
  const late = arrivals.filter(({ at }) => at > upAt + 6000)
  report('from 6 s after the restart', late, pids.slice(2), (performance.now() - upAt) / 1000 - 6)
}

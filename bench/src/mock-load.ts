/**
 * The served mock under load: errors, memory over time, and response times compared to a bare `node:http` server that
 * writes the same bytes. Each runs in its own process; autocannon in a third one sends requests to them in turns.
 *
 *     pnpm --dir bench mock:load [seconds at each number of connections] [options of guild-ledger-mock]
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { mean, quantile } from './statistics.ts'

const run = promisify(execFile)
const print = (line: string) => process.stdout.write(`${line}\n`)
const [duration = '60', ...options] = process.argv.slice(2)
const seconds = Number(duration)
const sliceSeconds = Math.min(5, seconds)
const slices = Math.round(seconds / sliceSeconds)
// V8 lets the heap grow for more than a minute before its size settles.
const warmUpSeconds = Math.min(100, 2 * seconds)
const cli = new URL('../../packages/mock-server/dist/cli.js', import.meta.url).pathname
const client = new URL('mock-load-client.ts', import.meta.url).pathname
const target = '/guild/ledger/transactions?limit=20'

const started = async (...args: string[]) => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill())
  const [ready] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, ready: ready.toString() }
}
const mock = await started(cli, '--port', '0', '--json', '--rate-limit', 'off', ...options)
const { url, apiKey } = JSON.parse(mock.ready) as { url: string; apiKey: string }
const page = await fetch(url + target, { headers: { 'x-api-key': apiKey, 'accept-encoding': 'identity' } })
const headers = Object.fromEntries([...page.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name)))

const bareProgram = `
const [body, headers] = process.argv.slice(1)
const server = require('node:http').createServer((_, out) => out.writeHead(200, JSON.parse(headers)).end(body))
server.listen(0, '127.0.0.1', () => process.stdout.write('http://127.0.0.1:' + server.address().port))`
const bare = await started('-e', bareProgram, await page.text(), JSON.stringify(headers))
const children = { mock: mock.child, bare: bare.child }
const urls = { mock: url + target, bare: bare.ready + target }

interface Load {
  readonly failed: number
  /** The time of each response, in nanoseconds. */
  readonly times: readonly number[]
}
const load = async (name: keyof typeof urls, connections: number, forSeconds: number): Promise<Load> => {
  const args = [client, urls[name], apiKey, String(connections), String(forSeconds)]
  const { stdout } = await run(process.execPath, args, { maxBuffer: 2 ** 30 })
  return JSON.parse(stdout) as Load
}

const residentMiB = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${mock.child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** The processor time that a process has used, in milliseconds. */
const usedMs = ({ pid }: { pid?: number | undefined }) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

/** The slope of a line through some points, by least squares. */
const slopeOf = (points: readonly (readonly [x: number, y: number])[]): number => {
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return above / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
}

await load('mock', 64, warmUpSeconds)
await load('bare', 8, Math.min(2, warmUpSeconds))
for (const connections of [8, 64]) {
  const times: Record<keyof typeof urls, number[][]> = { mock: [], bare: [] }
  const used = { mock: 0, bare: 0 }
  const memory: [minutes: number, mebibytes: number][] = []
  let failed = 0
  await load('mock', connections, warmUpSeconds / 5)
  for (let slice = 0; slice < slices; slice++) {
    for (const name of slice % 2 === 0 ? (['mock', 'bare'] as const) : (['bare', 'mock'] as const)) {
      const begin = performance.now()
      const timer = setInterval(() => {
        // Only under load: idle times in between would flatten the line.
        if (name === 'mock') {
          memory.push([(slice * sliceSeconds + (performance.now() - begin) / 1000) / 60, residentMiB()])
        }
      }, 250)
      const before = usedMs(children[name])
      const loaded = await load(name, connections, sliceSeconds)
      used[name] += usedMs(children[name]) - before
      clearInterval(timer)
      failed += loaded.failed
      times[name].push([...loaded.times])
    }
  }
  const figures = (['mock', 'bare'] as const).map((name) => {
    const all = times[name].flat()
    const [p50, p99] = [0.5, 0.99].map((share) => Math.round(quantile(all, share) / 1000))
    const cpu = (used[name] * 1000) / all.length
    print(
      `${connections} connections, ${name}: ${Math.round(all.length / seconds)} responses per second, ` +
        `p50 ${p50} µs, p99 ${p99} µs, ${cpu.toFixed(1)} µs of CPU each`,
    )
    return { p50, cpu }
  })
  const times50 = (figures[0]?.p50 ?? 0) / (figures[1]?.p50 ?? 1)
  const timesCpu = (figures[0]?.cpu ?? 0) / (figures[1]?.cpu ?? 1)
  print(
    `${connections} connections: ${failed} failed; p50 ${times50.toFixed(2)} and CPU ${timesCpu.toFixed(2)} times those of ` +
      `the bare server; memory ${residentMiB().toFixed(0)} MiB, ${slopeOf(memory).toFixed(2)} MiB a minute`,
  )
  if (failed > 0) process.exitCode = 1
}
bare.child.kill()
mock.child.kill('SIGTERM')
await once(mock.child, 'exit')

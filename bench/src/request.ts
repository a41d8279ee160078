/**
 * CPU of one request for a page of 100 transactions, in the client's process, one after another and eight at a time.
 * All clients in one run, interleaved in small rounds in changing order; medians of the rounds.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { clientsOf } from './clients.ts'
import { median } from './statistics.ts'

const rounds = Number(process.argv[2] ?? 60)
const requests = Number(process.argv[3] ?? 40)

const server = fork(new URL('server.ts', import.meta.url))
const [port] = (await once(server, 'message')) as [number]
const clients = Object.entries(clientsOf(port))

/** Microseconds of CPU per request. */
const cost = async (request: () => Promise<unknown>, concurrency: number): Promise<number> => {
  const before = process.cpuUsage()
  for (let sent = 0; sent < requests; sent += concurrency) {
    await Promise.all(Array.from({ length: concurrency }, request))
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / requests
}

for (const concurrency of [1, 8]) {
  const costs = new Map<string, number[]>(clients.map(([name]) => [name, []]))
  for (const [, request] of clients) for (let i = 0; i < 5; i += 1) await cost(request, concurrency)
  for (let round = 0; round < rounds; round += 1) {
    const start = round % clients.length
    for (const [name, request] of [...clients.slice(start), ...clients.slice(0, start)]) {
      globalThis.gc?.()
      costs.get(name)?.push(await cost(request, concurrency))
    }
  }
  const base = median(costs.get('fetch + json()') ?? [])
  process.stdout.write(
    `\n${concurrency === 1 ? 'one after another' : `${concurrency} at a time`}: µs of CPU per request, times fetch + json()\n`,
  )
  for (const [name, values] of costs) {
    const value = median(values)
    process.stdout.write(`  ${name.padEnd(20)} ${value.toFixed(0).padStart(6)}  ${(value / base).toFixed(2)}\n`)
  }
}
server.disconnect()

/**
 * Hostile requests over raw sockets against a served mock: no unexpected response, no stack in a body, no crash;
 * and the memory of the server meanwhile (Linux only).
 *
 *     pnpm --dir bench mock:fuzz [requests]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fuzz } from '../../packages/mock-server/test/fuzz.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
const requests = Number(process.argv[2] ?? 50_000)
const rounds = 10
const cli = new URL('../../packages/mock-server/src/cli/main.ts', import.meta.url).pathname

const flags = ['--port', '0', '--json', '--cors', '--rate-limit', 'off']
// A small heap, which leaked requests would soon fill.
const smallHeap = ['--max-old-space-size=64', '--max-semi-space-size=2']
const server = spawn(process.execPath, [...smallHeap, '--conditions=@guild-ledger/source', cli, ...flags], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
process.once('exit', () => server.kill())
const [ready] = (await once(server.stdout, 'data')) as [Buffer]
const { url, apiKey } = JSON.parse(ready.toString()) as { url: string; apiKey: string }

const residentMiB = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

const statuses: Record<string, number> = {}
let sent = 0
let failed = false
for (let round = 1; round <= rounds; round++) {
  const some = await fuzz({ port: Number(new URL(url).port), apiKey, requests: requests / rounds, seed: round })
  sent += some.sent
  for (const [status, count] of Object.entries(some.statuses)) statuses[status] = (statuses[status] ?? 0) + count
  for (const finding of some.findings) print(finding)
  failed ||= some.findings.length > 0
  print(`${String(sent).padStart(7)} requests   ${residentMiB().toFixed(1).padStart(6)} MiB resident`)
}
print(
  Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join('   '),
)

const response = await fetch(`${url}/guild/ledger/transactions`, { headers: { 'x-api-key': apiKey } })
print(`a valid request afterwards: ${response.status}`)
server.kill('SIGTERM')
const [code] = (await once(server, 'close')) as [number]
print(`exit code of the server: ${code}`)
process.exitCode = failed || response.status !== 200 || code !== 0 ? 1 : 0

/** From the start of a fresh process to its first page: wall time, medians of interleaved runs. */
import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { median } from './statistics.ts'

const run = promisify(execFile)
const rounds = Number(process.argv[2] ?? 21)
const server = fork(new URL('server.ts', import.meta.url))
const [port] = (await once(server, 'message')) as [number]
const origin = `http://127.0.0.1:${port}`
const path = '/guild/ledger/transactions?limit=100'
const key = 'a-key-of-24-characters-x'

const programs: Record<string, string> = {
  'node, nothing': '',
  'fetch + json()': `await (await fetch('${origin}${path}', { headers: { 'x-api-key': '${key}' } })).json()`,
  'ky + zod/mini': `import ky from 'ky'; import * as z from 'zod/mini'; z.object({ success: z.literal(true) }).parse(await ky('${origin}${path}').json())`,
  '@guild-ledger/sdk': `import { GuildLedger } from '@guild-ledger/sdk'; await new GuildLedger({ apiKey: '${key}', baseUrl: '${origin}' }).transactions.list({ limit: 100 })`,
  got: `import got from 'got'; await got('${origin}${path}').json()`,
  openai: `import OpenAI from 'openai'; await new OpenAI({ apiKey: '${key}', baseURL: '${origin}' }).get('${path}')`,
  '@octokit/core': `import { Octokit } from '@octokit/core'; await new Octokit({ baseUrl: '${origin}' }).request('GET ${path}')`,
  stripe: `import Stripe from 'stripe'; await new Stripe('${key}', { host: '127.0.0.1', port: ${port}, protocol: 'http' }).rawRequest('GET', '${path}')`,
}

const times = new Map<string, number[]>(Object.keys(programs).map((name) => [name, []]))
for (let round = 0; round < rounds; round += 1) {
  for (const [name, code] of Object.entries(programs)) {
    const startedAt = performance.now()
    await run(process.execPath, ['--input-type=module', '--eval', code])
    times.get(name)?.push(performance.now() - startedAt)
  }
}
server.disconnect()

const nothing = median(times.get('node, nothing'))
const raw = median(times.get('fetch + json()'))
process.stdout.write('from start to first page: ms, times fetch + json(), the same less the start of node itself\n')
for (const [name, own] of times) {
  const ms = median(own)
  const net = ((ms - nothing) / (raw - nothing)).toFixed(2)
  process.stdout.write(`  ${name.padEnd(20)} ${ms.toFixed(0).padStart(5)}  ${(ms / raw).toFixed(2)}  ${net}\n`)
}

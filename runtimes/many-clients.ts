/**
 * Makes 2,000 clients, each with a key of its own and one call, in a process of each Node: as a bot does that has a client
 * for each of its guilds. Fails if a process dies or takes much more memory than one without clients. Garbage
 * is collected on the way: how much of it piles up by default differs between versions of Node by 100 MiB.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const clients = 2000
const mostMiB = 130

const page = JSON.stringify({
  success: true,
  data: [],
  pagination: { page: 1, limit: 20, total: 0, totalPages: 0 },
  summary: { totalTransactions: 0, totalValue: 0, uniqueUsers: 0 },
})
// It echoes the key, as a service may, so that there is something to redact.
const server = createServer((request, response) => {
  response.writeHead(200, {
    'content-type': 'application/json',
    'x-echo': encodeURIComponent(String(request.headers['x-api-key'])),
  })
  response.end(page)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const program = `
  import { GuildLedger } from ${JSON.stringify(import.meta.resolve('@guild-ledger/sdk'))}
  const megabytes = () => process.memoryUsage().rss / 2 ** 20
  const one = (i) => new GuildLedger({ baseUrl: '${baseUrl}', apiKey: 'key+of/guild-' + String(i).padStart(20, '0') })
  const before = megabytes()
  const clients = []
  const callOnce = async () => {
    const client = one(clients.length)
    clients.push(client)
    const { response } = await client.transactions.list()
    if (response.headers.get('x-echo') !== '[api key]') throw new Error('a key was not redacted')
  }
  while (clients.length < ${clients}) {
    await Promise.all(Array.from({ length: 50 }, callOnce))
    if (clients.length % 500 === 0) gc()
  }
  console.log(JSON.stringify({ clients: clients.length, grownMiB: Math.round(megabytes() - before) }))
`

const run = promisify(execFile)
// With `CASES`, as before a release, all of them.
for (const version of process.env.CASES ? ['22', '24', '26'] : ['24']) {
  const node = join(resolve(import.meta.dirname), `node_modules/node-${version}/bin/node`)
  try {
    const { stdout } = await run(
      node,
      ['--expose-gc', '--max-semi-space-size=16', '--input-type=module', '--eval', program],
      {
        timeout: 120_000,
      },
    )
    const { clients: made, grownMiB } = JSON.parse(stdout) as { clients: number; grownMiB: number }
    const verdict = made === clients && grownMiB <= mostMiB ? '' : 'FAILED: '
    if (verdict) process.exitCode = 1
    process.stdout.write(`${verdict}Node ${version}: ${made} clients, ${grownMiB} MiB (at most ${mostMiB})\n`)
  } catch (error) {
    process.exitCode = 1
    process.stdout.write(
      `FAILED: Node ${version}: ${error instanceof Error ? error.message.slice(0, 2000) : String(error)}\n`,
    )
  }
}
server.close()

/**
 * Builds a project of Next.js with the SDK in server components, and starts it. One page is rendered by the build, the
 * other for each request: Next.js leaves its build by an error that `fetch` throws, which has to reach it as it is.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createMockLedger, createTransactionFactory } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'

const mock = createMockLedger({ transactions: 3 })
const { guild } = mock
await using service = await startMockServer({ mock })
const env = {
  ...process.env,
  GUILD_LEDGER_BASE_URL: service.url,
  GUILD_LEDGER_API_KEY: guild.apiKey,
  NEXT_TELEMETRY_DISABLED: '1',
}

/** Runs a command of Next.js; what it prints is in `printed`. */
const start = (...args: string[]) => {
  const cwd = import.meta.dirname
  const child = spawn(process.execPath, [join(cwd, 'node_modules/next/dist/bin/next'), ...args], { cwd, env })
  const running = { child, printed: '' }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (running.printed += String(chunk)))
  return running
}
const say = (line: string) => process.stdout.write(`${line}\n`)

const from = performance.now()
const build = start('build')
const [code] = (await once(build.child, 'close')) as [number | null]
// Dynamic, static; a warning of the SDK is a retry.
const isRight =
  /ƒ \/\n/.test(build.printed) && /○ \/built\n/.test(build.printed) && !/guild-ledger:/.test(build.printed)
if (code !== 0 || !isRight) throw new Error(`next build: exit code ${code}\n${build.printed}`)
say(`next build: one page is static, one is dynamic (${((performance.now() - from) / 1000).toFixed(0)} s)`)

const server = start('start', '--hostname', '127.0.0.1', '--port', '0')
try {
  let address: string | undefined
  while (address === undefined) {
    await once(server.child.stdout, 'data')
    address = /http:\/\/127\.0\.0\.1:\d+/.exec(server.printed)?.[0]
  }
  const totalOn = async (path: string): Promise<string | undefined> => {
    const html = await (await fetch(`${address}${path}`)).text()
    if (html.includes(guild.apiKey)) throw new Error(`the key is in ${path}`)
    return /(\d+) transactions/.exec(html)?.[1]
  }
  const totals = async () => [await totalOn('/'), await totalOn('/built')].join(', ')
  const before = await totals()
  guild.add([createTransactionFactory()()])
  const after = await totals()
  if (before !== '3, 3' || after !== '4, 3') throw new Error(`next start: ${before}, then ${after}\n${server.printed}`)
  say('next start: the dynamic page shows a transaction that was added after the build')
} finally {
  server.child.kill()
}

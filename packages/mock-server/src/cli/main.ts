#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { styleText } from 'node:util'
import { startMockServer, type MockServer } from '../adapters/node/server.ts'
import { createAdmin, createMockClock, isLoopback, type MockClock } from '../admin/index.ts'
import type { MockLedger } from '../index.ts'
import { help } from './help.ts'
import { loadMock } from './load.ts'
import { parseOptions, type CommandLine } from './options.ts'
import { createRequestPrinter } from './request-log.ts'
import { UsageError } from './usage-error.ts'

const print = (text: string) => process.stdout.write(`${text}\n`)
const printError = (text: string) => process.stderr.write(`${text}\n`)

const packageVersion = () =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version

const dim = (text: string) => styleText('dim', text)

/** The admin API is open to the network only with a token. */
const hasAdmin = ({ host, adminToken }: CommandLine) => adminToken !== undefined || isLoopback(host)

const readyText = ({ url }: MockServer, { apiKey, guild }: MockLedger, hasDashboard: boolean): string => {
  const { transactions } = guild
  const users = new Set(transactions.map(({ platformId }) => platformId)).size
  // The key is behind the #, which a browser does not send.
  const dashboard = hasDashboard ? `\n  ${dim('dashboard')}  ${url}/_mock/#key=${encodeURIComponent(apiKey)}` : ''
  return `guild-ledger mock listening on ${url}
  ${dim('api key')}    ${apiKey}
  ${dim('ledger')}     ${transactions.length} transactions of ${users} users in ${guild.id}
  ${dim('try')}        curl -H 'x-api-key: ${apiKey}' '${url}/guild/ledger/transactions?limit=3'${dashboard}
  ${dim('stop')}       Ctrl+C`
}

const adminOf = (options: CommandLine, mock: MockLedger, clock: MockClock) => {
  const { adminToken: token } = options
  return hasAdmin(options) ? { routes: createAdmin(mock, { clock, ...(token && { token }) }) } : {}
}

const startServer = async (options: CommandLine, mock: MockLedger, clock: MockClock): Promise<MockServer> => {
  const { port, host, cors = false, log = false, json = false } = options
  try {
    return await startMockServer({
      mock,
      port,
      host,
      cors,
      ...adminOf(options, mock, clock),
      ...(log && { onResponse: createRequestPrinter(process.stderr, json) }),
    })
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}

// How long output such as the log may still take once the server is closed, in milliseconds.
const flushTimeoutMs = 100

const serve = async (options: CommandLine): Promise<void> => {
  let server: MockServer | undefined
  const stop = async () => {
    await server?.close()
    // Without this a parent that never reads our log would keep this process running.
    setTimeout(() => process.exit(), flushTimeoutMs).unref()
  }
  // Once each: a second signal ends the process immediately.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
  const clock = createMockClock()
  const mock = await loadMock(options, clock.now)
  server = await startServer(options, mock, clock)
  const { apiKey, guild } = mock
  print(
    options.json
      ? JSON.stringify({ url: server.url, apiKey, guildId: guild.id })
      : readyText(server, mock, hasAdmin(options)),
  )
}

const main = async (): Promise<void> => {
  try {
    const [command, ...args] = process.argv.slice(2)
    if (command === 'sweep') {
      // Not loaded with the server: it starts faster without.
      const { runSweep } = await import('./sweep.ts')
      process.exitCode = await runSweep(args)
      return
    }
    if (command === 'probe') {
      const { runProbe } = await import('./probe.ts')
      process.exitCode = await runProbe(args, process.env)
      return
    }
    const options = parseOptions(process.argv.slice(2), process.env)
    if (options.help) return void process.stdout.write(help)
    if (options.version) return void print(packageVersion())
    await serve(options)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    printError(`guild-ledger-mock: ${error.message}`)
    process.exitCode = 2
  }
}

// Readers of our output may go away first, as `head -1` does: no reason to end the server.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
await main()

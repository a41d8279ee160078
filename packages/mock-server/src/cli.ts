#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { styleText } from 'node:util'
import { createAdmin, createClock, isLoopback, type Clock } from './admin/index.ts'
import { startMockServer, type MockServer } from './carriers/node.ts'
import { help } from './command-line/help.ts'
import { ledgerOf } from './command-line/load.ts'
import { readOptions, type CommandLine } from './command-line/options.ts'
import { createRequestLog } from './command-line/request-log.ts'
import { UsageError } from './command-line/usage-error.ts'
import type { Ledger } from './mock-ledger/index.ts'

const print = (text: string) => process.stdout.write(`${text}\n`)
const complain = (text: string) => process.stderr.write(`${text}\n`)

const version = () =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version

const faint = (text: string) => styleText('dim', text)

/** To the network the admin API is opened only with a token. */
const hasAdmin = ({ host, adminToken }: CommandLine) => adminToken !== undefined || isLoopback(host)

const ready = ({ url }: MockServer, { apiKey, guild }: Ledger, hasPage: boolean): string => {
  const { transactions } = guild
  const users = new Set(transactions.map((row) => row.platformId)).size
  // Behind the # the key is for the page alone: a browser sends it to nobody.
  const page = hasPage ? `\n  ${faint('page')}     ${url}/_mock/#key=${encodeURIComponent(apiKey)}` : ''
  return `guild-ledger mock listening on ${url}
  ${faint('api key')}  ${apiKey}
  ${faint('ledger')}   ${transactions.length} transactions of ${users} users in ${guild.id}
  ${faint('try')}      curl -H 'x-api-key: ${apiKey}' '${url}/guild/ledger/transactions?limit=3'${page}
  ${faint('end')}      Ctrl+C`
}

const adminOf = (options: CommandLine, mock: Ledger, clock: Clock) => {
  const { adminToken: token } = options
  return hasAdmin(options) ? { beside: createAdmin(mock, { clock, ...(token && { token }) }) } : {}
}

const start = async (options: CommandLine, mock: Ledger, clock: Clock): Promise<MockServer> => {
  const { port, host, cors = false, log = false, json = false } = options
  try {
    return await startMockServer({
      mock,
      port,
      host,
      cors,
      ...adminOf(options, mock, clock),
      ...(log && { onServed: createRequestLog(process.stderr, json) }),
    })
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}

// What is still to be written when the server has ended, such as its log, may take this long, in milliseconds.
const lingerMs = 100

const serve = async (options: CommandLine): Promise<void> => {
  let server: MockServer | undefined
  const end = async () => {
    await server?.close()
    // Without this a parent that never reads our log would keep us for ever.
    setTimeout(() => process.exit(), lingerMs).unref()
  }
  // Once each: whoever asks a second time does not want to wait.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end())
  const clock = createClock()
  const mock = await ledgerOf(options, clock.now)
  server = await start(options, mock, clock)
  const { apiKey, guild } = mock
  print(
    options.json
      ? JSON.stringify({ url: server.url, apiKey, guildId: guild.id })
      : ready(server, mock, hasAdmin(options)),
  )
}

const main = async (): Promise<void> => {
  try {
    const options = readOptions(process.argv.slice(2), process.env)
    if (options.help) return void process.stdout.write(help)
    if (options.version) return void print(version())
    await serve(options)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    complain(`guild-ledger-mock: ${error.message}`)
    process.exitCode = 2
  }
}

// Whoever reads our output may go away first, as `head -1` does: no reason to end the server.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
await main()

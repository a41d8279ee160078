import { styleText } from 'node:util'
import { printable } from '@guild-ledger/validation/command-line'
import type { MockServer } from '../adapters/node/server.ts'
import type { MockLedger } from '../index.ts'
import { isLoopback } from '../admin/index.ts'
import { parseOptions, type CommandLine } from './options.ts'
import { startWith } from './start.ts'
import { UsageError } from './flags.ts'

export interface Output {
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
}

const dim = (text: string) => styleText('dim', text)

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

/** Where the parent is gone, nobody holds the other end of its pipe to us. */
const stopAtEndOf = (stdin: NodeJS.ReadStream, stop: AbortController, { stderr }: Output): void => {
  stdin.once('end', () => {
    stderr('guild-ledger-mock: stdin has ended, stopping\n')
    stop.abort()
  })
  stdin.on('error', () => {})
  stdin.resume()
}

const serve = async (options: CommandLine, output: Output, stop: AbortController): Promise<void> => {
  const stopped = new Promise<undefined>((resolve) => {
    stop.signal.addEventListener('abort', () => resolve(undefined))
  })
  if (options.exitWithParent) stopAtEndOf(process.stdin, stop, output)
  const start = async () => {
    const { server, mock, guilds } = await startWith(options)
    const { apiKey, guild } = mock
    const ready = options.json
      ? JSON.stringify({ url: server.url, apiKey, guildId: guild.id, ...(guilds && { guilds }) })
      : readyText(server, mock, options.adminToken !== undefined || isLoopback(options.host))
    output.stdout(`${ready}\n`)
    return server
  }
  try {
    const server = await Promise.race([start(), stopped])
    await stopped
    await server?.close()
  } finally {
    // An open stdin would keep this process running.
    if (options.exitWithParent) process.stdin.pause()
  }
}

/** Runs the command line and resolves with the exit code: of a server once `stop` is aborted. */
export const runCommandLine = async (
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  output: Output,
  stop = new AbortController(),
): Promise<number> => {
  try {
    const options = parseOptions(args, environment, {
      print: output.stdout,
      warn: (sentence) => output.stderr(`guild-ledger-mock: ${printable(sentence)}\n`),
    })
    if (options) await serve(options, output, stop)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    output.stderr(`guild-ledger-mock: ${printable(error.message)}\n`)
    return 2
  }
}

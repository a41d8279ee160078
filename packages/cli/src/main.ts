#!/usr/bin/env node
import { GuildLedgerError } from '@guild-ledger/sdk'
import { parseWith } from '@guild-ledger/validation/command-line'
import { Command, Option } from 'commander'
import { exitCodes, explain, say, usageError } from './exit.ts'
import { exportLedger } from './export/export.ts'
import type { ExportFlags } from './export/options.ts'
import { formats } from './export/receipt.ts'
import {
  addClientOptions,
  addFilterOptions,
  filterNames,
  formatUnknownOption,
  integerBetween,
  secondsOption,
  versions,
  watchFilterNames,
} from './flags.ts'
import { serveGateway, type GatewayFlags } from './gateway/gateway.ts'
import { untilSignal } from './signals.ts'
import { watchLedger, type WatchFlags } from './watch.ts'
import { verify, type VerifyFlags } from './verify.ts'

const help = `
Exit codes: 0 done and complete; 1 an error of the service, the network or this machine; 2 a mistake in the call;
3 the key is not accepted; 4 complete, but the ledger shrank or changed in a way that could not be repaired, or a file
differs from its receipt; 5 ended early (SIGTERM, or whoever read the output left); 130 Ctrl+C.`

/** What was asked for, once the command line is parsed. */
const asked: { run?: (signal: AbortSignal) => Promise<number | void> } = {}

const program = new Command('guild-ledger')
  .description('The ledger of a guild for people, scripts and programs in every language.')
  .version(versions.cli)
  .addHelpText('after', help)
const addVerb = (name: string, about: string): Command => addClientOptions(program.command(name).description(about))

addVerb('verify', 'Tells whether the API key works, and for what.')
  .option('--verbose', 'a table instead of a line')
  .action((flags: VerifyFlags) => void (asked.run = (signal) => verify(flags, signal)))

addFilterOptions(addVerb('export', 'Writes the transactions to a file or to standard output, each once.'), filterNames)
  .addOption(new Option('--format <FORMAT>', 'format of the output').choices(formats))
  .option('--days <N>', 'only the last N whole calendar days and today', integerBetween(0, 36_500))
  .option('--time-zone <ZONE>', 'time zone of the days, such as Europe/Berlin (that of this machine)')
  .option('--out <FILE>', 'file to write, whole or not at all (standard output)')
  .option('--force', 'overwrite the file')
  .option('--excel', 'CSV that spreadsheets read right: a byte order mark, and IDs as text')
  .option('--state <FILE>', 'export what is new since the run before, which left this file')
  .option('--full', 'with --state: export everything again, and name what vanished')
  .option('--receipt <FILE>', 'write a proof of what was exported')
  .option('--check <RECEIPT>', 'check a file against its receipt; needs no key')
  .option('--config <FILE>', 'Singer: JSON with base_url, api_key_env and filters')
  .option('--catalog <FILE>', 'Singer: which fields to export')
  .option('--discover', 'Singer: print the catalog')
  .addOption(secondsOption('--retry-for', 'how long to wait for a service that is away', 0, 60))
  .argument('[file]', 'file to check')
  .action((file: string | undefined, flags: ExportFlags) => {
    asked.run = (signal) => exportLedger(flags, file, signal)
  })

addFilterOptions(addVerb('watch', 'Prints new transactions as they appear, until Ctrl+C.'), watchFilterNames)
  .option('--checkpoint <FILE>', 'continue where the run before got to, which left this file')
  .addOption(new Option('--format <FORMAT>', 'format of a line').choices(['ndjson', 'text']).default('ndjson'))
  .addOption(secondsOption('--interval', 'time between two polls', 0.1, 5))
  .action((flags: WatchFlags) => void (asked.run = (signal) => watchLedger(flags, signal)))

addVerb('gateway', 'Serves the ledger to programs without a key of their own, within one rate limit, until Ctrl+C.')
  .option('--port <N>', 'port to listen on, 0 for a free one', integerBetween(0, 65_535), 4100)
  .option('--host <ADDRESS>', 'address to listen on', '127.0.0.1')
  .option(
    '--token <NAME=ENV>',
    'a client, and the environment variable with its token; may be repeated',
    (token: string, before: string[]) => [...before, token],
    [],
  )
  .option('--state <DIR>', 'folder that keeps the positions of feeds (in memory)')
  .addOption(secondsOption('--interval', 'time between two polls for the feeds', 0.1, 5))
  .action((flags: GatewayFlags) => void (asked.run = (signal) => serveGateway(flags, signal)))

const verbOf = (args: readonly string[]): Command =>
  program.commands.find((command) => command.name() === args.find((arg) => !arg.startsWith('-'))) ?? program

/** Commander repeats what it does not know, which may be a key. */
const parse = (args: readonly string[]): boolean => {
  for (const command of [program, ...program.commands]) command.exitOverride().configureOutput({ writeErr: () => {} })
  const toError = (sentence: string) => {
    const [, option] = /^unknown option '([^']*)'/s.exec(sentence) ?? []
    if (option !== undefined) return usageError(formatUnknownOption(option, verbOf(args)))
    const verbs = program.commands.map((command) => command.name()).join(', ')
    if (/^unknown command '[^']{16}|^\(outputHelp\)/.test(sentence))
      return usageError(`The first argument must be one of ${verbs}. See --help.`)
    return usageError(sentence.replace(/(too many arguments .*?): .* See/s, '$1. See'))
  }
  return parseWith(program, args, toError, '22.18') // for `node:sqlite`
}

const isJson = process.argv.includes('--json')
try {
  if (parse(process.argv.slice(2)) && asked.run) process.exitCode = (await untilSignal(asked.run)) ?? exitCodes.done
} catch (error) {
  const explained = explain(error)
  if (!explained) throw error
  const { exitCode, message } = explained
  const code = GuildLedgerError.is(error) ? error.code : undefined
  if (isJson) process.stderr.write(`${JSON.stringify({ error: { code, message, exitCode } })}\n`)
  else say(message)
  process.exitCode = exitCode
}

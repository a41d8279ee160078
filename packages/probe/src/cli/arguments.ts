import { existsSync, statSync } from 'node:fs'
import { checkedAssumptions } from '@guild-ledger/mock-server/assumptions'
import { isObject } from '@guild-ledger/validation'
import { parseWith, readFileOf, useJson } from '@guild-ledger/validation/command-line'
import { Command } from 'commander'
import { checkedOptions } from '../options.ts'
import { expectationFrom } from '../report/changes.ts'
import { version } from '../report/report.ts'
import type { CheckedOptions, Expectation, ProbeReport } from '../types.ts'

/** What the user asked for. */
export interface ProbeArguments {
  readonly out?: string
  readonly fixture?: boolean
  readonly questions?: string
  readonly dryRun?: boolean
  readonly json?: boolean
  readonly options: CheckedOptions
}

const help = `
Exit codes: 0 done; 1 something differs from --expect; 2 the command line cannot be used; 3 the service cannot be
reached, is another one, or rejects the key; 4 no value explains some responses; 5 a file was not written, because it
would contain an identifier or a key, or cannot be written; 6 a value of --expect could not be checked; 130 and
143 interrupted, no file was written.`

const createProgram = () =>
  new Command('guild-ledger-probe')
    .description('Finds out how a live service behaves where the spec does not say, with read-only requests.')
    .option('--base-url <url>', 'address of the service; required')
    .option('--api-key-env <name>', 'environment variable that holds the API key; required')
    .option('--out <folder>', 'write assumptions.json, probe.json and probe.md there; required without --dry-run')
    .option('--max-requests <n>', 'most requests, retries included (150)', Number)
    .option('--max-transactions <n>', 'most transactions to read (5000); of more, the oldest are read', Number)
    .option('--rps <n>', 'requests per second, at most 10 (4)', Number)
    .option('--expect <file>', 'assumptions.json or probe.json of an earlier probe: report what has changed')
    .option('--fixture', 'write ledger.ndjson too: the ledger with other users, ids, names and days')
    .option('--questions <file>', 'write a letter to the operator of the service about what stayed open')
    .option('--expired-key-env <name>', 'environment variable with a key that has expired')
    .option('--unscoped-key-env <name>', 'environment variable with a key without the scope guild:read')
    .option('--lapsed-key-env <name>', 'environment variable with a key of a guild without subscription')
    .option('--dry-run', 'send nothing; print what would be sent first')
    .option('--json', 'print the report as JSON')
    .version(version)
    .addHelpText('after', help)

const keyIn = (flag: string, name: string | undefined, environment: NodeJS.ProcessEnv): string | undefined => {
  if (name === undefined) return undefined
  const key = environment[name]
  if (key) return key
  // Any other text is not repeated: it may be a key that was given by mistake.
  if (!/^[A-Z][A-Z_]{0,38}\d?$/.test(name))
    throw new TypeError(`\`${flag}\` must be the name of an environment variable that holds an API key.`)
  throw new TypeError(`\`${flag}\`: the environment variable ${name} is ${key === '' ? 'empty' : 'not set'}.`)
}

const expectationFromFile = (parsed: unknown, baseUrl: string): Expectation => {
  const { findings, inexplicable = [], kinds = [], origin } = (parsed ?? {}) as Partial<ProbeReport>
  if (findings === undefined) return { assumptions: checkedAssumptions(parsed as object) }
  if (![findings, inexplicable, kinds].every((list) => Array.isArray(list) && list.every(isObject)))
    throw new TypeError('it is not the report of a probe')
  if (origin !== undefined && URL.canParse(baseUrl) && new URL(baseUrl).origin !== origin)
    throw new TypeError(`it is the report of ${origin}, not of \`--base-url\``)
  return expectationFrom({ findings, inexplicable, kinds })
}

/** An earlier `assumptions.json` or `probe.json`. */
const expectationIn = (file: string, baseUrl: string): Promise<Expectation> => {
  const use = (text: string) => useJson(text, (parsed) => expectationFromFile(parsed, baseUrl))
  return readFileOf('--expect', file, use, (sentence, cause) => new TypeError(sentence, { cause }))
}

/**
 * Parses a command line; `undefined` where it asked for the help or the version, which are printed.
 *
 * @throws {TypeError} An option is unknown, lacks its value or is missing, or a file cannot be read.
 */
export const parseCommandLine = async (
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<ProbeArguments | undefined> => {
  const program = createProgram()
  if (!parseWith(program, args, (sentence) => new TypeError(sentence))) return undefined
  const given = program.opts<
    Omit<ProbeArguments, 'options'> &
      Record<string, string | undefined> &
      Partial<Record<'maxRequests' | 'maxTransactions' | 'rps', number>>
  >()
  const { baseUrl = '', expect, maxRequests, maxTransactions, rps, ...flags } = given
  const required = { 'base-url': given.baseUrl, 'api-key-env': given.apiKeyEnv, out: flags.dryRun ? '' : flags.out }
  const missing = Object.entries(required).flatMap(([name, value]) => (value === undefined ? [`\`--${name}\``] : []))
  if (missing.length > 0) throw new TypeError(`Missing options: ${missing.join(', ')}. See --help.`)
  if (flags.out !== undefined && existsSync(flags.out) && !statSync(flags.out).isDirectory())
    throw new TypeError(`--out ${flags.out} must be a folder, but it is a file.`)
  const key = (name: string) => keyIn(`--${name}-key-env`, given[`${name}KeyEnv`], environment)
  const options = checkedOptions({
    apiKey: key('api') ?? '',
    baseUrl,
    maxRequests,
    maxTransactions,
    requestsPerSecond: rps,
    keys: { expired: key('expired'), unscoped: key('unscoped'), lapsed: key('lapsed') },
    ...(expect !== undefined && { expected: await expectationIn(expect, baseUrl) }),
  })
  return { ...flags, options }
}

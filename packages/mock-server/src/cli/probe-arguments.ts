import { parseArgs } from 'node:util'
import { describeValue } from '@guild-ledger/validation'
import { UsageError } from './usage-error.ts'

const options = {
  'base-url': { type: 'string' },
  'api-key-env': { type: 'string' },
  out: { type: 'string' },
  'max-requests': { type: 'string' },
  'max-transactions': { type: 'string' },
  rps: { type: 'string' },
  expect: { type: 'string' },
  fixture: { type: 'boolean' },
  burst: { type: 'boolean' },
  'expired-key-env': { type: 'string' },
  'unscoped-key-env': { type: 'string' },
  'lapsed-key-env': { type: 'string' },
  'same-guild-key-env': { type: 'string' },
  'other-guild-key-env': { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** The options of `guild-ledger-mock probe`, as given. */
export type ProbeArguments = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

/**
 * Parses the command line of the probe.
 *
 * @throws {UsageError} An option is unknown, lacks its value or is missing.
 */
export const readProbeArguments = (args: readonly string[]): ProbeArguments => {
  const values = (() => {
    try {
      return parseArgs({ args: [...args], options, strict: true }).values
    } catch (error) {
      const [sentence = ''] = (error as Error).message.split(/\.\s/)
      throw new UsageError(`${sentence}. See guild-ledger-mock probe --help.`, { cause: error })
    }
  })()
  if (values.help) return values
  for (const name of ['base-url', 'api-key-env', 'out'] as const) {
    if (values[name] === undefined && !(name === 'out' && values['dry-run'])) {
      throw new UsageError(`\`--${name}\` is missing, see guild-ledger-mock probe --help.`)
    }
  }
  return values
}

/**
 * The number that an option has.
 *
 * @throws {UsageError} It is no number.
 */
export const numberIn = (flag: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text)
  throw new UsageError(`\`${flag}\` must be a number > 0, got ${describeValue(text)}`)
}

/**
 * The API key in an environment variable.
 *
 * @throws {UsageError} There is no such variable, or it is empty.
 */
export const keyIn = (flag: string, name: string | undefined, environment: NodeJS.ProcessEnv): string | undefined => {
  if (name === undefined) return undefined
  const key = environment[name]
  if (key) return key
  // Any other text is not repeated: it may be a key that was given by mistake.
  if (!/^[A-Z][A-Z_]{0,38}\d?$/.test(name)) {
    throw new UsageError(`\`${flag}\` must be the name of an environment variable that holds an API key.`)
  }
  throw new UsageError(`\`${flag}\`: the environment variable ${name} is ${key === '' ? 'empty' : 'not set'}.`)
}

/** What `guild-ledger-mock probe --help` prints. */
export const probeHelp = `Usage: guild-ledger-mock probe --base-url URL --api-key-env NAME --out DIR [options]

Finds out how a live service behaves where the spec does not say: sends read-only requests and infers the
value of each assumption from the responses.

  --base-url URL             address of the service
  --api-key-env NAME         environment variable that holds the API key
  --out DIR                  write assumptions.json, probe.json and probe.md there
  --max-requests N           most requests, retries included (150)
  --max-transactions N       most transactions to read (5000); of more, the oldest are read
  --rps N                    requests per second (4)
  --expect FILE              assumptions.json of an earlier probe: report what has changed
  --fixture                  write ledger.ndjson too: the ledger with other users, ids, names and days
  --burst                    exceed the rate limit, to see how the service counts
  --expired-key-env NAME     environment variable with a key that has expired
  --unscoped-key-env NAME    environment variable with a key without the scope guild:read
  --lapsed-key-env NAME      environment variable with a key of a guild without subscription
  --same-guild-key-env NAME  environment variable with another key of the guild, for --burst
  --other-guild-key-env NAME environment variable with a key of another guild, for --burst
  --dry-run                  send nothing; print what would be sent first
  --json                     print the report as JSON
  -h, --help                 this text

Exit codes: 0 done; 1 something differs from --expect; 2 the command line cannot be used; 3 the service cannot be
reached, is another one, or rejects the key; 4 the service behaves as no value describes; 5 a file was not
written, because it would contain an identifier or a key, or cannot be written; 6 a value of --expect could not
be checked; 130 interrupted, no file was written.
`

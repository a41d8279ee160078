import { parseArgs } from 'node:util'
import { describeValue } from '@guild-ledger/validation'
import { UsageError } from './usage-error.ts'

const options = {
  vitest: { type: 'boolean' },
  serve: { type: 'boolean' },
  junit: { type: 'string' },
  pairs: { type: 'boolean' },
  'max-seconds': { type: 'string' },
  skip: { type: 'string' },
  accept: { type: 'string' },
  'fail-if-set-aside': { type: 'boolean' },
  out: { type: 'string' },
  json: { type: 'boolean' },
  replay: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** The options of `guild-ledger-mock sweep`. */
export type SweepArguments = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'] & {
  /** The command, or the arguments of Vitest: what comes after `--`. */
  readonly rest: readonly string[]
  readonly maxSeconds: number | undefined
}

const secondsIn = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text)
  throw new UsageError(`\`--max-seconds\` must be an integer ≥ 1, got ${describeValue(text)}`)
}

/**
 * Parses the command line of the sweep.
 *
 * @throws {UsageError} An option is unknown, lacks its value or contradicts another one.
 */
export const readSweepArguments = (args: readonly string[]): SweepArguments => {
  const at = args.indexOf('--')
  const own = at < 0 ? args : args.slice(0, at)
  const rest = at < 0 ? [] : args.slice(at + 1)
  const values = (() => {
    try {
      return parseArgs({ args: [...own], options, strict: true }).values
    } catch (error) {
      const [sentence = ''] = (error as Error).message.split(/\.\s/)
      throw new UsageError(`${sentence}. See guild-ledger-mock sweep --help.`, { cause: error })
    }
  })()
  const { help, vitest, serve, junit, replay } = values
  if (!help && !vitest && rest.length === 0) {
    throw new UsageError('sweep needs --vitest, or the command that runs the tests after --, see --help.')
  }
  if (vitest && (serve || junit !== undefined || replay !== undefined)) {
    throw new UsageError('--vitest runs the tests itself: leave out --serve, --junit and --replay.')
  }
  return { ...values, rest, maxSeconds: secondsIn(values['max-seconds']) }
}

/** What `guild-ledger-mock sweep --help` prints. */
export const sweepHelp = `Usage: guild-ledger-mock sweep [options] --vitest [-- arguments of Vitest]
       guild-ledger-mock sweep [options] -- command [arguments]

Finds the tests that depend on unspecified behaviour: runs them under every other value of every
assumption that changes a response to them.

  --vitest             run single tests with the Vitest of this project
  --junit PATTERN      JUnit XML reports that the command writes; without it the unit is the command
  --serve              start a mock server for each run; the command gets its URL and API key as
                       GUILD_LEDGER_BASE_URL and GUILD_LEDGER_API_KEY
  --pairs              try pairs of values too
  --max-seconds N      start no further value after N seconds
  --skip LIST|FILE     assumptions not to change: pageUnit,tieOrder=ledger or the assumptions.json of probe;
                       values that are given become the base
  --accept FILE        dependencies that are accepted, each with a reason; stale ones fail too
  --fail-if-set-aside  exit with 1 also if a test is set aside (it fails without a change, or is flaky), or was
                       not tried under a value, because it skips itself, or a test hung or ended the run
  --out DIR            write sweep.json, sweep.md and sweep.xml there
  --json               print the report as JSON
  --replay VALUES      run the command once under these values, such as pageUnit=group
  -h, --help           this text

Exit codes: 0 no test depends on anything that is not accepted; 1 one does, an accepted entry is stale, or
a test is set aside or not tried with --fail-if-set-aside; 2 the sweep cannot start or go on, and one sentence says why.
`

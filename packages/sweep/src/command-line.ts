import { existsSync } from 'node:fs'
import {
  assumeVariable,
  assumptionDefinitions,
  checkedAssumptions,
  parseAssumptionList,
  type AssumptionKey,
} from '@guild-ledger/mock-server/assumptions'
import { parseArgument, parseWith, readFileOf, useJson } from '@guild-ledger/validation/command-line'
import { Command, InvalidArgumentError } from 'commander'
import { version } from './report/report.ts'
import { SweepError, toSweepError, type Values } from './types.ts'

const seconds = (text: string): number => {
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text)
  throw new InvalidArgumentError('It must be an integer ≥ 1.')
}

const keysIn = (names: readonly string[]): AssumptionKey[] =>
  names.map((name) => {
    // Its message names the nearest one.
    if (!Object.hasOwn(assumptionDefinitions, name)) checkedAssumptions({ [name]: null })
    return name as AssumptionKey
  })

const listOf = (text: string): string[] => text.split(',').map((item) => item.trim())

const namesIn = (text: string) => parseArgument(() => keysIn(listOf(text)))
const valuesIn = (text: string) => parseArgument(() => parseAssumptionList(text))

/** Values that are not changed, and assumptions that are not. */
export interface Known {
  readonly base: Values
  readonly names: readonly AssumptionKey[]
}

/** Values from a file that the probe wrote, or a list of `KEY` and `KEY=VALUE`. */
const knownIn = async (text: string): Promise<Known> => {
  // No name or value of an assumption has a dot or a slash.
  if (existsSync(text) || /[./\\]/.test(text)) {
    const use = (content: string) => useJson(content, (value) => checkedAssumptions(value as Values))
    return { base: await readFileOf('--known', text, use, toSweepError), names: [] }
  }
  try {
    const pairs = listOf(text).filter((item) => item.includes('='))
    const names = keysIn(listOf(text).filter((item) => !item.includes('=')))
    return { base: pairs.length > 0 ? parseAssumptionList(pairs.join(',')) : {}, names }
  } catch (error) {
    throw toSweepError(`--known ${text}: ${(error as Error).message}`, error)
  }
}

const help = `
Exit codes: 0 no test breaks; 1 a test breaks that is not accepted, an accepted entry is stale, or what
--fail-if-not-judged and --fail-if-unreached say; 2 the sweep cannot start or go on, and one sentence says why.`

/** What the user asked for. */
export interface SweepArguments {
  readonly vitest?: boolean
  readonly junit?: string
  /** Options of `guild-ledger-mock`, which is started then. */
  readonly serve?: readonly string[]
  readonly known: Known
  readonly include?: readonly AssumptionKey[]
  readonly accept?: string
  readonly acceptNew?: string
  readonly maxSeconds?: number
  readonly failIfNotJudged?: boolean
  readonly failIfUnreached?: boolean
  readonly out?: string
  readonly json?: boolean
  readonly verbose?: boolean
  readonly replay?: Values
  /** The command, or the arguments of Vitest: what comes after `--`. */
  readonly rest: readonly string[]
}

type GivenOptions = Omit<SweepArguments, 'known' | 'serve' | 'rest'> & {
  readonly known?: string
  readonly serve?: boolean
  readonly mock?: string
}

const createProgram = () =>
  new Command('guild-ledger-sweep')
    .description('Finds the tests that break under other values of unspecified behaviour.')
    .usage('[options] --vitest [-- arguments of Vitest]\n       guild-ledger-sweep [options] -- command [arguments]')
    .argument('[command...]')
    .option('--vitest', 'run the tests with the Vitest of this project')
    .option('--junit <pattern>', 'JUnit reports of the command; without it the unit is the command')
    .option('--serve', 'start guild-ledger-mock for each run; its URL and API key are in variables')
    .option('--mock <options>', 'the same, with options of guild-ledger-mock, such as "--data ledger.ndjson"')
    .option('--known <list|file>', 'pageUnit,tieOrder=ledger or the assumptions.json of the probe')
    .option('--include <list>', 'try maxPage or maxKeysPerGuild, too, of which the other value is 1', namesIn)
    .option('--accept <file>', 'sweep.lock: breaks that are accepted, each with a reason')
    .option('--accept-new <reason>', 'add what is found to the file of --accept, and exit with 0')
    .option('--max-seconds <n>', 'start no further value after so many seconds', seconds)
    .option('--fail-if-not-judged', 'exit with 1 if the sweep cannot say something about a test')
    .option('--fail-if-unreached', 'exit with 1 if no mock responds to a test')
    .option('--out <folder>', 'write sweep.json and sweep.md there')
    .option('--json', 'print the report as JSON')
    .option('--verbose', 'print everything: what each test passed, each replay line')
    .option('--replay <values>', 'run the command once under values such as pageUnit=group', valuesIn)
    .version(version)
    .addHelpText('after', help)

/** The words of a command line; quotes keep blanks, and a backslash a quote. */
const wordsIn = (text: string): string[] =>
  Array.from(text.matchAll(/(?:"[^"]*"|'[^']*'|\\["']|\S)+/g), ([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'|\\(["'])/g, (_, double, single, quote) => double ?? single ?? quote),
  )

/** What the environment says that every mock starts from. */
const valuesInEnvironment = (environment: NodeJS.ProcessEnv): Values => {
  const text = environment[assumeVariable]?.trim()
  try {
    return text ? parseAssumptionList(text) : {}
  } catch (error) {
    throw toSweepError(`${assumeVariable}: ${(error as Error).message}`, error)
  }
}

/**
 * Parses a command line; `undefined` where it asked for the help or the version, which are printed.
 *
 * @throws {SweepError} An option is unknown, lacks its value or contradicts another one, or a file cannot be read.
 */
export const parseCommandLine = async (
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<SweepArguments | undefined> => {
  const program = createProgram()
  if (!parseWith(program, args, (sentence) => new SweepError(sentence))) return undefined
  const { known, mock, serve, ...options } = program.opts<GivenOptions>()
  const { vitest, junit, replay, accept, acceptNew } = options
  const rest = program.args
  if (!vitest && rest.length === 0)
    throw new SweepError('Nothing to run: give --vitest, or the command that runs the tests after --. See --help.')
  if (vitest && (serve || mock !== undefined || junit !== undefined || replay))
    throw new SweepError('--vitest runs the tests itself: leave out --serve, --mock, --junit and --replay.')
  if (acceptNew !== undefined && accept === undefined) throw new SweepError('--accept-new needs --accept FILE.')
  const { base, names } = known === undefined ? { base: {}, names: [] } : await knownIn(known)
  return {
    ...options,
    rest,
    known: { base: { ...valuesInEnvironment(environment), ...base }, names },
    ...((serve || mock !== undefined) && { serve: wordsIn(mock ?? '') }),
  }
}

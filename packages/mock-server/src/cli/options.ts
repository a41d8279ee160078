import { createRequire } from 'node:module'
import { parseArgument, parseWith } from '@guild-ledger/validation/command-line'
import { Command, Option } from 'commander'
import { assumptionDefinitions } from '../assumptions/values.ts'
import type { AssumptionDefinition } from '../assumptions/definition.ts'
import { UsageError, flagNames, flagOf, flags, variableOf, type Flag, type FlagName } from './flags.ts'

type Flags = typeof flags
type FlagValue<Name extends FlagName> =
  | ReturnType<Flags[Name]['parse']>
  | (Flags[Name] extends { readonly fallback: string } | { readonly repeated: true } ? never : undefined)

/** The parsed options. No file was read yet. */
export type CommandLine = { readonly [Name in FlagName]: FlagValue<Name> } & {
  /** What the user called an option: the variable if it came from there, else the flag. */
  readonly nameOf: (name: FlagName) => string
}

// By the name of the package: the path from here is another one in the built package.
const packageVersion = () =>
  (createRequire(import.meta.url)('@guild-ledger/mock-server/package.json') as { version: string }).version

const formatValues = (definition: AssumptionDefinition): string => {
  if ('values' in definition) return definition.values.map(([value]) => value).join(' | ')
  const { default: first, min, max, orNull } = definition
  return `${first}, or an integer${orNull ? '' : ` from ${min} to ${max}`}`
}

const assumptionLines = Object.entries<AssumptionDefinition>(assumptionDefinitions).map(
  ([key, definition]) => `  ${key.padEnd(26)}${formatValues(definition)}`,
)

const moreHelp = `
Each option can be given as a variable of the environment instead, ${flagOf('rateLimit')} as ${variableOf('rateLimit')}
and so on. A variable for an option without a value is 1 or true for on, 0 or false for off; an empty
one counts as not given. The command line overrides variables: --no-log, --no-cors and so on switch
off what a variable switched on.

Assumptions for what the spec leaves unspecified; the first value is the default:
${assumptionLines.join('\n')}

npx @guild-ledger/probe --help: find out how a live service behaves where the spec does not say.
npx @guild-ledger/sweep --help: find the tests that depend on unspecified behaviour.`

const createOptions = (name: FlagName): Option[] => {
  const { value, about, fallback, repeated, parse }: Flag = flags[name]
  const flag = flagOf(name)
  if (value === undefined) return [new Option(flag, about), new Option(flag.replace('--', '--no-')).hideHelp()]
  const option = new Option(`${flag} <${value}>`, about).argParser((text, before) => {
    const parsed = parseArgument(() => parse(text))
    return repeated ? { ...(before as object | undefined), ...(parsed as object) } : parsed
  })
  if (repeated) return [option.default({}, 'none')]
  return [fallback === undefined ? option : option.default(parse(fallback), fallback)]
}

const createProgram = (print: (text: string) => void) => {
  const program = new Command('guild-ledger-mock')
    .description('Serves a mock of the Guild Ledger Transactions Service over HTTP until it is interrupted.')
    .usage('[options]')
    .configureOutput({ writeOut: print })
    .helpOption('-h, --help', 'print this help')
    .version(packageVersion(), '-v, --version', 'print the version')
    .addHelpText('after', moreHelp)
  for (const option of flagNames.flatMap(createOptions)) program.addOption(option)
  return program
}

export interface Printer {
  readonly print: (text: string) => void
  readonly warn: (sentence: string) => void
}

/** Kubernetes and Docker set variables like this for each service, named after the service. */
const serviceAddress = /^(?:tcp|udp|sctp):\/\//

/** Values from the environment for options that are not on the command line. An empty variable is none. */
const addVariables = (program: Command, env: NodeJS.ProcessEnv, { warn }: Printer): void => {
  for (const name of flagNames) {
    const variable = variableOf(name)
    const text = env[variable]?.trim()
    if (!text || program.getOptionValueSource(name) === 'cli') continue
    const { parse, repeated }: Flag = flags[name]
    if (!repeated && serviceAddress.test(text)) {
      warn(`${variable} is ignored: ${text} is the address of a service, as Kubernetes sets it. Use ${flagOf(name)}.`)
      continue
    }
    try {
      const parsed = parse(text)
      // Every mock of a process starts from a variable of this kind by itself: as an option, the sweep could not change it.
      if (!repeated) program.setOptionValueWithSource(name, parsed, 'env')
    } catch (error) {
      throw new UsageError(`${variable} '${text}' is invalid. ${(error as Error).message}`, { cause: error })
    }
  }
}

const seedFlags = ['seed', 'users', 'transactions'] as const satisfies FlagName[]

/**
 * Parses the command line, and the variables of the environment for what is not given there; `undefined` where it asked
 * for the help or the version, which are printed.
 *
 * @throws {UsageError} An option is unknown, lacks its value or has one that is not allowed; also in a variable.
 */
export const parseOptions = (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  printer: Printer,
): CommandLine | undefined => {
  const program = createProgram(printer.print)
  if (!parseWith(program, args, (sentence) => new UsageError(sentence))) return undefined
  addVariables(program, env, printer)
  const isGiven = (name: FlagName) => ['cli', 'env'].includes(program.getOptionValueSource(name) ?? '')
  const nameOf = (name: FlagName) => (program.getOptionValueSource(name) === 'env' ? variableOf(name) : flagOf(name))
  if (isGiven('data') && seedFlags.some(isGiven)) {
    const conflicting = seedFlags.filter(isGiven).map(nameOf).join(' and ')
    throw new UsageError(`${nameOf('data')} has its own transactions: leave out ${conflicting}`)
  }
  return { ...program.opts<CommandLine>(), nameOf }
}

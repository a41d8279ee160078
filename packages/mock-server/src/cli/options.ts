import { parseArguments } from './arguments.ts'
import { flagNames, flagOf, flags, variableOf, type Flag, type FlagName } from './flags.ts'
import { UsageError } from './usage-error.ts'

type Flags = typeof flags
type FlagValue<Name extends FlagName> =
  | ReturnType<Flags[Name]['parse']>
  | (Flags[Name] extends { readonly fallback: string } | { readonly repeated: true } ? never : undefined)

/** The parsed options. No file was read yet. */
export type CommandLine = { readonly [Name in FlagName]: FlagValue<Name> } & {
  readonly help: boolean
  readonly version: boolean
  /** What the user called an option: the variable if it came from there, else the flag. */
  readonly nameOf: (name: FlagName) => string
}

interface GivenValue {
  /** Flag or variable. */
  readonly name: string
  readonly text: string
}

/** The values of an option, least important first. An empty variable is none: that is how many tools unset one. */
const givenValues = (name: FlagName, texts: readonly string[], env: NodeJS.ProcessEnv): GivenValue[] => {
  const inEnvironment = env[variableOf(name)]
  return [
    ...(inEnvironment ? [{ name: variableOf(name), text: inEnvironment }] : []),
    ...texts.map((text) => ({ name: flagOf(name), text })),
  ]
}

const parseFlag = ({ parse, repeated, fallback }: Flag, given: readonly GivenValue[], flag: string): unknown => {
  if (repeated) {
    const values = given.map(({ name, text }) => ({ name, value: parse(text, name) }))
    // Every mock of a process starts from the variable by itself: as an option, the sweep could not change it.
    return Object.assign({}, ...values.filter(({ name }) => name === flag).map(({ value }) => value)) as object
  }
  const last = given.at(-1)
  if (last) return parse(last.text, last.name)
  return fallback === undefined ? undefined : parse(fallback, flag)
}

const seedFlags = ['seed', 'users', 'transactions'] as const satisfies FlagName[]

/**
 * Parses the command line, and the variables of the environment for what is not given there.
 *
 * @throws {UsageError} An option is unknown, lacks its value or has one that is not allowed; also in a variable.
 */
export const parseOptions = (args: readonly string[], env: NodeJS.ProcessEnv = {}): CommandLine => {
  const { given, ...info } = parseArguments(args)
  const values = new Map(flagNames.map((name) => [name, givenValues(name, given.get(name) ?? [], env)]))
  const isGiven = (name: FlagName) => (values.get(name)?.length ?? 0) > 0
  const nameOf = (name: FlagName) => values.get(name)?.at(-1)?.name ?? flagOf(name)
  const parsed = Object.fromEntries(
    flagNames.map((name) => [name, parseFlag(flags[name], values.get(name) ?? [], flagOf(name))]),
  )
  if (isGiven('data') && seedFlags.some(isGiven)) {
    const conflicting = seedFlags.filter(isGiven).map(nameOf).join(' and ')
    throw new UsageError(`${nameOf('data')} has its own transactions: leave out ${conflicting}`)
  }
  return { ...(parsed as { [Name in FlagName]: FlagValue<Name> }), ...info, nameOf }
}

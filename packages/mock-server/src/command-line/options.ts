import { readArguments } from './arguments.ts'
import { flagNames, flagOf, flags, variableOf, type Flag, type FlagName } from './flags.ts'
import { UsageError } from './usage-error.ts'

type Row = typeof flags
type ValueOf<Name extends FlagName> =
  | ReturnType<Row[Name]['read']>
  | (Row[Name] extends { readonly fallback: string } | { readonly repeated: true } ? never : undefined)

/** What the user asked for, in types, without a look at files. */
export type CommandLine = { readonly [Name in FlagName]: ValueOf<Name> } & {
  readonly help: boolean
  readonly version: boolean
  /** What the user called an option: the variable where it came from there. */
  readonly called: (name: FlagName) => string
}

interface Source {
  readonly called: string
  readonly text: string
}

/** Where an option was given, least important first. An empty variable is none: that is how many tools unset one. */
const sourcesOf = (name: FlagName, texts: readonly string[], env: NodeJS.ProcessEnv): Source[] => {
  const inEnvironment = env[variableOf(name)]
  return [
    ...(inEnvironment ? [{ called: variableOf(name), text: inEnvironment }] : []),
    ...texts.map((text) => ({ called: flagOf(name), text })),
  ]
}

const valueIn = ({ read }: Flag, { called, text }: Source): unknown => {
  try {
    return read(text)
  } catch (error) {
    throw new UsageError(`${called} ${(error as Error).message}`, { cause: error })
  }
}

const valueOf = (flag: Flag, sources: readonly Source[]): unknown => {
  if (flag.repeated) return Object.assign({}, ...sources.map((source) => valueIn(flag, source))) as object
  const last = sources.at(-1)
  if (last) return valueIn(flag, last)
  return flag.fallback === undefined ? undefined : flag.read(flag.fallback)
}

const madeUp = ['seed', 'users', 'transactions'] as const satisfies FlagName[]

/**
 * Reads the command line, and the variables of the environment for what is not said there.
 *
 * @throws {UsageError} An option is unknown, lacks its value or has a wrong one, or a variable has.
 */
export const readOptions = (args: readonly string[], env: NodeJS.ProcessEnv = {}): CommandLine => {
  const { given, ...questions } = readArguments(args)
  const sources = new Map(flagNames.map((name) => [name, sourcesOf(name, given.get(name) ?? [], env)]))
  const isGiven = (name: FlagName) => (sources.get(name)?.length ?? 0) > 0
  const called = (name: FlagName) => sources.get(name)?.at(-1)?.called ?? flagOf(name)
  const values = Object.fromEntries(flagNames.map((name) => [name, valueOf(flags[name], sources.get(name) ?? [])]))
  if (isGiven('data') && madeUp.some(isGiven)) {
    const tooMuch = madeUp.filter(isGiven).map(called).join(' and ')
    throw new UsageError(`${called('data')} brings its own rows: leave out ${tooMuch}.`)
  }
  return { ...(values as { [Name in FlagName]: ValueOf<Name> }), ...questions, called }
}

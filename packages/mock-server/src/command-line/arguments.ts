import { parseArgs, type ParseArgsConfig } from 'node:util'
import { suggestion } from '../assumptions/index.ts'
import { flagNames, flagOf, flags, type Flag, type FlagName } from './flags.ts'
import { UsageError } from './usage-error.ts'

/** What stands on a command line: options by name with all values they were given, and what was only asked for. */
export interface Arguments {
  readonly given: ReadonlyMap<FlagName, readonly string[]>
  readonly help: boolean
  readonly version: boolean
}

const nameOf: ReadonlyMap<string, FlagName> = new Map(flagNames.map((name) => [flagOf(name), name]))
const isSwitch = (name: FlagName): boolean => (flags[name] as Flag).value === undefined

const questions: Readonly<Record<string, 'help' | 'version'>> = {
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
}
const known = [...nameOf.keys(), '--help', '--version']

const forParser: NonNullable<ParseArgsConfig['options']> = Object.fromEntries([
  ...[...nameOf].map(([flag, name]) => [flag.slice(2), { type: isSwitch(name) ? 'boolean' : 'string' }] as const),
  ['help', { type: 'boolean', short: 'h' }],
  ['version', { type: 'boolean', short: 'v' }],
])

/** `--no-log` switches off what a variable switched on. */
const switchOf = (rawName: string): FlagName | undefined => {
  const name = nameOf.get(rawName.replace('--no-', '--'))
  return name !== undefined && rawName.startsWith('--no-') && isSwitch(name) ? name : undefined
}

/**
 * Takes a command line apart, with the same checks as parseArgs has in its strict mode, in words that fit on one line.
 *
 * @throws {UsageError} An option is unknown, lacks its value or has one too many.
 */
export const readArguments = (args: readonly string[]): Arguments => {
  const given = new Map<FlagName, string[]>()
  const asked = { help: false, version: false }
  const { tokens } = parseArgs({
    args: [...args],
    options: forParser,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const note = (name: FlagName, value: string) => given.set(name, [...(given.get(name) ?? []), value])
  for (const token of tokens) {
    if (token.kind === 'positional') {
      throw new UsageError(`"${token.value}" is not an option: every option starts with --, see --help.`)
    }
    if (token.kind !== 'option') continue
    const { rawName, value } = token
    const question = questions[rawName]
    const name = nameOf.get(rawName)
    const off = switchOf(rawName)
    if (value !== undefined && (question ?? off ?? (name && isSwitch(name)))) {
      throw new UsageError(`${rawName} takes no value, but was given "${value}".`)
    }
    if (question) asked[question] = true
    else if (off) note(off, '0')
    else if (!name) throw new UsageError(`Unknown option ${rawName}: ${suggestion(rawName, known)} See --help.`)
    else if (isSwitch(name)) note(name, '1')
    else if (value) note(name, value)
    else throw new UsageError(`${rawName} needs a value, see --help.`)
  }
  return { given, ...asked }
}

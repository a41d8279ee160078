import { formatUnknownName, nearest } from '@guild-ledger/validation'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { flagNames, flagOf, flags, type Flag, type FlagName } from './flags.ts'
import { UsageError } from './usage-error.ts'

/** A command line: options by name with all values they were given. */
export interface Arguments {
  readonly given: ReadonlyMap<FlagName, readonly string[]>
  readonly help: boolean
  readonly version: boolean
}

const nameByFlag: ReadonlyMap<string, FlagName> = new Map(flagNames.map((name) => [flagOf(name), name]))
const isSwitch = (name: FlagName): boolean => (flags[name] as Flag).value === undefined

const infoFlags: Readonly<Record<string, 'help' | 'version'>> = {
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
}
const knownFlags = [...nameByFlag.keys(), '--help', '--version']

const parserOptions: NonNullable<ParseArgsConfig['options']> = Object.fromEntries([
  ...[...nameByFlag].map(([flag, name]) => [flag.slice(2), { type: isSwitch(name) ? 'boolean' : 'string' }] as const),
  ['help', { type: 'boolean', short: 'h' }],
  ['version', { type: 'boolean', short: 'v' }],
])

/** `--no-log` switches off what a variable switched on. */
const negatedSwitch = (rawName: string): FlagName | undefined => {
  const name = nameByFlag.get(rawName.replace('--no-', '--'))
  return name !== undefined && rawName.startsWith('--no-') && isSwitch(name) ? name : undefined
}

const commands = ['probe', 'sweep']

const notAnOption = (word: string): string => {
  const problem = `"${word}" is not an option: every option starts with --, see --help`
  if (commands.includes(word)) return `${problem}. The command \`${word}\` must be the first argument.`
  const meant = nearest(word, commands)
  return meant === undefined ? problem : `${problem}. Did you mean the command \`${meant}\`?`
}

/**
 * Parses a command line, with the checks of parseArgs in its strict mode and messages that fit on one line.
 *
 * @throws {UsageError} An option is unknown, lacks its value or has one too many.
 */
export const parseArguments = (args: readonly string[]): Arguments => {
  const given = new Map<FlagName, string[]>()
  const info = { help: false, version: false }
  const { tokens } = parseArgs({
    args: [...args],
    options: parserOptions,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const add = (name: FlagName, value: string) => given.set(name, [...(given.get(name) ?? []), value])
  for (const token of tokens) {
    if (token.kind === 'positional') {
      throw new UsageError(notAnOption(token.value))
    }
    if (token.kind !== 'option') continue
    const { rawName, value } = token
    const infoName = infoFlags[rawName]
    const name = nameByFlag.get(rawName)
    const negated = negatedSwitch(rawName)
    if (value !== undefined && (infoName ?? negated ?? (name && isSwitch(name)))) {
      throw new UsageError(`${rawName} takes no value, got "${value}"`)
    }
    if (infoName) info[infoName] = true
    else if (negated) add(negated, '0')
    else if (!name) throw new UsageError(formatUnknownName('option', rawName, knownFlags))
    else if (isSwitch(name)) add(name, '1')
    else if (value) add(name, value)
    else throw new UsageError(`${rawName} needs a value, see --help`)
  }
  return { given, ...info }
}

import { createRequire } from 'node:module'
import {
  calendarDays,
  GuildLedger,
  type GuildLedgerOptions,
  type GuildQuery,
  type LedgerEntry,
  type LogFields,
  type Logger,
} from '@guild-ledger/sdk'
import { operations, parameters } from '@guild-ledger/sdk/contract'
import { describeGiven, nearest } from '@guild-ledger/validation'
import { parseArgument } from '@guild-ledger/validation/command-line'
import { Option, type Command } from 'commander'
import { flagOf, say, usageError } from './exit.ts'

const require = createRequire(import.meta.url)
const versionOf = (name: string) => (require(`${name}/package.json`) as { version: string }).version
// By the names of the packages: the paths from here are others in the built package.
export const versions = {
  cli: versionOf('@guild-ledger/cli'),
  sdk: versionOf('@guild-ledger/sdk'),
  node: process.versions.node,
}

/** Options of every verb. */
export interface ClientFlags {
  readonly apiKeyEnv?: string
  readonly baseUrl?: string
  readonly json?: boolean
}

/** What is known about an option: what the help calls its value, and what it does. */
const filterHelp = {
  platformId: ['ID', 'only this user'],
  from: ['SOURCE', 'only transactions from this source'],
  minAmount: ['N', 'only transactions with at least this amount'],
  maxAmount: ['N', 'only transactions with at most this amount'],
  startDate: ['DATE', 'only from this date-time on, such as 2026-01-31T00:00:00Z'],
  endDate: ['DATE', 'only up to this date-time'],
} as const satisfies { readonly [Name in keyof GuildQuery]?: readonly [value: string, about: string] }

/** Name of a filter, which is that of the query parameter. */
export type FilterName = keyof typeof filterHelp
export const filterNames = Object.keys(filterHelp) as FilterName[]
/** Filters that a watch takes. */
export const watchFilterNames = filterNames.filter((name) => parameters[name].type !== 'date-time')

/** Filters as they are sent. */
export type FilterFlags = { readonly [Name in FilterName]?: string | number }

/** The value that a text stands for, as the contract of the service allows it. */
export const parseFilter = (name: FilterName, text: string, label: string): string | number => {
  const value = parameters[name].type === 'number' ? (text.trim() === '' ? Number.NaN : Number(text)) : text
  const result = operations.guild.query.shape[name]?.['~standard'].validate(value)
  const [issue] = (result && 'issues' in result && result.issues) || []
  const allowed = issue?.message.replace('a valid Date, or ', '')
  if (issue) throw new TypeError(`\`${label}\` must be ${allowed}, got ${describeGiven(text, true)}`)
  return value
}

/** A number of seconds, in milliseconds. */
const seconds = (min: number) => (text: string) =>
  parseArgument(() => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (value >= min && value <= 2_147_483) return value * 1000
    throw new TypeError(`It must be a number of seconds from ${min} to 2147483.`)
  })

/** An integer within bounds. */
export const integerBetween = (min: number, max: number) => (text: string) =>
  parseArgument(() => {
    if (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text)
    throw new TypeError(`It must be an integer from ${min} to ${max}.`)
  })

export const secondsOption = (flag: string, about: string, min: number, fallback: number): Option =>
  new Option(`${flag} <SECONDS>`, about).argParser(seconds(min)).default(fallback * 1000, String(fallback))

/** Adds the options that every verb has. */
export const addClientOptions = (command: Command): Command =>
  command
    .option('--base-url <URL>', 'address of the service (GUILD_LEDGER_BASE_URL)')
    .option('--api-key-env <NAME>', 'environment variable that holds the API key (GUILD_LEDGER_API_KEY)')
    .option('--json', 'errors as JSON')

/** Adds options for filters. */
export const addFilterOptions = (command: Command, names: readonly FilterName[]): Command => {
  for (const name of names) {
    const [value, about] = filterHelp[name]
    const parse = (text: string) => parseArgument(() => parseFilter(name, text, flagOf(name)))
    command.addOption(new Option(`${flagOf(name)} <${value}>`, about).argParser(parse))
  }
  return command
}

/** The filters that were given. */
export const filtersIn = (flags: FilterFlags): FilterFlags =>
  Object.fromEntries(filterNames.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])))

const whole = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))?/

/** Milliseconds since 1970 of a `createdAt`, whose exact form is unspecified. */
export const timeOf = ({ createdAt }: Pick<LedgerEntry, 'createdAt'>): number => {
  const [, toTheSecond = '', fraction = '0'] = whole.exec(createdAt) ?? []
  return Date.parse(`${toTheSecond}Z`) + Number(`0.${fraction}`) * 1000
}

/** The time zone of this machine. Without one, as with an empty `TZ`, Node takes UTC, and names it Etc/Unknown. */
const localZone = (): string => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return timeZone === 'Etc/Unknown' ? 'UTC' : timeZone
}

/** The last whole days and today: what to ask for, and what of that to keep, whether or not the bound is inclusive. */
export const lastDays = (last: number, timeZone = localZone()) => {
  const start = calendarDays(timeZone, { last })[0]?.startDate ?? new Date()
  return {
    start: start.toISOString(),
    startDate: new Date(start.getTime() - 1).toISOString(),
    isWanted: (entry: LedgerEntry) => timeOf(entry) >= start.getTime(),
  }
}

/** A secret in an environment variable. What is no name is not repeated: it may be a key that was given by mistake. */
export const secretIn = (flag: string, name: string, what: string): string => {
  const value = process.env[name]
  if (value) return value
  if (!/^[A-Z][A-Z_]{0,38}\d?$/.test(name))
    throw usageError(`\`${flag}\` must be the name of an environment variable that holds ${what}.`)
  throw usageError(`The environment variable ${name} is ${value === '' ? 'empty' : 'not set'}: it must hold ${what}.`)
}

/** What a user can do something about: a line on standard error. All else is left out, unless GUILD_LEDGER_LOG is set. */
const isActionable = ({ event, waitMs = 0 }: LogFields): boolean =>
  ['clock_ahead', 'change_announced', 'invalid_environment'].includes(event) || (event === 'retry' && waitMs >= 1000)
const ignore = () => {}
const warn: Logger['warn'] = (message, fields) => {
  if (fields && isActionable(fields)) say(message.replace(/^guild-ledger: /, ''))
}
const logger: Logger = { debug: ignore, info: ignore, error: ignore, warn }

/** Makes a client from what was given on the command line and in the environment. */
export const createClient = ({ apiKeyEnv, baseUrl }: ClientFlags, more: GuildLedgerOptions = {}): GuildLedger => {
  const apiKey = secretIn('--api-key-env', apiKeyEnv ?? 'GUILD_LEDGER_API_KEY', 'the API key')
  const address = baseUrl ?? process.env.GUILD_LEDGER_BASE_URL
  if (!address) throw usageError('The address of the service is missing: give --base-url or set GUILD_LEDGER_BASE_URL.')
  return new GuildLedger({
    apiKey,
    baseUrl: address,
    appInfo: { name: 'guild-ledger-cli', version: versions.cli },
    ...(process.env.GUILD_LEDGER_LOG ? {} : { logger }),
    ...more,
  })
}

/** The sentence for an unknown option. Its value is not repeated, because it may be a key. */
export const formatUnknownOption = (given: string, command: Command): string => {
  const name = given.replace(/^--?/, '').replace(/=.*/s, '')
  if (/^(api-?)?(key|token)$/i.test(name))
    return 'No option takes the API key, because others see command lines: set GUILD_LEDGER_API_KEY, or name another variable with --api-key-env.'
  const known = command.options.map((option) => option.attributeName())
  const meant = nearest(
    name.replaceAll(/-./g, ([, letter = '']) => letter.toUpperCase()),
    known,
  )
  const list = known.map((one) => `\`${flagOf(one)}\``)
  const help = meant === undefined ? `Known options: ${list.join(', ')}.` : `Did you mean \`${flagOf(meant)}\`?`
  return `Unknown option \`--${name}\`. ${help}`
}

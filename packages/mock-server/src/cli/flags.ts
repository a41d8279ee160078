import { integer, type Check } from '@guild-ledger/validation'
import { parseAssumptionList } from '../assumptions/values.ts'
import { defaultApiKey } from '../ledger/create-ledger.ts'
import { maxSeeded } from '../ledger/options.ts'
import { rateLimitCheck, type RateLimit } from '../rate-limit/rate-limit.ts'

/** Something on the command line is wrong; the message is all the user needs. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The value that a text stands for, if it is allowed. */
const allowed = <Value>({ accepts, expected }: Check, value: Value): Value => {
  if (accepts(value)) return value
  throw new TypeError(`It must be ${expected}.`)
}

const numberOf = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN)

const parseString = (text: string): string => text

const parseInteger =
  (max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number =>
    allowed(integer(0, max), numberOf(text))

const parseRateLimit = (text: string): RateLimit =>
  allowed(rateLimitCheck, text === 'off' ? text : (numberOf(text) as RateLimit))

/** On the command line the option itself is the value; only a variable has one. */
const parseSwitch = (text: string): boolean => {
  if (/^(?:1|true|0|false)$/i.test(text)) return /^[1t]/i.test(text)
  throw new TypeError('It must be 1 or true for on, 0 or false for off.')
}

export interface Flag {
  /** What the help calls its value; without it the option is a switch. */
  readonly value?: string
  readonly about: string
  readonly fallback?: string
  /** Whether it may be given several times; then its values are objects, and later ones override earlier ones. */
  readonly repeated?: true
  /** The value that a text stands for; throws a sentence if it is not allowed. */
  readonly parse: (text: string) => unknown
}

/** Every option, for the command line, the variables of the environment, the help and the README. */
export const flags = {
  port: { value: 'N', about: 'port to listen on, 0 for a free one', fallback: '4010', parse: parseInteger(65_535) },
  host: { value: 'ADDRESS', about: 'address to listen on', fallback: '127.0.0.1', parse: parseString },
  seed: { value: 'N', about: 'same seed, same transactions', fallback: '1', parse: parseInteger() },
  users: { value: 'N', about: 'users who have transactions', fallback: '50', parse: parseInteger(maxSeeded) },
  transactions: { value: 'N', about: 'transactions to generate', fallback: '1000', parse: parseInteger(maxSeeded) },
  data: {
    value: 'FILE',
    about: 'transactions to load instead: NDJSON with a platformId in each, responses of the service, or a HAR file',
    parse: parseString,
  },
  setup: {
    value: 'FILE',
    about: 'JSON object of guilds, keys, faults and stubs to start with',
    parse: parseString,
  },
  rateLimit: { value: 'N|off', about: 'requests accepted per second', fallback: '10', parse: parseRateLimit },
  apiKey: { value: 'KEY', about: 'API key that requests must send', fallback: defaultApiKey, parse: parseString },
  assumptions: { value: 'FILE', about: 'JSON object of assumptions', parse: parseString },
  assume: {
    value: 'KEY=VALUE',
    about: 'one assumption, or several separated by commas; overrides the file; may be repeated',
    repeated: true,
    parse: parseAssumptionList,
  },
  explain: {
    about: 'name the assumptions a response depends on in its header x-mock-assumptions',
    parse: parseSwitch,
  },
  adminToken: {
    value: 'TOKEN',
    about:
      'require "authorization: Bearer TOKEN" under /_mock/; without a token, the admin API is served on loopback only',
    parse: parseString,
  },
  cors: { about: 'allow requests from web pages of any origin', parse: parseSwitch },
  log: { about: 'log each request on stderr; with --json, as a JSON object', parse: parseSwitch },
  exitWithParent: {
    about: 'stop once stdin ends, as it does when the program that started the mock is gone',
    parse: parseSwitch,
  },
  json: { about: 'print one JSON line with url, apiKey and guildId when ready', parse: parseSwitch },
} as const satisfies Readonly<Record<string, Flag>>

export type FlagName = keyof typeof flags

export const flagNames = Object.keys(flags) as FlagName[]

const joinWords = (name: FlagName, separator: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => separator + letter).toLowerCase()

/** `rateLimit` on the command line: `--rate-limit`. */
export const flagOf = (name: FlagName): string => `--${joinWords(name, '-')}`

/** `rateLimit` in the environment: `GUILD_LEDGER_MOCK_RATE_LIMIT`. */
export const variableOf = (name: FlagName): string => `GUILD_LEDGER_MOCK_${joinWords(name, '_').toUpperCase()}`

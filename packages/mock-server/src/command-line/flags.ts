import { defaultApiKey } from '../mock-ledger/index.ts'
import { onOrOff, pairs, rateLimit, text, wholeNumber, type Read } from './values.ts'

/** One option of the command line. */
export interface Flag {
  /** What stands for its value in the help; without it the option is a switch. */
  readonly value?: string
  /** What it does. */
  readonly about: string
  /** What is read where it is not given. */
  readonly fallback?: string
  /** Whether it may be given several times; then its values are objects, and later ones go over earlier ones. */
  readonly repeated?: true
  readonly read: Read<unknown>
}

/** Every option: the command line, the variables, the help and the README go by this table. */
export const flags = {
  port: { value: 'N', about: 'port to listen on, 0 for a free one', fallback: '4010', read: wholeNumber(65_535) },
  host: { value: 'ADDRESS', about: 'address to listen on', fallback: '127.0.0.1', read: text },
  seed: { value: 'N', about: 'same seed, same rows', fallback: '1', read: wholeNumber() },
  users: { value: 'N', about: 'users who have transactions', fallback: '50', read: wholeNumber() },
  transactions: { value: 'N', about: 'transactions to make up', fallback: '1000', read: wholeNumber() },
  data: {
    value: 'FILE',
    about:
      'rows of your own instead: one JSON object a line, a Transaction with its platformId, or replies of the service',
    read: text,
  },
  rateLimit: {
    value: 'N|off',
    about: 'requests a second that are let through',
    fallback: '10',
    read: rateLimit,
  },
  apiKey: { value: 'KEY', about: 'key that requests have to carry', fallback: defaultApiKey, read: text },
  assumptions: { value: 'FILE', about: 'JSON object of assumptions', read: text },
  assume: {
    value: 'KEY=VALUE',
    about: 'one assumption, or several with commas between, over those of the file; may be repeated',
    repeated: true,
    read: pairs,
  },
  explain: { about: 'name the assumptions that shaped a reply in its header x-mock-assumptions', read: onOrOff },
  adminToken: {
    value: 'TOKEN',
    about:
      'ask for "authorization: Bearer TOKEN" under /_mock/, the admin API; without a token that is there on loopback only',
    read: text,
  },
  cors: { about: 'let web pages of any origin ask', read: onOrOff },
  log: { about: 'a line on stderr for each request; with --json, a JSON object', read: onOrOff },
  json: { about: 'print one JSON line with url, apiKey and guildId once ready', read: onOrOff },
} as const satisfies Readonly<Record<string, Flag>>

/** Name of an option, as code has it. */
export type FlagName = keyof typeof flags

export const flagNames = Object.keys(flags) as FlagName[]

const inParts = (name: FlagName, between: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => between + letter).toLowerCase()

/** `rateLimit` on the command line: `--rate-limit`. */
export const flagOf = (name: FlagName): string => `--${inParts(name, '-')}`

/** `rateLimit` in the environment: `GUILD_LEDGER_MOCK_RATE_LIMIT`. */
export const variableOf = (name: FlagName): string => `GUILD_LEDGER_MOCK_${inParts(name, '_').toUpperCase()}`

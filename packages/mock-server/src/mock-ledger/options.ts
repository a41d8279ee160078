import { inWords } from '@guild-ledger/sdk/contract'
import { suggestion, type Assumptions } from '../assumptions/index.ts'
import type { RateLimit } from '../rate-limit/index.ts'
import type { Subscription } from '../store/index.ts'

/** What a guild starts with. */
export interface GuildOptions {
  /**
   * Users who have transactions, as far as there are enough of those.
   *
   * @default 20
   */
  readonly users?: number
  /**
   * Seeded transactions.
   *
   * @default 500 for the first guild, 0 for those created later
   */
  readonly transactions?: number
  /**
   * Same seed, same rows.
   *
   * @default 1 for the first guild; each later one has the next
   */
  readonly seed?: number
  /** How the mock reads what the document leaves open; what is not named is as in the mock, or the first reading. */
  readonly assumptions?: Partial<Assumptions>
  /**
   * Requests a second, or `'off'` for tests that ask faster than the service allows. Spec: Limits.
   *
   * @default 10 for the first guild; each later one has that of the mock
   */
  readonly rateLimit?: RateLimit
  /** @default 'developer' */
  readonly subscription?: Subscription
  /**
   * Value of the guild's first key.
   *
   * @default 'guild-ledger-mock-key' for the first guild (with a number behind it in further mocks of a process); for each
   * later guild, a value made from the seed
   */
  readonly apiKey?: string
}

/** What a mock ledger starts with. */
export interface MockLedgerOptions extends GuildOptions {
  /**
   * Where `mock.fetch` and `mock.handlers` answer.
   *
   * @default 'https://ledger.test', a name that can not exist on the internet
   */
  readonly origin?: string
  /**
   * The clock, in milliseconds since 1970: expiry of keys, rate limit, scheduled rows and the log go by it; seeded
   * rows do not.
   *
   * @default Date.now, whichever that is at the moment, so that fake timers work
   */
  readonly now?: () => number
  /**
   * How late replies wait, in milliseconds of that clock; it ends early when the signal aborts.
   *
   * @default setTimeout
   */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>
  /**
   * Whether each reply (in the header `x-mock-assumptions`) and each entry of the log names the assumptions without which
   * the reply would have been another. Answers take some forty times as long.
   *
   * @default false
   */
  readonly explain?: boolean
  /**
   * How many requests the log of the mock and that of each guild go back: `requests`, `expectRequests` and `conduct`
   * know of no more. Older ones are forgotten.
   *
   * @default 10_000
   */
  readonly keepRequests?: number
}

export const guildOptions = ['users', 'transactions', 'seed', 'assumptions', 'rateLimit', 'subscription', 'apiKey']
export const mockOptions = [...guildOptions, 'origin', 'now', 'wait', 'explain', 'keepRequests']

/** Passes if there is no option but these. */
export const known = (options: object, names: readonly string[]): void => {
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw new TypeError(`Unknown option ${inWords(unknown)}: ${suggestion(unknown, names)}`)
}

export const checkedCount = (name: string, value: number): number => {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new TypeError(`${name} must be a whole number of at least 0, not ${inWords(value)}.`)
}

export const checkedOrigin = (origin: string): string => {
  if (/^https?:\/\//.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin) return origin
  throw new TypeError(`origin must be one such as https://ledger.test, without a path, not ${inWords(origin)}.`)
}

export const checkedFunction = <Given>(name: string, given: Given, example: string): Given => {
  if (typeof given === 'function') return given
  throw new TypeError(`${name} must be a function such as ${example}, not ${inWords(given)}.`)
}

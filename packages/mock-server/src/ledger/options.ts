import { aFunction, any, boolean, check, integer, oneOf, worded, type Checks } from '@guild-ledger/validation'
import type { Assumptions } from '../assumptions/values.ts'
import { rateLimitCheck, type RateLimit } from '../rate-limit/rate-limit.ts'
import type { Subscription } from '../answer/key-error.ts'
import { keyValue } from '../store/keys.ts'
import { checkedFields } from '../type-error.ts'

/** What a guild starts with. */
export interface GuildOptions {
  /**
   * Users who have transactions, as far as there are enough transactions; at most 5,000,000.
   *
   * @default 20
   */
  readonly users?: number
  /**
   * Seeded transactions, at most 5,000,000.
   *
   * @default 500 for the first guild, 0 for those created later
   */
  readonly transactions?: number
  /**
   * Same seed, same transactions.
   *
   * @default 1 for the first guild; the next number for each later one
   */
  readonly seed?: number
  /** Values for unspecified behaviour; others are those of the mock, or the defaults. */
  readonly assumptions?: Partial<Assumptions>
  /**
   * Requests per second, or `'off'` for tests that send more than the service allows. Spec: Limits.
   *
   * @default 10, and none for clients with `clientOptions`, which have no throttle; for later guilds, that of the mock
   */
  readonly rateLimit?: RateLimit
  /** @default 'developer' */
  readonly subscription?: Subscription
  /**
   * Value of the guild's first API key.
   *
   * @default 'guild-ledger-mock-key' for the first guild (followed by a number in further mocks of a process); for each
   * later guild, a value generated from the seed
   */
  readonly apiKey?: string
}

/** What a mock ledger starts with. */
export interface MockLedgerOptions extends GuildOptions {
  /**
   * Origin that `mock.fetch` and `mock.handlers` respond for.
   *
   * @default 'https://ledger.test', a name that cannot exist on the internet
   */
  readonly origin?: string
  /**
   * The clock, in milliseconds since 1970. It decides on the expiry of keys, the rate limit, scheduled transactions and
   * the times in the log, not on seeded transactions.
   *
   * @default Date.now, looked up at each call, so that fake timers work
   */
  readonly now?: () => number
  /**
   * How late responses wait, in milliseconds of that clock; it ends early when the signal aborts.
   *
   * @default setTimeout
   */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>
  /**
   * Whether each response (in the header `x-mock-assumptions`) and each entry of the log names the assumptions that the
   * response depends on. Responses take some forty times as long.
   *
   * @default false
   */
  readonly explain?: boolean
  /**
   * How many requests the log of the mock and that of each guild keep: `requests`, `expectRequests` and `audit` see no
   * older ones.
   *
   * @default 10_000
   */
  readonly keepRequests?: number
}

export const subscriptionCheck = oneOf('developer', 'enterprise', 'none')

const isOrigin = (value: unknown): boolean =>
  typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value) && new URL(value).origin === value

/** So many take 3 GB of memory; with more, Node would end for lack of it. */
export const maxSeeded = 5_000_000

export const guildChecks = {
  users: integer(0, maxSeeded),
  transactions: integer(0, maxSeeded),
  seed: integer(0),
  assumptions: any,
  rateLimit: rateLimitCheck,
  subscription: subscriptionCheck,
  apiKey: keyValue,
} satisfies Checks

const mockChecks: Checks = {
  ...guildChecks,
  origin: check(isOrigin, 'an origin such as https://ledger.test, without a path'),
  now: check(
    (value) => typeof value === 'function' && Number.isFinite((value as () => unknown)()),
    'a function that returns milliseconds since 1970, such as Date.now',
  ),
  wait: worded(aFunction, 'a function that returns a promise'),
  explain: boolean,
  keepRequests: integer(0),
}

const checkedTogether = <Options extends GuildOptions>(options: Options, defaultTransactions: number): Options => {
  const { users, transactions = defaultTransactions } = options
  if (users === 0 && transactions > 0) {
    throw new TypeError(`\`users\` must be an integer ≥ 1 where there are transactions (${transactions}), got 0`)
  }
  return options
}

export const defaultTransactions = 500

/** Takes the options of a guild. Assumptions are checked by whoever uses them. */
export const checkedGuildOptions = (options: GuildOptions): GuildOptions =>
  checkedTogether(checkedFields(guildChecks, options), 0)

/** Takes the options of a mock ledger, likewise. */
export const checkedMockOptions = (options: MockLedgerOptions): MockLedgerOptions =>
  checkedTogether(checkedFields(mockChecks, options), defaultTransactions)

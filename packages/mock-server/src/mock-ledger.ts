import { inWords, requiredScope } from '@guild-ledger/sdk/contract'
import { assume, nearest, type Assumptions } from './assumptions/index.ts'
import { createFetch } from './carriers/fetch.ts'
import { createEngine, type Engine } from './engine.ts'
import { createFaults } from './faults.ts'
import { checkedSubscription, createGuildHandle, type Guild } from './guild.ts'
import { seededRows } from './seed.ts'
import { createService } from './service.ts'
import {
  createKeys,
  createRows,
  type CreatedKey,
  type GuildState,
  type KeyDetails,
  type Subscription,
} from './store/index.ts'

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
  /** @default 'developer' */
  readonly subscription?: Subscription
  /**
   * Value of the guild's first key.
   *
   * @default 'guild-ledger-mock-key' for the first guild; for each later one, a value made from the seed
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
   * The clock, in milliseconds since 1970. Expiry of keys goes by it; seeded rows do not.
   *
   * @default Date.now
   */
  readonly now?: () => number
}

/** The service, without anything of MSW in it. */
export interface Ledger extends Engine {
  /** Key of the first guild. */
  readonly apiKey: string
  /** Base URL of `fetch` and of the handlers, without a slash at the end. */
  readonly origin: string
  /** Answers requests to `origin`, without a network. Others are refused. */
  readonly fetch: typeof fetch
  /** The first guild. */
  readonly guild: Guild
  /**
   * Creates a guild with data, keys and assumptions of its own.
   *
   * @throws {TypeError} An option is unknown or wrong; then no guild is created.
   */
  createGuild(options?: GuildOptions): Guild
  /**
   * Creates a key that is bound to no guild, to meet `No guild ID provided`. Spec: Errors.
   *
   * @throws {TypeError} A detail is missing or wrong, or the expiry is in the past.
   */
  createUnboundKey(details: KeyDetails): CreatedKey
}

/** The key of the first guild unless told otherwise: the same each time, so that scripts can have it written down. */
export const defaultApiKey = 'guild-ledger-mock-key'

const guildOptions = ['users', 'transactions', 'seed', 'assumptions', 'subscription', 'apiKey']
const endOfTime = '9999-12-31T23:59:59.999Z'

const known = (options: object, names: readonly string[]): void => {
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw new TypeError(`Unknown option ${inWords(unknown)}: did you mean ${nearest(unknown, names)}?`)
}

const count = (name: string, value: number): number => {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new TypeError(`${name} must be a whole number of at least 0, not ${inWords(value)}.`)
}

const rowsOf = (options: GuildOptions, seed: number): GuildState['rows'] => {
  const users = count('users', options.users ?? 20)
  const transactions = count('transactions', options.transactions ?? 0)
  if (transactions > 0 && users === 0) {
    throw new TypeError(`users must be at least 1 when there are transactions (${transactions}), not 0.`)
  }
  return createRows(seededRows({ seed: count('seed', options.seed ?? seed), users, transactions }))
}

const checkedOrigin = (origin: string): string => {
  if (/^https?:\/\//.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin) return origin
  throw new TypeError(`origin must be one such as https://ledger.test, without a path, not ${inWords(origin)}.`)
}

/**
 * Creates the service with one guild.
 *
 * @throws {TypeError} An option is unknown or wrong.
 */
export const createLedger = (options: MockLedgerOptions = {}): Ledger => {
  known(options, [...guildOptions, 'origin', 'now'])
  const { origin: givenOrigin = 'https://ledger.test', now = () => Date.now(), ...first } = options
  if (typeof now !== 'function') throw new TypeError(`now must be a function such as Date.now, not ${inWords(now)}.`)
  const origin = checkedOrigin(givenOrigin)
  const base = assume(options.assumptions)
  const seed = count('seed', options.seed ?? 1)
  const keys = createKeys(seed)
  const guilds = new Map<string, GuildState>()

  const createGuild = (given: GuildOptions = {}): Guild => {
    known(given, guildOptions)
    const id = `guild-${guilds.size + 1}`
    const state: GuildState = {
      id,
      subscription: checkedSubscription(given.subscription ?? 'developer'),
      assumptions: assume(given.assumptions, base),
      rows: rowsOf(given, seed + guilds.size),
      faults: createFaults(),
    }
    const details: KeyDetails = { name: `first key of ${id}`, scopes: [requiredScope], expiresAt: endOfTime }
    const { value } = keys.create(id, details, now(), given.apiKey)
    guilds.set(id, state)
    return createGuildHandle(state, keys, now, value)
  }

  const engine = createEngine(createService(keys, guilds, now, base))
  const guild = createGuild({ transactions: 500, apiKey: defaultApiKey, ...first })
  return {
    ...engine,
    apiKey: guild.apiKey,
    origin,
    fetch: createFetch(engine, origin),
    guild,
    createGuild,
    createUnboundKey: (details) => keys.create(null, details, now()),
  }
}

import type { GuildQuery, GuildReply, LedgerEntry, Pagination, UserQuery, UserReply } from './contract/index.ts'
import { guildTransactions, otherPath, userTransactions, type Operation, type Page } from './endpoints.ts'
import { anything, checked, type Checks } from './checks.ts'
import { settingsOf, type GuildLedgerOptions } from './options/index.ts'
import {
  callChecks,
  createTransport,
  isStandardSchema,
  type CallOptions,
  type Query,
  type StandardSchema,
  type Transport,
} from './transport/index.ts'
import { iterate, pages, type Walk, type WalkOptions } from './walk/index.ts'
import { watch, type Filters, type Watch, type WatchOptions } from './watch/index.ts'

/** One page of the guild's transactions, grouped by user. */
export type GuildPage = Page<GuildReply>
/** One page of one user's transactions. */
export type UserPage = Page<UserReply>

/** What can be done with a list of transactions. */
export interface Transactions<Q, P> {
  /**
   * Asks for one page and returns the service's reply body.
   *
   * @throws {InvalidParameterError} The query breaks the contract; nothing was sent.
   * @throws {ApiError} The service refused; a result without transactions is one of its documented refusals.
   * @throws {ConnectionError} No reply, a broken one, or none in time.
   * @throws {ResponseValidationError} The reply breaks the contract.
   */
  list(query?: Q, options?: CallOptions): Promise<P>
  /**
   * Walks the pages in order, from `query.page` (1 unless given) to the last, 100 results each unless told otherwise.
   * An error carries `page`, the page to go on from.
   */
  pages(query?: Q, options?: WalkOptions): Walk<P>
  /**
   * Walks the pages and yields every transaction once, with the user it belongs to. On a ledger that only grows,
   * nothing that was there at the first request is missed, whatever is added meanwhile and wherever it is sorted in.
   */
  iterate(query?: Q, options?: WalkOptions): Walk<LedgerEntry>
  /**
   * Yields transactions as they turn up, each once, for ever: looks at the ledger every few seconds, since the document
   * shows no events. Its `checkpoint` can be stored, and given as `since` later. Spec: Events.
   */
  watch(filters?: Filters<Q>, options?: WatchOptions): Watch
}

const { validation: _validation, ...sharedChecks } = callChecks
const getChecks: Checks = {
  ...sharedChecks,
  query: anything,
  schema: [isStandardSchema, "a Standard Schema such as zod's"],
}

const verbs = <Q extends Query, Reply extends { pagination: Pagination }>(
  operation: Operation<Q, Reply>,
  noQuery: Q,
  baseUrl: string,
): Transactions<Q, Page<Reply>> => {
  return {
    list: async (query = noQuery, options = {}) => operation.list(query, checked(callChecks, options)),
    pages: (query = noQuery, options = {}) => pages(operation, query, options),
    iterate: (query = noQuery, options = {}) => iterate(operation, query, options),
    watch: (filters = noQuery, options = {}) => watch(operation, filters, options, baseUrl + operation.path),
  }
}

/** A client of the Guild Ledger Transactions Service for the one guild that its key is bound to. */
export class GuildLedger {
  /** Transactions of all users of the guild. Spec: Endpoints, 1. */
  readonly transactions: Transactions<GuildQuery, GuildPage>
  readonly #transport: Transport
  readonly #baseUrl: string

  /**
   * Options are read once, here.
   *
   * @throws {ConfigurationError} An option is missing or wrong.
   */
  constructor(options: GuildLedgerOptions = {}) {
    const settings = settingsOf(options)
    this.#baseUrl = settings.baseUrl
    this.#transport = createTransport(settings)
    this.transactions = verbs(guildTransactions(this.#transport), {}, this.#baseUrl)
  }

  /**
   * One user of the guild, by the identifier on the game platform.
   *
   * @throws {InvalidParameterError} `platformId` is empty, `.`, `..` or not well-formed text.
   */
  user(platformId: string): {
    /** Transactions of this user. Spec: Endpoints, 2. */
    readonly transactions: Transactions<UserQuery, UserPage>
  } {
    return { transactions: verbs(userTransactions(this.#transport, platformId), {}, this.#baseUrl) }
  }

  /**
   * Asks for a path that the document names but does not describe, such as `/guild/discharges`, with the same key,
   * throttle and retries. Spec: Endpoints, Other paths.
   *
   * @throws {InvalidParameterError} `path` is not an absolute path without dot segments, query or fragment, or `query`
   * holds something else than text, finite numbers, true, false and dates.
   */
  async get(path: string, options?: GetOptions): Promise<unknown>
  async get<Output>(path: string, options: GetOptions & { readonly schema: StandardSchema<Output> }): Promise<Output>
  async get(path: string, options: GetOptions & { schema?: StandardSchema | undefined } = {}): Promise<unknown> {
    const { query = {}, schema, ...call } = checked(getChecks, options)
    return otherPath(this.#transport, path, query, schema, { ...call, validation: 'strict' })
  }

  /** The client as plain data, without its key. */
  toJSON(): {
    /** Where it asks. */
    readonly baseUrl: string
  } {
    return { baseUrl: this.#baseUrl }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `GuildLedger { baseUrl: '${this.#baseUrl}' }`
  }
}

/** Options of `get`. A schema is always applied: without one, the reply is what it is. */
export interface GetOptions extends Omit<CallOptions, 'validation'> {
  /** Query parameters; what is undefined is left out. */
  readonly query?: Query | undefined
}

import { any, check, isObject, validate, type Checks } from '@guild-ledger/validation'
import type { GuildQuery, GuildResponse, LedgerEntry, Pagination, UserQuery, UserResponse } from './contract/index.ts'
import {
  guildTransactions,
  customPath,
  userTransactions,
  type Operation,
  type ResponseProperty,
  type WithResponse,
} from './endpoints.ts'
import { documentedErrors, limits } from './contract/index.ts'
import { fromCaller, fromCallerSync, GuildLedgerError, invalidOption } from './errors/index.ts'
import { clientSettings, type GuildLedgerOptions } from './options/index.ts'
import {
  callChecks,
  createTransport,
  isStandardSchema,
  type CallOptions,
  type QueryParameters,
  type StandardSchema,
  type Transport,
} from './transport/index.ts'
import { iterate, pages, type IterateOptions, type Paginator, type PaginationOptions } from './pagination/index.ts'
import { watch, type Filters, type Watch, type WatchOptions } from './watch/index.ts'

/** One page of the guild's transactions, grouped by user: the response body. */
export interface GuildPage extends GuildResponse, ResponseProperty {}
/** One page of one user's transactions: the response body. */
export interface UserPage extends UserResponse, ResponseProperty {}

/** The methods of a list of transactions. */
export interface Transactions<Query, Page> {
  /**
   * Requests one page and resolves with the response body.
   *
   * @throws {InvalidParameterError} The query violates the contract; nothing was sent.
   * @throws {ApiError} An error response. A list without transactions is one of the documented ones. Spec: Errors.
   * @throws {ConnectionError} No response, an incomplete one, or none in time.
   * @throws {ResponseValidationError} The response violates the contract.
   */
  list(query?: Query, options?: CallOptions): Promise<Page>
  /**
   * Iterates over the pages in order, from `query.page` (default 1) to the last, with `limit: 100` by default. An error
   * has `page`, the number of the page that failed.
   *
   * @throws {InvalidParameterError} At the call, before any iteration: the query violates the contract.
   * @throws {ConfigurationError} At the call: an option is unknown or invalid.
   */
  pages(query?: Query, options?: PaginationOptions): Paginator<Page>
  /**
   * Iterates over the transactions of all pages, each once and with the user it belongs to. On a ledger that only grows,
   * every transaction that was there at the first request is yielded, whatever is added meanwhile.
   *
   * @throws {InvalidParameterError} At the call, before any iteration: the query violates the contract.
   * @throws {ConfigurationError} At the call: an option is unknown or invalid.
   */
  iterate(query?: Query, options?: IterateOptions): Paginator<LedgerEntry>
  /**
   * Yields new transactions as they appear, each once, until stopped. It polls, because the spec has no events. Its
   * `checkpoint` can be stored, and given as `since` later. Spec: Events.
   *
   * @throws {InvalidParameterError} At the call: a filter violates the contract, or a watch sets it itself.
   * @throws {ConfigurationError} At the call: an option is unknown or invalid, or `since` is the checkpoint of another watch.
   */
  watch(filters?: Filters<Query>, options?: WatchOptions): Watch
}

/** One user of the guild. */
export interface GuildUser {
  /** Transactions of this user. Spec: Endpoints, 2. */
  readonly transactions: Transactions<UserQuery, UserPage>
}

const { validation: _validation, ...sharedChecks } = callChecks
const getChecks: Checks = {
  ...sharedChecks,
  query: any,
  schema: check(isStandardSchema, "a Standard Schema such as zod's"),
}

const createTransactions = <Q extends object, Body extends { pagination: Pagination }>(
  operation: Operation<Q, Body>,
  noQuery: Q,
  baseUrl: string,
): Transactions<Q, WithResponse<Body>> => {
  const methods: Transactions<Q, WithResponse<Body>> = {
    list: (query = noQuery, options = {}) =>
      fromCaller([methods, 'list'], () => operation.list(query, validate(callChecks, options, invalidOption))),
    pages: (query = noQuery, options = {}) =>
      fromCallerSync([methods, 'pages'], () => pages(operation, query, options)),
    iterate: (query = noQuery, options = {}) =>
      fromCallerSync([methods, 'iterate'], () => iterate(operation, query, options)),
    watch: (filters = noQuery, options = {}) =>
      fromCallerSync([methods, 'watch'], () => watch(operation, filters, options, baseUrl + operation.path)),
  }
  return methods
}

/** A client of the Guild Ledger Transactions Service, for the one guild that its key is bound to. */
export class GuildLedger {
  /** Transactions of all users of the guild. Spec: Endpoints, 1. */
  readonly transactions: Transactions<GuildQuery, GuildPage>
  readonly #transport: Transport
  readonly #baseUrl: string

  /**
   * Reads its options once.
   *
   * @throws {ConfigurationError} An option is missing or invalid.
   */
  constructor(options: GuildLedgerOptions = {}) {
    const settings = fromCallerSync([GuildLedger], () => clientSettings(options))
    this.#baseUrl = settings.baseUrl
    this.#transport = createTransport(settings)
    this.transactions = createTransactions(guildTransactions(this.#transport), {}, this.#baseUrl)
  }

  /**
   * One user of the guild, by the identifier on the game platform.
   *
   * @throws {InvalidParameterError} `platformId` is empty, `.`, `..` or not a well-formed string.
   */
  user(platformId: string): GuildUser {
    const operation = fromCallerSync([this, 'user'], () => userTransactions(this.#transport, platformId))
    return { transactions: createTransactions(operation, {}, this.#baseUrl) }
  }

  /**
   * Requests a path that the spec names but does not describe, such as `/guild/discharges`, with the same key, throttle
   * and retries. Spec: Endpoints, Other paths.
   *
   * @throws {InvalidParameterError} `path` is not an absolute path without dot segments, query or fragment, or `query`
   * holds anything but strings, finite numbers, booleans and dates.
   */
  get(path: string, options?: GetOptions): Promise<unknown>
  get<Output>(path: string, options: GetOptions & { readonly schema: StandardSchema<Output> }): Promise<Output>
  get(path: string, options: GetOptions & { schema?: StandardSchema | undefined } = {}): Promise<unknown> {
    return fromCaller([this, 'get'], () => {
      const { query = {}, schema, ...call } = validate(getChecks, options, invalidOption)
      return customPath(this.#transport, path, query, schema, { ...call, validation: 'strict' })
    })
  }

  /**
   * Resolves if the service accepts the key, and the response is one of this service: for the start of a program. Sends one
   * request, for one transaction; "no transactions found" counts as accepted.
   *
   * @throws {AuthenticationError} The key is not accepted.
   * @throws {PermissionDeniedError} It possibly lacks the scope `guild:read`.
   * @throws {ConnectionError} No response, an incomplete one, or none in time.
   * @throws {ResponseValidationError} The response is not one of this service: `baseUrl` may be wrong.
   */
  verify(options?: CallOptions): Promise<void> {
    return fromCaller([this, 'verify'], async () => {
      try {
        // Whatever the client does with responses of another form: this call is about them. `list` reports wrong options.
        const call = isObject(options ?? {}) ? { ...options, validation: 'strict' as const } : options
        await this.transactions.list({ limit: limits.minLimit }, call)
      } catch (error) {
        if (!GuildLedgerError.is(error) || error.code !== documentedErrors.noGuildTransactions.code) throw error
      }
    })
  }

  /**
   * Ends requests that were given up and are still on the network, so that a process can exit at once. Calls in progress
   * go on; further calls reject with a `ConfigurationError`. `await using` calls it at the end of a block.
   *
   * A call that is aborted or times out rejects at once, but its request stays on the network until its response is seen,
   * for at most 3 seconds (10 after the time limit of an attempt): its slot of the rate limit comes free sooner that way.
   */
  async close(): Promise<void> {
    this.#transport.close()
  }

  /** The same as `close`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** The client as plain data, without its key. */
  toJSON(): {
    /** Address of the service. */
    readonly baseUrl: string
  } {
    return { baseUrl: this.#baseUrl }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `GuildLedger { baseUrl: '${this.#baseUrl}' }`
  }
}

/** Options of `get`. A schema is always enforced; without one, the response body is returned as it is. */
export interface GetOptions extends Omit<CallOptions, 'validation'> {
  /** Query parameters; those that are undefined are left out. */
  readonly query?: QueryParameters | undefined
}

import { any, check, isObject, validate, type Checks } from '@guild-ledger/validation'
import { documentedErrors, limits, type GuildQuery, type StandardSchema, type UserQuery } from './contract/index.ts'
import { guildTransactions, customPath, userTransactions, type GuildPage, type UserPage } from './endpoints.ts'
import { fromCaller, fromCallerSync, GuildLedgerError, invalidCallOption } from './errors/index.ts'
import { clientSettings, type GuildLedgerOptions } from './options/index.ts'
import {
  callChecks,
  createTransport,
  isStandardSchema,
  type CallOptions,
  type QueryParameters,
  type Transport,
} from './transport/index.ts'
import { createTransactions, type Transactions } from './transactions.ts'

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

/** A client of the Guild Ledger Transactions Service, for the one guild that its key is bound to. */
export class GuildLedger {
  /** Transactions of all users of the guild. Spec: Endpoints, 1. */
  readonly transactions: Transactions<GuildQuery, GuildPage>
  readonly #transport: Transport
  readonly #baseUrl: string

  /**
   * `new GuildLedger({ apiKey, baseUrl })`. Without them it reads the environment variables `GUILD_LEDGER_API_KEY` and
   * `GUILD_LEDGER_BASE_URL`. A key opens one guild: make one client for each guild and keep it. Clients of one key share
   * one rate limit. Options are read once, and nothing is sent yet: `verify()` checks the key.
   *
   * @throws {ConfigurationError} An option is missing or invalid.
   */
  constructor(options: GuildLedgerOptions = {}) {
    const settings = fromCallerSync([GuildLedger], () => clientSettings(options))
    this.#baseUrl = settings.baseUrl
    this.#transport = createTransport(settings)
    const guild = guildTransactions(this.#transport)
    this.transactions = createTransactions(guild, this.#baseUrl, guild, {})
  }

  /**
   * One user of the guild, by the identifier on the game platform.
   *
   * @throws {InvalidParameterError} `platformId` is empty, `.`, `..` or not a well-formed string.
   */
  user(platformId: string): GuildUser {
    const operation = fromCallerSync([this, 'user'], () => userTransactions(this.#transport, platformId))
    const guild = guildTransactions(this.#transport)
    return { transactions: createTransactions(operation, this.#baseUrl, guild, { platformId }) }
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
      const { query = {}, schema, ...call } = validate(getChecks, options, invalidCallOption)
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
   * Ends watches that follow quietly: their loops are done. Everything that has an end rejects with a `ConfigurationError`
   * whose `code` is `client_closed`, so that it never looks complete: calls, paginators, watches with `follow: false`, and
   * all that begins later. Nothing is left on the network, so that a process can exit at once. `await using` calls it at
   * the end of a block; a second call does nothing. To end one iterator without an error, call its `return()`.
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

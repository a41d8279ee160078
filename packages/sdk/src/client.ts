import { any, check, isObject, validate, type Checks } from '@guild-ledger/validation'
import { documentedErrors, limits, type GuildQuery, type StandardSchema, type UserQuery } from './contract/index.ts'
import { fromCaller, fromCallerSync, GuildLedgerError, invalidCallOption } from './errors/index.ts'
import { createList, type Transactions } from './lists.ts'
import { clientOperations, customPath, type GuildPage, type UserPage } from './operations/index.ts'
import { clientSettings, type GuildLedgerOptions } from './options/index.ts'
import type { Throttle } from './throttle/index.ts'
import {
  callChecks,
  createTransport,
  isStandardSchema,
  type CallOptions,
  type QueryParameters,
} from './transport/index.ts'

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

/** Figures of the throttle that a client uses. */
export interface ClientThrottle extends Pick<Throttle, 'stats' | 'estimateMs'> {}

// Editors show the comments of overloads only where they are methods. The constructor defines it like the others.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface GuildLedger {
  /**
   * Requests a path that the spec names but does not describe, such as `/guild/discharges`, with the same key, throttle
   * and retries. Spec: Endpoints, Other paths.
   *
   * @throws {InvalidParameterError} `path` is not an absolute path without dot segments, query or fragment, or `query`
   * holds anything but strings, finite numbers, booleans and dates.
   */
  get(path: string, options?: GetOptions): Promise<unknown>
  /**
   * The same with a schema, which the response body has to match: it resolves with what the schema makes of it.
   *
   * @throws {ResponseValidationError} The response does not match.
   */
  get<Output>(path: string, options: GetOptions & { readonly schema: StandardSchema<Output> }): Promise<Output>
}

/**
 * A client of the Guild Ledger Transactions Service, for the one guild that its key is bound to. Its methods need no
 * `this`: they work detached, behind any proxy, and in a copy such as `{ ...ledger }`.
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class GuildLedger implements AsyncDisposable {
  /** Transactions of all users of the guild. Spec: Endpoints, 1. */
  declare readonly transactions: Transactions<GuildQuery, GuildPage>

  /** The throttle that the client uses, shared or its own; undefined with `throttle: false`. */
  declare readonly throttle: ClientThrottle | undefined

  /**
   * One user of the guild, by the identifier on the game platform.
   *
   * @throws {InvalidParameterError} `platformId` is empty, `.`, `..` or not a well-formed string.
   */
  declare readonly user: (platformId: string) => GuildUser

  /**
   * Resolves if the service accepts the key, and the response is one of this service: for the start of a program. Sends one
   * request, for one transaction; "no transactions found" counts as accepted.
   *
   * @throws {AuthenticationError} The key is not accepted.
   * @throws {PermissionDeniedError} It possibly lacks the scope `guild:read`.
   * @throws {ConnectionError} No response, an incomplete one, or none in time.
   * @throws {ResponseValidationError} The response is not one of this service: `baseUrl` may be wrong.
   */
  declare readonly verify: (options?: CallOptions) => Promise<void>

  /**
   * Ends watches that follow quietly: their loops are done. Everything that has an end rejects with a `ConfigurationError`
   * whose `code` is `client_closed`, so that it never looks complete: calls, paginators, watches with `follow: false`, and
   * all that begins later. Nothing is left on the network, so that a process can exit at once. `await using` calls it at
   * the end of a block; a second call does nothing. To end one iterator without an error, call its `return()`.
   *
   * A call that is aborted or times out rejects at once, but its request stays on the network until its response is seen,
   * for at most 3 seconds (10 after the time limit of an attempt): its slot of the rate limit comes free sooner that way.
   */
  declare readonly close: () => Promise<void>

  /** The same as `close`. */
  declare readonly [Symbol.asyncDispose]: () => Promise<void>

  /** The client as plain data, without its key. */
  declare readonly toJSON: () => {
    /** Address of the service. */
    readonly baseUrl: string
  }

  /**
   * `new GuildLedger({ apiKey, baseUrl })`. Without them it reads the environment variables `GUILD_LEDGER_API_KEY` and
   * `GUILD_LEDGER_BASE_URL`. A key opens one guild: make one client for each guild and keep it. Clients of one key share
   * one rate limit. Options are read once, and nothing is sent yet: `verify()` checks the key.
   *
   * @throws {ConfigurationError} An option is missing or invalid.
   */
  constructor(options: GuildLedgerOptions = {}) {
    const settings = fromCallerSync([GuildLedger], () => clientSettings(options))
    const { baseUrl, throttle } = settings
    const transport = createTransport(settings)
    const guild = clientOperations.guild(transport)
    const transactions = createList(guild, baseUrl, guild, {})
    const close = async (): Promise<void> => transport.close()

    const methods = {
      user: (platformId: string): GuildUser => {
        const operation = fromCallerSync([methods, 'user'], () => clientOperations.user(transport, platformId))
        return { transactions: createList(operation, baseUrl, guild, { platformId }) }
      },
      get: (
        path: string,
        given: GetOptions & { readonly schema?: StandardSchema | undefined } = {},
      ): Promise<unknown> =>
        fromCaller([methods, 'get'], () => {
          const { query, schema, ...call } = validate(getChecks, given, invalidCallOption)
          return customPath(transport, path, query ?? {}, schema, { ...call, validation: 'strict' })
        }),
      verify: (given?: CallOptions): Promise<void> =>
        fromCaller([methods, 'verify'], async () => {
          try {
            // Whatever the client does with responses of another form: this call is about them. `list` reports wrong options.
            const call = isObject(given ?? {}) ? { ...given, validation: 'strict' as const } : given
            await transactions.list({ limit: limits.minLimit }, call)
          } catch (error) {
            if (!GuildLedgerError.is(error) || error.code !== documentedErrors.noGuildTransactions.code) throw error
          }
        }),
      close,
      [Symbol.asyncDispose]: close,
      toJSON: () => ({ baseUrl }),
      [Symbol.for('nodejs.util.inspect.custom')]: () => `GuildLedger { baseUrl: '${baseUrl}' }`,
    }
    // Not assigned: a subclass may have getters of these names.
    const members = { transactions, throttle, ...methods }
    Object.defineProperties(this, Object.getOwnPropertyDescriptors(members))
  }
}

/** Options of `get`. A schema is always enforced; without one, the response body is returned as it is. */
export interface GetOptions extends Omit<CallOptions, 'validation'> {
  /** Query parameters; those that are undefined are left out. */
  readonly query?: QueryParameters | undefined
}

import type { Throttle, ThrottleOptions } from '../throttle/index.ts'
import type { Fetch, Logger, LogLevel, Middleware, RetryOptions, Validation } from '../transport/index.ts'

/** Options of a client. */
export interface GuildLedgerOptions {
  /**
   * The API key, from the service's dashboard. It is bound to one guild. Spec: Authentication.
   *
   * @default the environment variable `GUILD_LEDGER_API_KEY`
   */
  readonly apiKey?: string | undefined
  /**
   * Address of the service: https, or http on this machine. It may have a path.
   *
   * @default the environment variable `GUILD_LEDGER_BASE_URL`
   */
  readonly baseUrl?: string | URL | undefined
  /**
   * Time for a whole call, in milliseconds: the wait for the throttle, all attempts, the waits between them.
   *
   * @default no limit
   */
  readonly timeoutMs?: number | undefined
  /**
   * Time for one attempt with its body, in milliseconds, counted from the moment its slot is granted.
   *
   * @default 10000
   */
  readonly attemptTimeoutMs?: number | undefined
  /** How often and how soon a failed request is asked again; `false` for never. */
  readonly retry?: RetryOptions | false | undefined
  /**
   * What paces the requests: options for the throttle that all clients of this origin and key share within the process
   * (the strictest of them counts), a throttle of your own, or `false` for none. Spec: Limits.
   *
   * @default never an eleventh request in any second, as the service sees it
   */
  readonly throttle?: Throttle | ThrottleOptions | false | undefined
  /**
   * What happens to a reply that breaks the contract: an error, a warning in the log, or nothing.
   *
   * @default 'strict'
   */
  readonly validation?: Validation | undefined
  /**
   * What sends the requests.
   *
   * @default the global fetch
   */
  readonly fetch?: Fetch | undefined
  /** Wrapped around each attempt, the first one outermost. They never see the key. */
  readonly middleware?: readonly Middleware[] | undefined
  /**
   * Where log lines go. They never hold the key.
   *
   * @default console
   */
  readonly logger?: Logger | undefined
  /**
   * The least serious lines that are logged; `debug` tells every attempt.
   *
   * @default the environment variable `GUILD_LEDGER_LOG`, else 'warn'
   */
  readonly logLevel?: LogLevel | undefined
  /**
   * Sends the key without encryption, to any host. For a private network only.
   *
   * @default false
   */
  readonly allowInsecureHttp?: boolean | undefined
  /**
   * Works in a web page, where every visitor can read the key. For pages only you can open.
   *
   * @default false
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined
}

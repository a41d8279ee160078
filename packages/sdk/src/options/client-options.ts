import {
  address,
  aFunction,
  array,
  boolean,
  check,
  hinted,
  integer,
  isObject,
  milliseconds,
  object,
  oneOf,
  propertyOf,
  quoted,
  secret,
  worded,
  type Check,
} from '@guild-ledger/validation'
import { dateExpected, isDate } from '../contract/queries.ts'
import type { Throttle, ThrottleOptions } from '../throttle/index.ts'
import {
  logLevels,
  maxRetries,
  sharedChecks,
  type ApiKeyFunction,
  type CallOptions,
  type Fetch,
  type Logger,
  type LogLevel,
  type Middleware,
  type RetryOptions,
} from '../transport/index.ts'
import type { AppInfo } from './user-agent.ts'

/** Options of a client. */
export interface GuildLedgerOptions extends Pick<CallOptions, 'timeoutMs' | 'attemptTimeoutMs' | 'validation'> {
  /**
   * The API key, from the service's dashboard, or a function that returns it or a promise of it. It is bound to one guild.
   * Spec: Authentication.
   *
   * A function is called before the first request, and once more after a 401: if it returns another key then, the request
   * is retried with that. While it runs, further calls wait for its result. After a 401 it is called at most once in 10
   * seconds. A function that throws, or does not return within `attemptTimeoutMs`, fails the call with an `ApiKeyError`.
   *
   * @default the environment variable `GUILD_LEDGER_API_KEY`
   */
  readonly apiKey?: string | ApiKeyFunction | undefined
  /**
   * When the key expires: the date chosen in the dashboard, as `Date`, ISO 8601 string or day (`'2026-12-31'`, at midnight
   * UTC). The log warns 14, 3 and 1 days before, also if the client sends nothing. With a function as `apiKey`, it is the date of the first key: the warnings end when another one is used.
   * Spec: Authentication, 3.
   *
   * @default no warning
   */
  readonly apiKeyExpiresAt?: Date | string | undefined
  /**
   * Address of the service: https, or http on a loopback host. It may have a path.
   *
   * @default the environment variable `GUILD_LEDGER_BASE_URL`
   */
  readonly baseUrl?: string | URL | undefined
  /**
   * How often and how soon a failed request is retried; `false` for never.
   *
   * @default { maxRetries: 2, maxRateLimitRetries: 10, baseDelayMs: 300, maxDelayMs: 20000 }
   */
  readonly retry?: RetryOptions | false | undefined
  /**
   * Paces the requests: options of the throttle that all clients of this origin and key share within the process, a
   * throttle of your own, or `false` for none. If clients share it, the strictest options apply; a client counts from
   * its first request until the throttle is idle. Spec: Limits.
   *
   * @default at most 10 requests arrive at the service in any second
   */
  readonly throttle?: Throttle | ThrottleOptions | false | undefined
  /**
   * Lets identical calls share a request as long as it waits for a slot of the throttle. Each call gets an object of its
   * own, and the response is younger than every call that gets it. Has no effect on Cloudflare Workers, where a call may
   * end with the event that it belongs to.
   *
   * @default true
   */
  readonly deduplicate?: boolean | undefined
  /**
   * Longest response body, in bytes after decompression: a longer one is cut off with a `ResponseValidationError`;
   * paginators and watches request smaller pages first. A page of 100 transactions takes about 20 KB. Where pages count
   * users, a page has all transactions of each: several megabytes for a busy one. `JSON.parse` blocks the event loop for up
   * to 0.1 s per megabyte. A `fetch` whose bodies are no web streams has read the whole body before it is measured.
   *
   * @default 16777216
   */
  readonly maxResponseBytes?: number | undefined
  /** Name and version of your program, added to the header `User-Agent`. Browsers send their own. @default none */
  readonly appInfo?: AppInfo | undefined
  /** Sends the requests. @default the global fetch */
  readonly fetch?: Fetch | undefined
  /** Functions around each attempt, the first one outermost. They never see the key. @default none */
  readonly middleware?: readonly Middleware[] | undefined
  /** Receives log lines. They never hold the key. @default console */
  readonly logger?: Logger | undefined
  /**
   * The least severe lines that are logged; `debug` adds a line for every success. In the environment variable case does
   * not matter, and a level that does not exist is a warning.
   *
   * @default the environment variable `GUILD_LEDGER_LOG`, else 'warn'
   */
  readonly logLevel?: LogLevel | undefined
  /** Allows http to any host, which sends the key unencrypted. For private networks only. @default false */
  readonly allowInsecureHttp?: boolean | undefined
  /**
   * Allows use in a web page, where every visitor can read the key. For pages that only you can open.
   *
   * @default false
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined
}

/** Whether a value is a day as the dashboard shows it: it begins at midnight UTC. */
const isDay = (value: unknown): boolean => typeof value === 'string' && isDate(`${value}T00:00:00Z`)

const hasMethods =
  (...names: string[]) =>
  (value: unknown) =>
    names.every((name) => typeof propertyOf(value, name) === 'function')

export const retryChecks: Record<keyof RetryOptions, Check> = {
  maxRetries,
  maxRateLimitRetries: maxRetries,
  baseDelayMs: milliseconds(0),
  maxDelayMs: milliseconds(0),
}

export const clientChecks: Record<keyof GuildLedgerOptions, Check> = {
  ...sharedChecks,
  apiKey: hinted(
    secret(
      check(
        (value) => typeof value === 'string' || typeof value === 'function',
        'a string, or a function that returns one',
      ),
    ),
    (value) =>
      typeof propertyOf(value, 'then') === 'function' ? 'pass a function that returns the promise' : undefined,
  ),
  apiKeyExpiresAt: quoted(
    check((value) => isDate(value) || isDay(value), `${dateExpected}, or a day such as 2026-01-31`),
  ),
  appInfo: object,
  baseUrl: secret(address),
  retry: check(
    (value) => value === false || isObject(value),
    'false, or an object with maxRetries, baseDelayMs and maxDelayMs',
  ),
  throttle: check(
    (value) => value === false || hasMethods('acquire', 'pause')(value) || (isObject(value) && !('acquire' in value)),
    'a throttle, options for one, or false',
  ),
  deduplicate: boolean,
  maxResponseBytes: integer(1),
  fetch: aFunction,
  middleware: worded(array, 'an array of functions'),
  logger: check(hasMethods('debug', 'info', 'warn', 'error'), 'an object with debug, info, warn and error'),
  logLevel: oneOf(...logLevels),
  allowInsecureHttp: boolean,
  dangerouslyAllowBrowser: boolean,
}

import { formatIssues, type Issue } from '@guild-ledger/validation'
import { parameters } from '../contract/index.ts'
import { GuildLedgerError as BaseError } from './base.ts'
import { RequestError, type RequestDetails } from './request-error.ts'

/** An option is missing or invalid, and nothing was sent; or the client was closed. */
export class ConfigurationError extends BaseError {
  override readonly name: string = 'ConfigurationError'
  /** `client_closed`: `close()` was called, before the call or during it. */
  declare readonly code: 'configuration' | 'client_closed'
  /** Name of the option, such as `baseUrl` or `retry.maxRetries`; `close` for a client that was closed. */
  declare readonly option: string

  constructor(option: string, message: string, code: ConfigurationError['code'] = 'configuration') {
    super(message)
    this.option = option
    this.code = code
  }
}

/** The error of a call on a client that is closed. */
export const clientClosed = (): ConfigurationError =>
  new ConfigurationError(
    'close',
    'The client was closed: await calls before close(), or make a new one.',
    'client_closed',
  )

/** Throws the error of an option: the `fail` of `validate`. */
export const invalidOption = (option: string, message: string): never => {
  throw new ConfigurationError(option, message)
}

/** The same for options of a call: those of a query belong into its first argument. */
export const invalidCallOption = (option: string, message: string): never =>
  invalidOption(
    option,
    Object.hasOwn(parameters, option)
      ? `Unknown option \`${option}\`. It is a parameter: pass it in the first argument.`
      : message,
  )

/** A parameter is outside what the spec allows. Nothing was sent. Spec: Endpoints. */
export class InvalidParameterError extends BaseError {
  override readonly name: string = 'InvalidParameterError'
  readonly code = 'invalid_parameter'
  /** One for each invalid parameter: its name (`path`), what is allowed, what was given. */
  declare readonly issues: readonly Issue[]

  constructor(issues: readonly Issue[]) {
    super(formatIssues(issues))
    this.issues = issues
  }
}

/**
 * The function given as `apiKey` threw, rejected, or did not settle in time. Nothing was sent, unless `cause` is a 401 after
 * which it was called. What it threw is not part of the error, because it may hold a key: log it in the function.
 */
export class ApiKeyError extends RequestError {
  override readonly name: string = 'ApiKeyError'
  readonly code = 'api_key_unavailable'
}

/** The throttle rejected the request. Nothing was sent. */
export class ThrottleError extends RequestError {
  override readonly name: string = 'ThrottleError'
  /** `queue_full`: more calls wait than `maxQueue`. `throttle_unavailable`: the store of a shared throttle cannot be reached. */
  declare readonly code: 'queue_full' | 'throttle_unavailable'

  constructor(code: 'queue_full' | 'throttle_unavailable', message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** No response, or an incomplete one: connection refused or reset, unknown host, body cut short. */
export class ConnectionError extends RequestError {
  override readonly name: string = 'ConnectionError'
  readonly code: 'connection' | 'timeout' | 'redirect_refused' = 'connection'
}

/** Which limit was exceeded: the wait in the throttle's queue, one attempt with its body, or the whole call. */
export type TimeoutPhase = 'queue' | 'attempt' | 'call'

/**
 * A time limit was exceeded. In phase `queue` the attempt was not sent, and with `attempts` 0 nothing was. Otherwise the
 * request may have reached the service.
 */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError'
  override readonly code = 'timeout'
  /** The limit that was exceeded, in milliseconds. */
  declare readonly timeoutMs: number
  /** Which limit it was. */
  declare readonly phase: TimeoutPhase
  /** Milliseconds for which the throttle sends nothing, because the service asked to wait; undefined if it did not. */
  declare readonly retryAfterMs: number | undefined

  constructor(message: string, timeoutMs: number, phase: TimeoutPhase, retryAfterMs?: number) {
    super(message)
    this.timeoutMs = timeoutMs
    this.phase = phase
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
  }
}

/** The response is a redirect. Redirects are never followed, because the API key would be sent along. */
export class RedirectError extends ConnectionError {
  override readonly name: string = 'RedirectError'
  override readonly code = 'redirect_refused'
  /** Origin and path that the redirect leads to; undefined where the runtime or the response does not say. */
  declare readonly location: string | undefined

  constructor(message: string, location?: string) {
    super(message)
    this.location = location
  }
}

/**
 * A paginator cannot continue. `paginator_consumed`: it was iterated before; call the method again for a new one.
 * `no_results`: nothing was found, and `onEmpty` is `'throw'`. `pagination_stalled`: the service's pages never end.
 *
 * The last two have `page`, and say of the request for that page what a `RequestError` says.
 */
export class PaginationError extends BaseError implements Partial<RequestDetails> {
  override readonly name: string = 'PaginationError'
  declare readonly code: 'paginator_consumed' | 'no_results' | 'pagination_stalled'
  declare readonly method?: 'GET'
  declare readonly endpoint?: string
  declare readonly url?: string
  declare readonly attempts?: number
  declare readonly callId?: string

  constructor(code: PaginationError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** A success response violates the contract, or is not JSON. Spec: Resources and their fields. */
export class ResponseValidationError extends RequestError {
  override readonly name: string = 'ResponseValidationError'
  readonly code = 'invalid_response'
  /** Where the body violates the contract: path, expected, received. */
  declare readonly issues: readonly Issue[]
  /** The response body: parsed, or the text if it is not JSON. Not enumerable, to keep logs short. */
  declare readonly value: unknown

  constructor(message: string, issues: readonly Issue[], value: unknown, options?: ErrorOptions) {
    super(message, options)
    this.issues = issues
    Object.defineProperty(this, 'value', { value })
  }
}

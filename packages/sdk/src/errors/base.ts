import type { DocumentedErrorCode } from '../contract/index.ts'

/** `code` of an `ApiError`: of a documented error, else of the class of its status; `http_error` is any other status. */
export type ApiErrorCode =
  | DocumentedErrorCode
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  | 'server_error'
  | 'http_error'

/** Every `code` of an error of this package: a closed union, for `switch`. */
export type ErrorCode =
  | ApiErrorCode
  | 'configuration'
  | 'invalid_parameter'
  | 'queue_full'
  | 'throttle_unavailable'
  | 'connection'
  | 'timeout'
  | 'redirect_refused'
  | 'invalid_response'
  | 'paginator_consumed'
  | 'no_results'
  | 'pagination_stalled'

// Registered for the whole process, so that two copies of this package recognise each other's errors.
const brand = Symbol.for('@guild-ledger/sdk/error')

/** Base class of every error this package throws. An abort by the caller rejects with `signal.reason` instead. */
export abstract class GuildLedgerError extends Error {
  /** Name of the class. */
  override readonly name: string = 'GuildLedgerError'
  /** What to branch on: it stays the same when a message is reworded. */
  abstract readonly code: ErrorCode
  /** Number of the page that a paginator failed at, where another one can start. Undefined for other calls. */
  declare readonly page?: number

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    Object.defineProperty(this, brand, { value: true })
  }

  /** Whether `value` is an error of this package, whichever copy of the package threw it. */
  static is(value: unknown): value is GuildLedgerError {
    return typeof value === 'object' && value !== null && brand in value
  }

  /** Plain data for a structured log: the error's own fields, without stack and without bodies. */
  toJSON(): Record<string, unknown> {
    const cause = this.cause instanceof Error ? { cause: `${this.cause.name}: ${this.cause.message}` } : {}
    return { ...Object.fromEntries(Object.entries(this)), message: this.message, ...cause }
  }
}

/** Completes an error with the number of the page that failed. Nothing else sets `page`, and nothing sets it twice. */
export const withPage = <E extends GuildLedgerError>(error: E, page: number): E => {
  if (!Object.hasOwn(error, 'page')) Reflect.defineProperty(error, 'page', { value: page, enumerable: true })
  return error
}

import type { RefusalCode } from '../contract/index.ts'

/** `code` of an `ApiError`: a documented refusal, else the class of its status; `http_error` is any other status. */
export type ApiErrorCode =
  | RefusalCode
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  | 'server_error'
  | 'http_error'

/** Every `code` an error of this package can carry: a closed union, made for `switch`. */
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
  | 'walk_consumed'
  | 'walk_empty'
  | 'walk_stuck'

// Registered for the whole process, so that two installs of this package recognise each other's errors.
const brand = Symbol.for('@guild-ledger/sdk/error')

/** What this package throws. An abort by the caller is not among it: that rejects with `signal.reason`. */
export abstract class GuildLedgerError extends Error {
  /** Name of the class. */
  override readonly name: string = 'GuildLedgerError'
  /** What to branch on: it stays the same when a message is worded better. */
  abstract readonly code: ErrorCode

  /** Number of the page that a walk failed at; a walk started there goes on. Set by walks only. */
  declare page?: number

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    Object.defineProperty(this, brand, { value: true })
  }

  /** Whether `value` was thrown by this package, whichever copy of it. */
  static is(value: unknown): value is GuildLedgerError {
    return typeof value === 'object' && value !== null && brand in value
  }

  /** Plain data for a structured log: the error's own fields, without stack and without bodies. */
  toJSON(): Record<string, unknown> {
    const cause = this.cause instanceof Error ? { cause: `${this.cause.name}: ${this.cause.message}` } : {}
    return { ...Object.fromEntries(Object.entries(this)), message: this.message, ...cause }
  }
}

import { sentence, type Issue } from '../contract/index.ts'
import { GuildLedgerError } from './base.ts'

/** An option of the client is wrong. Nothing was sent. */
export class ConfigurationError extends GuildLedgerError {
  override readonly name: string = 'ConfigurationError'
  readonly code = 'configuration'
  /** The option at fault. */
  readonly option: string

  constructor(option: string, message: string) {
    super(message)
    this.option = option
  }
}

/** A parameter is outside what the document allows. Nothing was sent. */
export class InvalidParameterError extends GuildLedgerError {
  override readonly name: string = 'InvalidParameterError'
  readonly code = 'invalid_parameter'
  /** Each parameter at fault: its name (`path`), what is allowed, what was given. */
  readonly issues: readonly Issue[]

  constructor(issues: readonly Issue[]) {
    super(issues.map(sentence).join('. '))
    this.issues = issues
  }
}

/** The throttle turned the request away. Nothing was sent. */
export class ThrottleError extends GuildLedgerError {
  override readonly name: string = 'ThrottleError'
  /** `queue_full`: more calls wait than `maxQueue`. `throttle_unavailable`: the store of a shared throttle is away. */
  readonly code: 'queue_full' | 'throttle_unavailable'

  constructor(code: 'queue_full' | 'throttle_unavailable', message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** No reply came, or it broke off: refused, reset, unknown host, cut short. */
export class ConnectionError extends GuildLedgerError {
  override readonly name: string = 'ConnectionError'
  readonly code: 'connection' | 'timeout' | 'redirect_refused' = 'connection'
}

/** Which time ran out: for the wait in the throttle's queue, for one attempt with its body, or for the whole call. */
export type TimeoutPhase = 'queue' | 'attempt' | 'call'

/** Time ran out. In the `queue` this attempt was not sent; otherwise it may have reached the service. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError'
  override readonly code = 'timeout'
  /** The limit that ran out, in milliseconds. */
  readonly timeoutMs: number
  /** Which time it was. */
  readonly phase: TimeoutPhase

  constructor(message: string, timeoutMs: number, phase: TimeoutPhase) {
    super(message)
    this.timeoutMs = timeoutMs
    this.phase = phase
  }
}

/** The service answered with a redirect. It is never followed: the key would go along to wherever it points. */
export class RedirectError extends ConnectionError {
  override readonly name: string = 'RedirectError'
  override readonly code = 'redirect_refused'
}

/** What kept a walk from going on: see `WalkError`. */
export type WalkErrorCode = 'walk_consumed' | 'walk_empty' | 'walk_stuck'

/**
 * A walk cannot go on. `walk_consumed`: it was gone through before; call the method again for another one.
 * `walk_empty`: nothing was found, and that is an error by `onEmpty: 'throw'`. `walk_stuck`: the service does not let it
 * come to the end.
 */
export class WalkError extends GuildLedgerError {
  override readonly name: string = 'WalkError'
  readonly code: WalkErrorCode

  constructor(code: WalkErrorCode, message: string, page?: number) {
    super(message)
    this.code = code
    if (page !== undefined) this.page = page
  }
}

/** A 200 reply breaks the contract, or is not JSON at all. */
export class ResponseValidationError extends GuildLedgerError {
  override readonly name: string = 'ResponseValidationError'
  readonly code = 'invalid_response'
  /** Where the body breaks the contract: path, expected, received. */
  readonly issues: readonly Issue[]
  /** The body as it came: parsed, or text where it was not JSON. Not enumerable, so that logs stay short. */
  declare readonly value: unknown

  constructor(message: string, issues: readonly Issue[], value: unknown, options?: ErrorOptions) {
    super(message, options)
    this.issues = issues
    Object.defineProperty(this, 'value', { value })
  }
}

import { isErrorLike } from '@guild-ledger/validation'
import { codeFacts, type Actor, type ErrorCode, type ErrorFacts } from './codes.ts'

// Registered for the whole process, so that two copies of this package recognise each other's errors.
const brand = Symbol.for('@guild-ledger/sdk/error')

/** The innermost message of a chain of causes, with the first system code in it, such as `ECONNREFUSED`. */
const summarizeCause = (error: Error): object => {
  const { name, message, cause, code } = error as Error & { readonly code?: unknown }
  const inner = isErrorLike(cause) ? summarizeCause(cause) : { name, message }
  return typeof code === 'string' ? { ...inner, code } : inner
}

/** The base of all errors, without what names the classes that extend it: any.ts adds that. */
export abstract class GuildLedgerError extends Error {
  /** Name of the class. */
  override readonly name: string = 'GuildLedgerError'
  /**
   * What to branch on: `if (GuildLedgerError.is(error)) switch (error.code)`. It stays the same when a message is reworded.
   * `rate_limited`, `timeout`, `connection`, `invalid_api_key`, `no_guild_transactions` and others: `errorCodes` has all of
   * them, with who has to act and whether a retry helps.
   */
  abstract readonly code: ErrorCode
  /** Number of the page that a paginator failed at, where another one can start. Undefined for other calls. */
  declare readonly page?: number

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    Object.defineProperty(this, brand, { value: true })
  }

  /** Whether the same call may succeed later, without any change. Retries of the SDK are over by then. */
  get retryable(): boolean {
    return codeFacts[this.code].retryable
  }

  /** Who can do something about it: the author of the program, the manager of the guild, or nobody. */
  get actor(): Actor {
    return codeFacts[this.code].actor
  }

  /** See `GuildLedgerError.is`. */
  static is(value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value
  }

  /** Plain data for a structured log: the error's own fields, without stack and without bodies. */
  toJSON(): Record<string, unknown> {
    const { retryable, actor, message, cause } = this
    const reason = isErrorLike(cause) ? { cause: summarizeCause(cause) } : {}
    return { ...Object.fromEntries(Object.entries(this)), retryable, actor, message, ...reason }
  }
}

/** Sets who has to act, and whether a retry helps, where that differs from what the `code` says. */
export const withFacts = <E extends GuildLedgerError>(error: E, { actor, retryable }: ErrorFacts): E =>
  Object.defineProperties(error, { actor: { value: actor }, retryable: { value: retryable } })

/** Whether the same call may succeed later. */
export const isTransient = (error: unknown): boolean =>
  GuildLedgerError.is(error) && (error as GuildLedgerError).retryable

/** Completes an error with the number of the page that failed. Nothing else sets `page`, and nothing sets it twice. */
export const withPage = <E extends GuildLedgerError>(error: E, page: number): E => {
  if (!Object.hasOwn(error, 'page')) Reflect.defineProperty(error, 'page', { value: page, enumerable: true })
  return error
}

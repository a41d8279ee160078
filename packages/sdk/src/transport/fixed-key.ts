import type { AuthenticationError } from '../errors/index.ts'

/** The key of a client, and the last values that it had. */
interface KeyValues {
  /** The key to send; undefined before a function returned its first. */
  readonly current: string | undefined
  /** The last values, at most 8: another array whenever one is added. */
  readonly seen: readonly string[]
  /** How often the value changed. */
  readonly version: number
  /**
   * Waits for a key that is worth sending; undefined if there is one. After a 401 that is the result of the function, called
   * once for all calls that wait. With `isGranted` the call has waited for the throttle: if calls fail at once by then,
   * the function is not called again.
   *
   * @throws {ApiKeyError} The function failed.
   * @throws {ConfigurationError} It returned no valid key.
   * @throws {AuthenticationError} A moment ago the service rejected the key that the function still returns, or two keys
   * in a row.
   */
  readonly ready: (call: KeyCall, isGranted?: boolean) => Promise<void> | undefined
}

/** A key given as a string: always sent, whatever the service responds. */
interface FixedKey extends KeyValues {
  readonly isFixed: true
}

/** Keys that a function returns. */
export interface ReturnedKeys extends KeyValues {
  readonly isFixed: false
  /** The service responded with 401 to the key of `version`. */
  readonly rejected: (error: AuthenticationError, version: number) => void
  /** Calls the function for another key after a 401 for the key of `version`. Resolves with whether there is one. */
  readonly renew: (error: AuthenticationError, version: number, call: KeyCall) => Promise<boolean>
  /** The service accepted the key of `version`, sent for `call`. */
  readonly accepted: (version: number, call: KeyCall) => void
}

/** The key, or keys, of a client. */
export type ApiKeys = FixedKey | ReturnedKeys

/** What a call brings along. */
export interface KeyCall {
  readonly label: string
  readonly signal: AbortSignal | undefined
  readonly attemptTimeoutMs: number
}

/** Binds a key. */
export const fixedKey = (key: string): FixedKey => ({
  isFixed: true,
  current: key,
  seen: [key],
  version: 0,
  ready: () => undefined,
})

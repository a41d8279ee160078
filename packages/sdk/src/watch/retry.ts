import { notify } from '../callback.ts'
import { ApiError, ConfigurationError, InvalidParameterError } from '../errors/index.ts'
import { isTransient, retryDelayMs, type PageRetry } from '../pagination/index.ts'
import { isTooLarge } from '../transport/index.ts'

/** Longest wait between two attempts. */
const maxDelayMs = 5 * 60_000
/** A watch ends after failing for so long. */
export const maxFailingMs = 60 * 60_000

/**
 * How failures of a watch are retried: all but errors of configuration, and responses that are too large. Among these are error responses such as 401,
 * 403 and 404 as long as `hasSucceeded` is false; later they pass more often than not.
 */
export const createWatchRetry = (
  intervalMs: number,
  listeners: readonly PageRetry['onRetry'][],
  hasSucceeded: () => boolean,
): PageRetry => ({
  isTransient(error) {
    if (error instanceof ConfigurationError || error instanceof InvalidParameterError || isTooLarge(error)) return false
    return isTransient(error) || hasSucceeded() || !(error instanceof ApiError)
  },
  baseDelayMs: intervalMs,
  maxDelayMs,
  forMs: maxFailingMs,
  onRetry(error, next) {
    for (const listener of listeners) notify(listener, error, next)
  },
})

/** Milliseconds until the next poll after as many failures in a row. */
export const pollDelayMs = (error: unknown, failures: number, intervalMs: number): number =>
  retryDelayMs(error, failures, intervalMs, maxDelayMs)

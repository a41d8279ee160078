import { ApiError, ConnectionError, RedirectError, TimeoutError } from '../errors/index.ts'
import type { Settings } from './settings.ts'

const retriedStatuses = new Set([408, 429, 500, 502, 503, 504])

/** Whether the same request may do better: the service or the way to it failed, not the request. */
const mayRecover = (error: unknown): boolean =>
  error instanceof ApiError
    ? retriedStatuses.has(error.status)
    : error instanceof TimeoutError
      ? error.phase === 'attempt'
      : error instanceof ConnectionError && !(error instanceof RedirectError)

/**
 * Milliseconds to wait before asking again after the `failed`th failure, undefined to give up. What the service asks
 * for is kept to; else anything up to a bound that doubles ("full jitter").
 */
export const retryDelayMs = (
  error: unknown,
  failed: number,
  { maxRetries, baseDelayMs, maxDelayMs }: Settings['retry'],
  random: () => number = Math.random,
): number | undefined => {
  if (failed > maxRetries || !mayRecover(error)) return undefined
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined
  if (asked !== undefined) return asked <= maxDelayMs ? asked : undefined
  return random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (failed - 1))
}

import { ApiError, GuildLedgerError } from '../errors/index.ts'
import { sleep } from '../transport/index.ts'

/** How a page that failed is requested again, after the retries of its call. */
export interface PageRetry {
  readonly isTransient: (error: unknown) => boolean
  /** Milliseconds until the first retry; twice as many each time. */
  readonly baseDelayMs: number
  readonly maxDelayMs: number
  /** Milliseconds after the first failure in a row from which a failure is final. */
  readonly forMs: number
  readonly onRetry?: ((error: Error, next: { readonly retryInMs: number }) => void) | undefined
}

/** Longest wait before a page is requested again, whatever the service asks for. */
const maxRetryAfterMs = 5 * 60_000

/** Whether the same request, later, may succeed: connection failures, 408, 429, 5xx, and a throttle that cannot serve. */
export const isTransient = (error: unknown): boolean => GuildLedgerError.is(error) && error.retryable

/** Milliseconds until the next attempt after as many failures in a row; no sooner than `Retry-After`, up to five minutes. */
export const retryDelayMs = (error: unknown, failures: number, baseDelayMs: number, maxDelayMs: number): number => {
  const retryAfterMs = (error instanceof ApiError ? error.retryAfterMs : undefined) ?? 0
  return Math.max(Math.min(maxDelayMs, baseDelayMs * 2 ** (failures - 1)), Math.min(maxRetryAfterMs, retryAfterMs))
}

/** Calls `first`, and after a transient failure `request`, until one succeeds or the time of `retry` is up. */
export const withRetries = async <T>(
  request: () => Promise<T>,
  retry: PageRetry | undefined,
  signal: AbortSignal,
  first = request,
): Promise<T> => {
  let endsAt: number | undefined
  for (let failures = 1, attempt = first; ; failures++, attempt = request) {
    try {
      return await attempt()
    } catch (error) {
      if (!retry || signal.aborted || !retry.isTransient(error)) throw error
      endsAt ??= performance.now() + retry.forMs
      const leftMs = endsAt - performance.now()
      if (leftMs <= 0) throw error
      const retryInMs = Math.min(leftMs, retryDelayMs(error, failures, retry.baseDelayMs, retry.maxDelayMs))
      retry.onRetry?.(error as Error, { retryInMs })
      await sleep(retryInMs, signal)
    }
  }
}

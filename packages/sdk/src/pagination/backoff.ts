import { ApiError } from '../errors/index.ts'
import { unref } from '../throttle/index.ts'
import { sleep } from '../transport/index.ts'

/** How what failed is tried again, after the retries of its call. */
export interface BackoffOptions {
  readonly isTransient: (error: unknown) => boolean
  /** Milliseconds until the first retry, at most; twice as many each time. */
  readonly baseDelayMs: number
  readonly maxDelayMs: number
  /** Milliseconds of waiting and trying after which a failure is final. */
  readonly forMs: number
  /** Called before each wait. */
  readonly onRetry?: ((error: Error, next: { readonly retryInMs: number }) => void) | undefined
}

/** Longest wait before a retry, whatever the service asks for. */
const maxRetryAfterMs = 5 * 60_000
/** What an attempt takes is counted in steps of this length. */
const stepMs = 1000
/** Shares of a wait that are left out at random: of the first one, so that what began together comes apart, and later. */
const firstSpread = 0.5
const spread = 0.1

/** Who began to wait last in this process, and when. Timers are replaced by those of a test, and its times mean nothing later. */
let latest: { readonly by: symbol; readonly at: number; readonly timers: unknown } | undefined

/** Whether another one began to wait within the last `ms` milliseconds: the two may be in step. */
const hasCompany = (by: symbol, ms: number): boolean => {
  const other = latest
  latest = { by, at: performance.now(), timers: setTimeout }
  return other !== undefined && other.by !== by && other.timers === setTimeout && latest.at - other.at < ms
}

/**
 * Waits between attempts. The time after which a failure is final is the sum of what was waited and what timers showed
 * during attempts. No clock is read: it would also count the hours in which a computer was asleep.
 */
export const createBackoff = (
  { isTransient, baseDelayMs, maxDelayMs, forMs, onRetry }: BackoffOptions,
  signal: AbortSignal,
) => {
  const self = Symbol('backoff')
  let failures = 0
  let spentMs = 0
  let share = firstSpread

  /** A wait that is shorter by a random part where others wait, too, so that they do not stay in step. */
  const shortened = (ms: number): number => {
    const part = hasCompany(self, ms) ? share : 0
    share = spread
    return ms * (1 - part * Math.random())
  }
  const isRetried = (error: unknown): boolean => !signal.aborted && spentMs < forMs && isTransient(error)

  /** Waits until the next attempt. @throws the error, if it is final */
  const afterFailure = async (error: unknown): Promise<void> => {
    if (!isRetried(error)) throw error
    const leftMs = forMs - spentMs
    const retryAfterMs = Math.min(maxRetryAfterMs, leftMs, (error instanceof ApiError && error.retryAfterMs) || 0)
    const retryInMs = Math.max(retryAfterMs, Math.min(maxDelayMs, leftMs, baseDelayMs * 2 ** failures))
    failures++
    onRetry?.(error as Error, { retryInMs })
    const waitMs = Math.max(retryAfterMs, shortened(retryInMs))
    await sleep(waitMs, signal)
    spentMs += waitMs
  }
  /** Makes an attempt, whose time counts if it is a further one. */
  const timed = async <T>(attempt: () => Promise<T>): Promise<T> => {
    const timer = failures > 0 ? setInterval(() => (spentMs += stepMs), stepMs) : undefined
    unref(timer)
    try {
      return await attempt()
    } finally {
      clearInterval(timer)
    }
  }

  return {
    /** Whether failures are retried at all. */
    isPatient: forMs > 0,
    isRetried,
    afterFailure,
    /** Calls `first`, and after a transient failure `request`, until one succeeds or a failure is final. */
    async run<T>(request: () => Promise<T>, first = request): Promise<T> {
      for (let attempt = first; ; attempt = request) {
        try {
          return await timed(attempt)
        } catch (error) {
          await afterFailure(error)
        }
      }
    },
    /** Nothing has failed lately. */
    reset(): void {
      failures = 0
      spentMs = 0
    },
    /** Waits up to `ms` milliseconds without a failure. */
    pause: (ms: number): Promise<void> => sleep(shortened(ms), signal),
  }
}

export type Backoff = ReturnType<typeof createBackoff>

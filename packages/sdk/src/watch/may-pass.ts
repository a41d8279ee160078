import { longestTimerMs } from '../checks.ts'
import {
  ApiError,
  ConnectionError,
  RateLimitError,
  RedirectError,
  ServerError,
  ThrottleError,
} from '../errors/index.ts'

const longestWaitMs = 5 * 60_000

/** Whether another look, later, may do better. */
export const mayPass = (error: unknown): error is Error =>
  (error instanceof ConnectionError && !(error instanceof RedirectError)) ||
  error instanceof RateLimitError ||
  error instanceof ServerError ||
  error instanceof ThrottleError

/** Milliseconds until the next look after as many failures in a row; no sooner than the service asks. */
export const retryInMs = (error: Error, failures: number, intervalMs: number): number =>
  Math.min(
    longestTimerMs,
    Math.max(
      Math.min(longestWaitMs, intervalMs * 2 ** (failures - 1)),
      (error instanceof ApiError ? error.retryAfterMs : undefined) ?? 0,
    ),
  )

import { RateLimitError } from '../errors/index.ts'
import { fieldsOf } from './call-log.ts'
import { summarize } from './connection-error.ts'
import type { Log } from './log.ts'
import type { RequestTrace } from './trace.ts'

const sharedKeyAdvice =
  '. If other processes use the key, share one throttle: createRedisThrottle of @guild-ledger/sdk/redis'

/** Logs that a request failed and is sent again after `waitMs`. `progress` says which one it is. */
export type LogRetry = (
  label: string,
  trace: Partial<RequestTrace>,
  error: unknown,
  waitMs: number,
  progress: string,
) => void

/** A 429 is a warning once, with what helps: if processes share a key without sharing a throttle, it recurs. */
export const createRetryLog = (log: Log): LogRetry => {
  let isRateLimitKnown = false
  return (label, trace, error, waitMs, progress) => {
    const isRateLimit = error instanceof RateLimitError
    const advice = isRateLimit && !isRateLimitKnown ? sharedKeyAdvice : ''
    const rounded = Math.round(waitMs)
    log(
      isRateLimit && isRateLimitKnown ? 'info' : 'warn',
      `${label} failed with ${summarize(error)}, retrying in ${rounded} ms (${progress})${advice}`,
      () => fieldsOf(trace, error, { waitMs: rounded }),
    )
    isRateLimitKnown ||= isRateLimit
  }
}

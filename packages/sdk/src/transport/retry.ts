import ky, { isNetworkError } from 'ky'
import { ApiError, ConfigurationError, ConnectionError, RateLimitError } from '../errors/index.ts'
import { deadline } from './deadline.ts'
import type { LogRetry } from './log.ts'
import type { Middleware, TransportSettings } from './options.ts'
import type { Call, createSend } from './send.ts'
import { toApiError, toTimeoutError } from './to-error.ts'

/** @throws {ConfigurationError} Middleware returned no response, or one whose body was read. */
const checkReturned = (response: unknown): void => {
  if (response instanceof Response && !response.bodyUsed) return
  const fault = response instanceof Response ? 'one whose body was read: return a clone' : 'something else'
  throw new ConfigurationError('middleware', `\`middleware\` must return a Response, got ${fault}`)
}

/** One attempt: puts middleware around the sending of a request, and makes errors of error responses. */
export const createAttempt =
  (middleware: readonly Middleware[], send: ReturnType<typeof createSend>) =>
  async (request: Request, call: Call): Promise<Response> => {
    const { label, trace, signal, attemptTimeoutMs } = call
    const ownTime = deadline(signal, attemptTimeoutMs, () => toTimeoutError(label, 'attempt', attemptTimeoutMs))
    const innermost = async (outgoing: Request) => ownTime.outside(async () => send(outgoing, call))
    const outermost = middleware.reduceRight<typeof innermost>(
      (next, layer) => async (outgoing) => layer(outgoing, next),
      innermost,
    )
    try {
      const response = await ownTime.race(outermost(request))
      checkReturned(response)
      if (response.ok) return response
      throw toApiError(response, await ownTime.race(response.text()), label, trace.attempts)
    } finally {
      ownTime.end()
    }
  }

const transientStatuses = new Set([408, 429, 500, 502, 503, 504])

/** Whether another attempt may succeed: the service or the network failed, not the request. */
const isTransient = (error: unknown): boolean =>
  error instanceof ApiError ? transientStatuses.has(error.status) : error instanceof ConnectionError && error.retryable

/** Milliseconds until retry 1, 2, …; undefined to give up. Without `Retry-After` they are random ("full jitter"). */
const retryDelayMs = (
  error: unknown,
  retry: number,
  { baseDelayMs, maxDelayMs }: Pick<TransportSettings['retry'], 'baseDelayMs' | 'maxDelayMs'>,
): number | undefined => {
  if (!isTransient(error)) return undefined
  const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined
  if (retryAfterMs !== undefined) return retryAfterMs <= maxDelayMs ? retryAfterMs : undefined
  return Math.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (retry - 1))
}

/**
 * Sends a request until a success response comes or another attempt is pointless. ky builds the request, counts the
 * retries and waits. Its errors hold the request, so the one that it makes of a `TypeError` of middleware is unwrapped.
 */
export const createRequestWithRetries = (
  { retry, throttle }: Pick<TransportSettings, 'retry' | 'throttle'>,
  attempt: ReturnType<typeof createAttempt>,
  logRetry: LogRetry,
) => {
  return async (url: string, call: Call, maxRetries: number): Promise<Response> => {
    const { signal, timeLeftMs, label, trace } = call
    const countsApart = throttle !== undefined && maxRetries > 0
    const mostAfter429 = countsApart ? retry.maxRateLimitRetries : 0
    let delayMs = 0
    let retries = 0
    let retriesAfter429 = 0
    signal.throwIfAborted()
    try {
      return await ky(url, {
        signal,
        timeout: false,
        retry: {
          limit: maxRetries + mostAfter429,
          shouldRetry: ({ error }) => {
            const isAfter429 = countsApart && error instanceof RateLimitError
            if (isAfter429 ? retriesAfter429 >= mostAfter429 : retries >= maxRetries) return false
            // After a 429 the throttle waits, too: there is no need to back off further each time.
            const waitMs = signal.aborted ? undefined : retryDelayMs(error, isAfter429 ? 1 : retries + 1, retry)
            if (waitMs === undefined || waitMs >= timeLeftMs()) return false
            if (isAfter429) retriesAfter429++
            else retries++
            const progress = isAfter429
              ? `retry ${retriesAfter429} of ${mostAfter429} after a 429`
              : `attempt ${retries + 1} of ${maxRetries + 1}`
            delayMs = waitMs
            logRetry(label, trace, error, waitMs, progress)
            return true
          },
          delay: () => delayMs,
        },
        fetch: (request) => attempt(request as Request, call),
      })
    } catch (error) {
      throw isNetworkError(error) ? error.cause : error
    }
  }
}

export type RequestWithRetries = ReturnType<typeof createRequestWithRetries>

import ky, { isNetworkError } from 'ky'
import { ApiError, ConfigurationError, ConnectionError, RateLimitError } from '../errors/index.ts'
import { isSuccess, type Received } from './auth.ts'
import { deadline } from './deadline.ts'
import type { createRetryLog } from './log.ts'
import type { Middleware, TransportSettings } from './options.ts'
import type { Call, createSend } from './send.ts'
import { toApiError, toTimeoutError } from './to-error.ts'

/** @throws {ConfigurationError} Middleware returned no response, or one whose body was read. */
const checkReturned = (response: unknown): void => {
  if (response instanceof Response && !response.bodyUsed) return
  const fault = response instanceof Response ? 'one whose body was read: return a clone' : 'something else'
  throw new ConfigurationError('middleware', `\`middleware\` must return a Response, got ${fault}`)
}

type Send = ReturnType<typeof createSend>

const toError = (received: Received, { label, trace }: Call): ApiError =>
  toApiError(received, received.text, label, trace.attempts)

const statusesWithoutBody = new Set([204, 205, 304])

/** Puts middleware around the sending of a request. */
const withMiddleware =
  (send: Send, middleware: readonly Middleware[]): Send =>
  async (request, call) => {
    const { label, signal, attemptTimeoutMs } = call
    const ownTime = deadline(signal, attemptTimeoutMs, () => toTimeoutError(label, 'attempt', attemptTimeoutMs))
    const innermost = async (outgoing: Request) => {
      const received = await ownTime.outside(async () => send(outgoing, call))
      const { status, headers, text } = received
      if (status < 200 || status > 599) throw toError(received, call) // a Response cannot have it
      return new Response(statusesWithoutBody.has(status) ? null : text, { status, headers })
    }
    const outermost = middleware.reduceRight<typeof innermost>(
      (next, layer) => async (outgoing) => layer(outgoing, next),
      innermost,
    )
    try {
      const response = await ownTime.race(outermost(request))
      checkReturned(response)
      const { status, headers } = response
      return { status, headers, text: await ownTime.race(response.text()) }
    } finally {
      ownTime.end()
    }
  }

const transientStatuses = new Set([408, 429, 500, 502, 503, 504])

/** Whether another attempt may succeed: the service or the network failed, not the request. */
const isTransient = (error: unknown): boolean =>
  error instanceof ApiError ? transientStatuses.has(error.status) : error instanceof ConnectionError && error.retryable

/** Milliseconds until retry 1, 2, …; undefined to give up. Without `Retry-After` they are random ("full jitter"). */
const retryDelayMs = (error: unknown, retry: number, { baseDelayMs, maxDelayMs }: TransportSettings['retry']) => {
  if (!isTransient(error)) return undefined
  const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined
  if (retryAfterMs !== undefined) return retryAfterMs <= maxDelayMs ? retryAfterMs : undefined
  return Math.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (retry - 1))
}

/**
 * Sends a request until a success response comes or another attempt is pointless. ky builds the request, counts the
 * retries and waits; it gets an empty response. Its errors hold the request, so the one that it makes of a `TypeError` of
 * middleware is unwrapped.
 */
export const createRequestWithRetries = (
  { retry, throttle, middleware }: Pick<TransportSettings, 'retry' | 'throttle' | 'middleware'>,
  sendOnce: Send,
  logRetry: ReturnType<typeof createRetryLog>,
) => {
  const send = middleware.length > 0 ? withMiddleware(sendOnce, middleware) : sendOnce
  return async (url: string, call: Call, maxRetries: number): Promise<Received> => {
    const { signal, timeLeftMs, label, trace } = call
    const countsApart = throttle !== undefined && maxRetries > 0
    const mostAfter429 = countsApart ? retry.maxRateLimitRetries : 0
    let received!: Received
    let delayMs = 0
    let retries = 0
    let retriesAfter429 = 0
    try {
      await ky(url, {
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
        fetch: async (request) => {
          received = await send(request as Request, call)
          if (!isSuccess(received)) throw toError(received, call)
          return new Response()
        },
      })
      return received
    } catch (error) {
      throw isNetworkError(error) ? error.cause : error
    }
  }
}

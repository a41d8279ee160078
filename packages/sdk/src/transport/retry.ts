// ky builds the request, counts the retries and waits between them. Its `fetch` is `send`, which gives it an empty response.
import { propertyOf } from '@guild-ledger/validation'
import ky, { isNetworkError } from 'ky'
import { ApiError, ApiKeyError, ConfigurationError, isTransient, ThrottleError } from '../errors/index.ts'
import { isResponse, isSuccess, type Received } from './auth.ts'
import type { ServiceHistory } from './connection-failures.ts'
import { deadline } from './deadline.ts'
import { parseJson } from './decode.ts'
import { logRetry } from './log.ts'
import type { Middleware, TransportSettings } from './options.ts'
import type { Call, createSend } from './send.ts'
import { isErrorBody, messageOf, namesLimit, toApiError, toTimeoutError } from './to-error.ts'

/** @throws {ConfigurationError} Middleware returned no response, or one whose body was read. */
const checkReturned = (response: unknown): void => {
  if (isResponse(response) && !propertyOf(response, 'bodyUsed')) return
  const fault = isResponse(response) ? 'one whose body was read: return a clone' : 'something else'
  throw new ConfigurationError('middleware', `\`middleware\` must return a Response, got ${fault}`)
}

type Send = ReturnType<typeof createSend>

/** The response to a request, with its body as JSON. */
export interface Responded extends Received {
  /** The body, parsed once for each caller. */
  readonly takeBody: () => unknown
}

/** Puts middleware around the sending of a request. */
const withMiddleware =
  (send: Send, middleware: readonly Middleware[], toError: (received: Received, call: Call) => ApiError): Send =>
  async (request, call) => {
    const { label, signal, attemptTimeoutMs } = call
    const ownTime = deadline(signal, attemptTimeoutMs, () => toTimeoutError(label, 'attempt', attemptTimeoutMs))
    const innermost = async (outgoing: Request) => {
      const received = await ownTime.outside(async () => send(outgoing, call))
      const { status, headers, text } = received
      if (status < 200 || status > 599) throw toError(received, call) // a Response cannot have it
      return new Response([204, 205, 304].includes(status) ? null : text, { status, headers })
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

/** Milliseconds until retry 1, 2, …; undefined to give up. Without `Retry-After` they are random ("full jitter"). */
const retryDelayMs = (error: unknown, retry: number, { baseDelayMs, maxDelayMs }: TransportSettings['retry']) => {
  // Not where the program asked for an answer at once, by `maxQueue` or its own key.
  if (!isTransient(error) || error instanceof ThrottleError || error instanceof ApiKeyError) return undefined
  const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined
  if (retryAfterMs !== undefined) return retryAfterMs <= maxDelayMs ? retryAfterMs : undefined
  return Math.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (retry - 1))
}

/**
 * Sends a request until a success response comes or another attempt is pointless: the one loop of attempts. An error of ky
 * holds the request, so the one that it makes of a `TypeError` of middleware is unwrapped.
 */
export const createRequestWithRetries = (
  { retry, throttle, middleware, log }: Pick<TransportSettings, 'retry' | 'throttle' | 'middleware' | 'log'>,
  sendOnce: Send,
  history: ServiceHistory,
) => {
  const toError = (received: Received, { label, trace }: Call): ApiError =>
    toApiError(received, received.text, label, trace.attempts, history)
  const send = middleware.length > 0 ? withMiddleware(sendOnce, middleware, toError) : sendOnce

  /** Parses the body of a success response. */
  const parsed = (received: Received, call: Call): Responded => {
    const parse = () => parseJson(received.text, call.label, history)
    const body = parse()
    if (isErrorBody(body) && namesLimit(received.status, messageOf(body))) throw toError(received, call)
    const parsedBodies = [body]
    const takeBody = () => (parsedBodies.length > 0 ? parsedBodies.pop() : parse())
    return { ...received, takeBody }
  }

  return async (url: string, call: Call, maxRetries: number): Promise<Responded> => {
    const { signal, timeLeftMs, label, trace } = call
    const countsApart = throttle !== undefined && maxRetries > 0
    const mostAfterLimit = countsApart ? retry.maxRateLimitRetries : 0
    let responded!: Responded
    let delayMs = 0
    let retries = 0
    let retriesAfterLimit = 0
    try {
      await ky(url, {
        signal,
        timeout: false,
        retry: {
          limit: maxRetries + mostAfterLimit,
          shouldRetry: ({ error }) => {
            const isAfterLimit = countsApart && call.isRateLimit
            if (isAfterLimit ? retriesAfterLimit >= mostAfterLimit : retries >= maxRetries) return false
            // After a rate limit the throttle waits, too: there is no need to back off further each time.
            const waitMs = signal.aborted ? undefined : retryDelayMs(error, isAfterLimit ? 1 : retries + 1, retry)
            if (waitMs === undefined || waitMs >= timeLeftMs()) return false
            if (isAfterLimit) retriesAfterLimit++
            else retries++
            const progress = isAfterLimit
              ? `retry ${retriesAfterLimit} of ${mostAfterLimit} after a rate limit`
              : `attempt ${retries + 1} of ${maxRetries + 1}`
            delayMs = waitMs
            logRetry(log, label, trace, error, waitMs, progress, call.isRateLimit)
            return true
          },
          delay: () => delayMs,
        },
        fetch: async (request) => {
          call.isRateLimit = false
          const received = await send(request as Request, call)
          if (!isSuccess(received)) throw toError(received, call)
          responded = parsed(received, call)
          return new Response()
        },
      })
      return responded
    } catch (error) {
      throw isNetworkError(error) ? error.cause : error
    }
  }
}

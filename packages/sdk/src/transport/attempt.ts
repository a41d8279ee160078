import { ApiError, AuthenticationError, ConfigurationError } from '../errors/index.ts'
import type { Authentication } from './auth.ts'
import { withinOwnTime, type Outside } from './deadline.ts'
import type { LingeringRequests } from './lingering.ts'
import type { TransportSettings } from './options.ts'
import { createSend, isSuccess, retryAfterOf, type Call, type Received } from './send.ts'
import { toApiError, toTimeoutError } from './to-error.ts'

/** One attempt: resolves with a success response, read and redacted; rejects with an error for anything else. */
export type Attempt = (request: Request, call: Call) => Promise<Response>

const statusesWithoutBody = new Set([204, 205, 304])

/** A response whose text is known: reading it from its stream once more would cost a twentieth of a request. */
class ReadResponse extends Response {
  readonly #text: string

  constructor({ status, headers, text }: Received) {
    super(statusesWithoutBody.has(status) ? null : text, { status, headers })
    this.#text = text
  }

  override async text(): Promise<string> {
    return this.#text
  }
}

const toResponse = ({ status, headers, text }: Received): Response =>
  new Response(statusesWithoutBody.has(status) ? null : text, { status, headers })

/** @throws {ConfigurationError} Middleware returned no response, or one whose body was read. */
const checkReturned = (response: unknown): void => {
  if (response instanceof Response && !response.bodyUsed) return
  const fault = response instanceof Response ? 'one whose body was read: return a clone' : 'something else'
  throw new ConfigurationError('middleware', `\`middleware\` must return a Response, got ${fault}`)
}

/** Binds settings to attempts: middleware around the request, errors for error responses. */
export const createAttempt = (
  settings: Pick<TransportSettings, 'throttle' | 'middleware' | 'retry'>,
  auth: Authentication,
  lingering: LingeringRequests,
): Attempt => {
  const { middleware } = settings
  const send = createSend(settings, auth, lingering)

  const throughMiddleware = async (request: Request, call: Call, outside: Outside): Promise<Response> => {
    const innermost = async (outgoing: Request): Promise<Response> => {
      const received = await outside(() => send(outgoing, call))
      if (received.status > 599) throw toApiError(received, call.label, call.trace.attempts) // more than a Response can hold
      return toResponse(received)
    }
    const outermost = middleware.reduceRight<typeof innermost>(
      (next, layer) => async (outgoing) => layer(outgoing, next),
      innermost,
    )
    const response = await outermost(request)
    checkReturned(response)
    if (response.ok) return response
    const { status, headers } = response
    const text = await response.text()
    throw toApiError({ status, headers, text, retryAfterMs: retryAfterOf(headers) }, call.label, call.trace.attempts)
  }

  const once: Attempt = async (request, call) => {
    if (middleware.length > 0) {
      const { label, signal, attemptTimeoutMs } = call
      const toLate = () => toTimeoutError(label, 'attempt', attemptTimeoutMs)
      return withinOwnTime(signal, attemptTimeoutMs, toLate, (outside) => throughMiddleware(request, call, outside))
    }
    const received = await send(request, call)
    if (!isSuccess(received.status)) throw toApiError(received, call.label, call.trace.attempts)
    return new ReadResponse(received)
  }

  const { keys } = auth
  if (keys.isFixed) return once

  /** Keeps in mind what the response says about the key. A 429 or 5xx says nothing. */
  const judged: Attempt = async (request, call) => {
    call.keyVersion = -1
    try {
      const response = await once(request, call)
      keys.accepted(call.keyVersion, call)
      return response
    } catch (error) {
      if (error instanceof AuthenticationError) keys.rejected(error, call.keyVersion)
      else if (error instanceof ApiError && error.status < 429) keys.accepted(call.keyVersion, call)
      throw error
    }
  }

  /** After a 401 the request is sent once more, if there is another key by then. */
  const withNewKey: Attempt = async (request, call) => {
    await keys.ready(call)
    try {
      return await judged(request, call)
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error
      if (!(await keys.renew(error, call.keyVersion, call))) throw error
      return judged(request, call)
    }
  }
  return withNewKey
}

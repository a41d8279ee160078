import { RedirectError, ResponseValidationError, TimeoutError } from '../errors/index.ts'
import type { Outcome, Priority } from '../throttle/index.ts'
import { connectionFailed } from './connection.ts'
import { deadline, type Deadline } from './deadline.ts'
import type { KeyHolder } from './key.ts'
import { refuse, retryAfterOf } from './refuse.ts'
import type { Settings } from './settings.ts'
import type { RequestTrace } from './trace.ts'

/** What the attempts of one call share. */
export interface Call {
  readonly trace: RequestTrace
  /** Fires when the caller gives up or the time for the whole call is over; undefined where neither can happen. */
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number | undefined
  readonly attemptTimeoutMs: number
  readonly priority: Priority
}

/** A 2xx reply with its body read. */
export interface Reply {
  readonly status: number
  /** As they came: `KeyHolder.redactHeaders` before anyone sees them. */
  readonly headers: Headers
  readonly body: unknown
}

const redirects = new Set([301, 302, 303, 307, 308])
const isRedirect = ({ type, status }: Response) => type === 'opaqueredirect' || redirects.has(status)

const parse = (text: string, endpoint: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    const received = text === '' ? 'nothing' : `text that begins ${JSON.stringify(text.slice(0, 60))}`
    throw new ResponseValidationError(
      `The reply cannot be read: ${endpoint}: the body must be JSON; got ${received}. Check baseUrl, or try again.`,
      [{ path: '', expected: 'JSON', received }],
      text,
    )
  }
}

/** One attempt: rejects with an error that tells whether another one may do better. */
export type Attempt = (request: Request, call: Call) => Promise<readonly [Response, Reply]>

/**
 * Makes one attempt: middleware, slot, request, body.
 *
 * The slot is taken below the middleware, right before the request goes out, so that nothing goes out without one.
 */
export const createAttempt =
  ({ throttle, middleware, retry }: Pick<Settings, 'throttle' | 'middleware' | 'retry'>, key: KeyHolder): Attempt =>
  async (request, call) => {
    let limit: Deadline | undefined
    const { endpoint } = call.trace
    call.trace.attempts += 1

    const send = async (outgoing: Request): Promise<Response> => {
      key.check(outgoing)
      const queuedAt = performance.now()
      const { signal: stop, priority, timeoutMs } = call
      const permit = await throttle?.acquire({ signal: stop, priority, timeoutMs })
      call.trace.queuedMs += performance.now() - queuedAt
      if (call.signal?.aborted) {
        permit?.release({ kind: 'unsent' })
        throw call.signal.reason
      }
      limit?.end()
      const { attemptTimeoutMs } = call
      limit = deadline(call.signal, attemptTimeoutMs, () => {
        const advice = 'Try again, or allow more with attemptTimeoutMs.'
        return new TimeoutError(
          `No complete reply: ${endpoint}: none within ${attemptTimeoutMs} ms. ${advice}`,
          attemptTimeoutMs,
          'attempt',
        )
      })
      const { signal } = limit
      let outcome: Outcome = { kind: 'failed' }
      try {
        const response = await limit.race(key.send(outgoing, signal))
        call.trace.status = response.status
        const asked = retryAfterOf(response.headers, Date.now())
        outcome = {
          kind: 'answered',
          status: response.status,
          retryAfterMs: asked === undefined ? undefined : Math.min(asked, retry.maxDelayMs),
        }
        return response
      } catch (error) {
        if (signal.aborted) {
          outcome = { kind: 'abandoned', mayArriveForMs: attemptTimeoutMs }
          throw signal.reason
        }
        throw connectionFailed(`No reply: ${endpoint}`, error, key.redact)
      } finally {
        permit?.release(outcome)
      }
    }

    const onion = middleware.reduceRight<typeof send>((next, layer) => async (outgoing) => layer(outgoing, next), send)
    /** Reads the body within the attempt's time. */
    const textOf = (response: Response) => (limit ? limit.race(response.text()) : response.text())

    try {
      const response = await onion(request)
      const { status, headers } = response
      if (isRedirect(response)) {
        void response.body?.cancel().catch(() => {})
        throw new RedirectError(
          `The service answered with a redirect: ${endpoint}: status ${status}. It is not followed, because the key would go along. Check baseUrl.`,
        )
      }
      if (!response.ok) {
        const text = await textOf(response).catch(() => '')
        throw refuse(status, key.redactHeaders(headers), key.redact(text), call.trace)
      }
      const text = await textOf(response).catch((error: unknown) => {
        throw limit?.signal.aborted
          ? limit.signal.reason
          : connectionFailed(`The reply broke off: ${endpoint}`, error, key.redact)
      })
      return [response, { status, headers, body: parse(key.redact(text), endpoint) }]
    } finally {
      limit?.end()
    }
  }

import { ConfigurationError, RedirectError, TimeoutError } from '../errors/index.ts'
import type { Outcome, Permit, Priority } from '../throttle/index.ts'
import { textOf } from './body.ts'
import { connectionFailed } from './connection.ts'
import { deadline, type Deadline } from './deadline.ts'
import type { KeyHolder } from './key.ts'
import { retryAfterOf } from './refuse.ts'
import type { Settings } from './settings.ts'
import type { RequestTrace } from './trace.ts'

/** What the requests of one call share. */
export interface Call {
  readonly trace: RequestTrace
  /** Fires when the caller gives up or the time for the whole call is over; undefined where neither can happen. */
  readonly signal: AbortSignal | undefined
  /** Milliseconds left for the whole call; `Infinity` where it has no limit. */
  readonly timeLeftMs: () => number
  readonly attemptTimeoutMs: number
  readonly priority: Priority
}

/** A reply, read to its end. */
export interface Received {
  readonly status: number
  readonly headers: Headers
  /** Empty where the body of a refusal could not be read: it never hides the status. */
  readonly text: string
}

/** How long a request that was given up may still arrive: no network keeps one longer. */
const longestDeliveryMs = 10_000

const redirects = new Set([301, 302, 303, 307, 308])
const isRedirect = ({ type, status }: Response) => type === 'opaqueredirect' || redirects.has(status)

const refuseRedirect = ({ status, body }: Response, endpoint: string): never => {
  if (typeof body?.cancel === 'function') void body.cancel().catch(() => {})
  throw new RedirectError(
    `The service answered with a redirect: ${endpoint}: status ${status}. It is not followed, because the key would go along. Check baseUrl.`,
  )
}

const tooSlow = (endpoint: string, timeoutMs: number) =>
  new TimeoutError(
    `No complete reply: ${endpoint}: none within ${timeoutMs} ms. Try again, or allow more with attemptTimeoutMs.`,
    timeoutMs,
    'attempt',
  )

/** Binds settings to the sending of one request: slot, key, time limit, body. Each request takes a slot of its own. */
export const createSend = ({ throttle, retry }: Pick<Settings, 'throttle' | 'retry'>, key: KeyHolder) => {
  /** Waits for the headers and gives the slot back as soon as they are seen. */
  const headersOf = async (request: Promise<Response>, limit: Deadline, call: Call, permit: Permit | undefined) => {
    let outcome: Outcome = { kind: 'failed' }
    try {
      const response = await limit.race(request)
      if (typeof response?.status !== 'number') {
        throw new ConfigurationError('fetch', 'fetch must return a Response; it returned something else')
      }
      if (response.type === 'error') throw new Error('fetch answered with a network error')
      const asked = retryAfterOf(response.headers, Date.now())
      const retryAfterMs = asked === undefined ? undefined : Math.min(asked, retry.maxDelayMs)
      outcome = { kind: 'answered', status: response.status, retryAfterMs }
      return response
    } catch (error) {
      if (limit.signal.aborted) {
        outcome = { kind: 'abandoned', mayArriveForMs: Math.min(call.attemptTimeoutMs, longestDeliveryMs) }
      }
      throw error
    } finally {
      permit?.release(outcome)
    }
  }

  return async (outgoing: Request, call: Call): Promise<Received> => {
    const { trace, signal: stop, attemptTimeoutMs, priority } = call
    const { endpoint } = trace
    const fetch = key.prepare(outgoing)
    const queuedAt = performance.now()
    const permit = await throttle?.acquire({ signal: stop, priority, timeoutMs: call.timeLeftMs() })
    trace.queuedMs += performance.now() - queuedAt
    if (stop?.aborted) {
      permit?.release({ kind: 'unsent' })
      throw stop.reason
    }
    const limit = deadline(stop, attemptTimeoutMs, () => tooSlow(endpoint, attemptTimeoutMs))
    let what = 'No reply'
    try {
      const response = await headersOf(fetch(limit.signal), limit, call, permit)
      const { status, headers, ok } = response
      trace.status = status
      if (isRedirect(response)) refuseRedirect(response, endpoint)
      what = 'The reply broke off'
      const body = limit.race(textOf(response))
      const text = await (ok ? body : body.catch(() => ''))
      return { status, headers, text: key.redact.body(text) }
    } catch (error) {
      if (limit.signal.aborted) throw limit.signal.reason
      if (error instanceof RedirectError || error instanceof ConfigurationError) throw error
      throw connectionFailed(`${what}: ${endpoint}`, error, key.redact.text)
    } finally {
      limit.end()
    }
  }
}

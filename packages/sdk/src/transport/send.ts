import { GuildLedgerError, RedirectError } from '../errors/index.ts'
import type { Outcome, Permit, Priority } from '../throttle/index.ts'
import type { Authentication, RedactedResponse } from './auth.ts'
import { deadline, type Deadline } from './deadline.ts'
import { lingerAfterAbortMs, lingerAfterAttemptMs, type LingeringRequests } from './lingering.ts'
import type { TransportSettings } from './options.ts'
import { toConnectionError } from './connection-error.ts'
import { toTimeoutError } from './to-error.ts'
import type { RequestTrace } from './trace.ts'

/** What the requests of one call share. */
export interface Call {
  /** Which key the last attempt sent; -1 if it sent none. */
  keyVersion: number
  /** Method and path, for messages. */
  readonly label: string
  readonly trace: RequestTrace
  /** Fires when the caller aborts or the time limit of the call is exceeded; undefined if neither can happen. */
  readonly signal: AbortSignal | undefined
  /** Milliseconds left for the whole call; `Infinity` without a limit. */
  readonly timeLeftMs: () => number
  readonly attemptTimeoutMs: number
  readonly priority: Priority
  /** Whether the call waits for the throttle at the moment. */
  isQueued: boolean
  /** Called when a request is about to be sent. */
  readonly onSend: () => void
}

/** A response read to its end. */
export interface Received extends Omit<RedactedResponse, 'text'> {
  /** The body; empty for an error response whose body cannot be read: that never hides its status. */
  readonly text: string
  /** Milliseconds to wait according to `Retry-After`; undefined without a readable one. */
  readonly retryAfterMs: number | undefined
}

const seconds = /^\d+(?:\.\d+)?$/
const httpDate = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/

/** Milliseconds to wait according to `Retry-After`, in seconds or as an HTTP date; undefined for anything else. */
export const retryAfterOf = (headers: Headers, now = Date.now()): number | undefined => {
  const value = headers.get('retry-after') ?? ''
  if (seconds.test(value)) return Number(value) * 1000
  const ms = httpDate.test(value) ? Date.parse(value) - now : Number.NaN
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** Whether a status is one of success. */
export const isSuccess = (status: number): boolean => status >= 200 && status <= 299

const emptyUnlessRedirect = (error: unknown): string => {
  if (error instanceof RedirectError) throw error
  return ''
}

/** Binds settings to the sending of one request: a slot of the throttle, the key, a time limit. */
export const createSend = (
  { throttle, retry }: Pick<TransportSettings, 'throttle' | 'retry'>,
  auth: Authentication,
  lingering: LingeringRequests,
) => {
  const completed = (status: number, retryAfterMs: number | undefined): Outcome => ({
    kind: 'completed',
    status,
    retryAfterMs: retryAfterMs && Math.min(retryAfterMs, retry.maxDelayMs),
  })

  /**
   * Waits for status and headers, and reports to the throttle how the request ended. If the deadline fires first, the
   * request is left alone on the network for a while, because its slot is held until its response is seen.
   */
  const headOf = async (
    response: Promise<RedactedResponse>,
    network: AbortController,
    limit: Deadline,
    permit: Permit | undefined,
    stop: AbortSignal | undefined,
  ) => {
    try {
      const { status, headers, text } = await limit.race(response)
      const retryAfterMs = retryAfterOf(headers)
      permit?.release(completed(status, retryAfterMs))
      return { status, headers, retryAfterMs, text }
    } catch (error) {
      permit?.release({ kind: limit.fired ? 'aborted' : 'failed' })
      if (limit.fired && permit) {
        const onEnd = (seen: RedactedResponse | undefined) =>
          permit.release(seen ? completed(seen.status, retryAfterOf(seen.headers)) : { kind: 'failed' })
        lingering.add({ response, network, onEnd }, stop?.aborted ? lingerAfterAbortMs : lingerAfterAttemptMs)
      } else if (limit.fired) network.abort(limit.fired.reason)
      // A fetch that has failed is over: aborting it as well throws an exception in Node that nobody can catch.
      throw error
    }
  }

  /**
   * Waits for a slot. If the key was rejected meanwhile, the slot is handed back before the wait for another key: no other
   * request could use it, and by then it may be another throttle that counts.
   */
  const acquire = async (call: Call): Promise<Permit | undefined> => {
    const { trace, signal: stop, attemptTimeoutMs, priority } = call
    call.keyVersion = -1
    for (;;) {
      const queuedAt = performance.now()
      call.isQueued = true
      const permit = await throttle?.acquire({ signal: stop, priority, attemptTimeoutMs }).finally(() => {
        trace.queuedMs += performance.now() - queuedAt
        call.isQueued = false
      })
      call.isQueued = false
      const ready = stop?.aborted ? Promise.reject(stop.reason) : auth.keys.ready(call, true)
      if (!ready) return permit
      permit?.release({ kind: 'notSent' })
      await ready
    }
  }

  return async (request: Request, call: Call): Promise<Received> => {
    const { trace, label, signal: stop, attemptTimeoutMs } = call
    const send = auth.prepare(request, label)
    const permit = await acquire(call)
    const limit = deadline(stop, attemptTimeoutMs, () => toTimeoutError(label, 'attempt', attemptTimeoutMs))
    const network = new AbortController()
    call.keyVersion = auth.keys.version
    trace.attempts++
    call.onSend()
    let isReading = false
    try {
      const head = await headOf(send(network.signal), network, limit, permit, stop)
      const { status, headers, retryAfterMs } = head
      trace.status = status
      isReading = true
      const body = limit.race(head.text())
      const text = await (isSuccess(status) ? body : body.catch(emptyUnlessRedirect))
      return { status, headers, retryAfterMs, text }
    } catch (error) {
      if (limit.fired) throw limit.fired.reason
      throw error instanceof GuildLedgerError ? error : toConnectionError(label, request.url, error, isReading)
    } finally {
      if (isReading && limit.fired) network.abort(limit.fired.reason) // its slot comes free anyway
      limit.end()
    }
  }
}

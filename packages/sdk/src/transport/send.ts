import { GuildLedgerError, RedirectError, type AuthenticationError } from '../errors/index.ts'
import { timeNow, unref, type Outcome, type Permit, type Priority } from '../throttle/index.ts'
import { isSuccess, type Authentication, type PreparedRequest, type Received, type ResponseHead } from './auth.ts'
import {
  respondingOrigins,
  transientOnceServed,
  toConnectionError,
  type ServiceHistory,
} from './connection-failures.ts'
import { deadline } from './deadline.ts'
import { isControlFlow } from './foreign-error.ts'
import type { TransportSettings } from './options.ts'
import { retryAfterOf } from './retry-after.ts'
import { isRefusal, mayBeOfGateway, toApiError, toTimeoutError } from './to-error.ts'
import type { RequestTrace } from './trace.ts'
import { createWaitWarning } from './warnings.ts'

/** What the requests of one call share. */
export interface Call {
  /** Method and path, for messages. */
  readonly label: string
  readonly trace: RequestTrace
  /** Fires when every caller has given up. */
  readonly signal: AbortSignal
  /** Milliseconds left for the whole call; `Infinity` without a limit. */
  readonly timeLeftMs: () => number
  readonly attemptTimeoutMs: number
  readonly priority: Priority
  /** Whether the call waits for the throttle at the moment. */
  isQueued: boolean
  /** Whether the throttle took the last response for a rate limit. */
  isRateLimit: boolean
  /** Called when a request is about to be sent. */
  readonly onSend: () => void
}

/** For how long a request stays on the network after its caller gave up: aborted, or `timeoutMs` is over. */
const lingerAfterAbortMs = 3000
const lingerAfterAttemptMs = 10_000

/** Whether a body that nobody wants is worth its bytes: once it is read, its connection can be used again. */
const isSmall = (headers: Headers): boolean => Number(headers.get('content-length') ?? Infinity) <= 65_536

/** Requests that were given up, left alone until their responses are seen: only then do their slots come free. */
export const createLingeringRequests = () => {
  const networks = new Set<AbortController>()
  let isOver = false
  return {
    /** Leaves a request alone until it has `ended`, for `ms` milliseconds at most. */
    add(network: AbortController, ended: Promise<unknown>, ms: number): void {
      if (isOver) return network.abort()
      networks.add(network)
      const timer = setTimeout(() => network.abort(), ms)
      unref(timer)
      void ended
        .catch(() => {})
        .finally(() => {
          clearTimeout(timer)
          networks.delete(network)
        })
    },
    /** Ends all of them, and those that are added later. */
    end(): void {
      isOver = true
      for (const network of networks) network.abort()
    },
  }
}

/** Binds settings to the sending of one request: the key, a slot of the throttle, a time limit. */
export const createSend = (
  { throttle, retry, log }: Pick<TransportSettings, 'throttle' | 'retry' | 'log'>,
  { keys, prepare }: Authentication,
  lingering: ReturnType<typeof createLingeringRequests>,
  history: ServiceHistory,
) => {
  const warnOfWait = createWaitWarning(log)
  const completed = (head: ResponseHead, text: string | undefined): Outcome => {
    const retryAfterMs = retryAfterOf(head.headers)
    return {
      kind: 'completed',
      status: head.status,
      retryAfterMs: retryAfterMs && Math.min(retryAfterMs, retry.maxDelayMs),
      ...(isRefusal(head.status, text, history) && { isRefusal: true }),
    }
  }

  /** Waits for the key and for a slot, which is handed back if the service rejects the key meanwhile. */
  const acquire = async (call: Call): Promise<Permit | undefined> => {
    const { trace, label, signal: stop, attemptTimeoutMs, priority } = call
    for (let ready = keys.ready(call); ;) {
      await ready
      const queuedAt = timeNow()
      call.isQueued = true
      const permit = await throttle?.acquire({ signal: stop, priority, attemptTimeoutMs }).finally(() => {
        const waitedMs = timeNow() - queuedAt
        trace.queuedMs += waitedMs
        if (throttle && priority === 'interactive') warnOfWait(throttle, label, waitedMs)
      })
      call.isQueued = false
      ready = stop.aborted ? Promise.reject(stop.reason) : keys.ready(call)
      if (!ready) return permit
      permit?.release({ kind: 'notSent' })
    }
  }

  /** Sends a request and reports to the throttle how it ended, also if that is seen after the deadline. */
  const exchange = async (send: PreparedRequest, permit: Permit | undefined, url: string, call: Call) => {
    const { trace, label, signal: stop, attemptTimeoutMs } = call
    const limit = deadline(stop, attemptTimeoutMs, () => toTimeoutError(label, 'attempt', attemptTimeoutMs))
    const network = new AbortController()
    let head = undefined as ResponseHead | undefined
    const sentAt = timeNow()
    const ended = (status?: number) => void trace.requests.push({ status, durationMs: timeNow() - sentAt })
    trace.attempts++
    call.onSend()
    let release = (seen: ResponseHead, text?: string): void => {
      release = () => {}
      call.isRateLimit = permit?.release(completed(seen, text)) ?? seen.status === 429
    }
    const body = send(network.signal, (seen, reading) => {
      head = seen
      respondingOrigins.add(new URL(url).origin)
      if (!reading) release(seen)
      else void reading.then((text) => release(seen, text)).catch(() => release(seen))
      if (!limit.fired) {
        trace.status = seen.status
        ended(seen.status)
      } else if (!isSmall(seen.headers)) network.abort()
    })
    try {
      return await limit.race(body)
    } catch (error) {
      const { fired } = limit
      if (head) release(head)
      else {
        permit?.release({ kind: fired ? 'aborted' : 'failed' })
        ended()
      }
      if (fired && !head && permit) {
        const isOver = body.catch(() => head ?? (network.signal.aborted || permit.release({ kind: 'failed' })))
        lingering.add(network, isOver, stop.aborted ? lingerAfterAbortMs : lingerAfterAttemptMs)
      } else if (fired) network.abort(fired.reason)
      // A fetch that has failed is over: aborting it as well throws an exception in Node that nobody can catch.
      // A body that cannot be read never hides the status of an error response.
      if (head && !isSuccess(head) && !(error instanceof RedirectError)) return { ...head, text: '' }
      if (fired) throw fired.reason
      if (error instanceof RedirectError && head && mayBeOfGateway(head.status))
        throw transientOnceServed(error, history)
      if (error instanceof GuildLedgerError || isControlFlow(error)) throw error
      throw toConnectionError(label, url, error, head !== undefined)
    } finally {
      limit.end()
    }
  }

  return async (request: Request, call: Call): Promise<Received> => {
    const { label, trace } = call
    const send = prepare(request, label)
    const sendOnce = async () => {
      const permit = await acquire(call)
      const key = keys.current()
      return { received: await exchange(send, permit, request.url, call), key }
    }
    const { received, key } = await sendOnce()
    const toError = () => toApiError(received, received.text, label, trace.attempts, history) as AuthenticationError
    return received.status === 401 && (await keys.renew(key, call, toError)) ? (await sendOnce()).received : received
  }
}

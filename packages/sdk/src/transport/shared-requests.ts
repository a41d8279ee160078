import type { RequestWithRetries } from './retry.ts'
import { textOf, type Call } from './send.ts'
import type { RequestTrace } from './trace.ts'

/** A success response, with its body as text: each caller parses a copy of its own. */
export interface TextResponse {
  readonly response: Response
  readonly text: string
}

/** One call that takes part in a request. */
export interface Participation {
  readonly result: Promise<TextResponse>
  /** How the request goes; shared, too. */
  readonly trace: RequestTrace
  /** Whether the request waits for the throttle at the moment. */
  isQueued(): boolean
  /** The caller gave up. The request ends with the last one. */
  leave(): void
}

/** What a caller brings along. */
export interface Terms extends Pick<Call, 'attemptTimeoutMs' | 'priority' | 'timeLeftMs'> {
  readonly maxRetries: number
}

interface SharedRequest {
  readonly call: Call
  readonly result: Promise<TextResponse>
  readonly participants: Set<Terms>
  /** Aborts it, unless it has ended. */
  readonly abort: () => void
}

/**
 * Lets identical calls share a request as long as it has not been sent: the response is younger than each of the calls.
 * Identical are calls of the same URL with the same options.
 */
export const createSharedRequests = (request: RequestWithRetries, isEnabled: boolean) => {
  const waiting = new Map<string, SharedRequest>()

  const start = (key: string, url: string, label: string, trace: RequestTrace, terms: Terms): SharedRequest => {
    const participants = new Set<Terms>()
    const controller = new AbortController()
    const call: Call = {
      label,
      trace: { ...trace },
      signal: controller.signal,
      timeLeftMs: () => Math.max(...Array.from(participants, ({ timeLeftMs }) => timeLeftMs())),
      attemptTimeoutMs: terms.attemptTimeoutMs,
      priority: terms.priority,
      isQueued: false,
      onSend: () => void (waiting.get(key)?.call === call && waiting.delete(key)),
    }
    const work = async (): Promise<TextResponse> => {
      const response = await request(url, call, terms.maxRetries)
      return { response, text: await textOf(response) }
    }
    let hasEnded = false
    const result = work().finally(() => {
      hasEnded = true
      call.onSend()
    })
    const abort = () => {
      if (!hasEnded) controller.abort(new DOMException('Every caller has left.', 'AbortError'))
    }
    return { call, result, participants, abort }
  }

  return (url: string, label: string, trace: RequestTrace, terms: Terms): Participation => {
    const key = [url, terms.attemptTimeoutMs, terms.maxRetries, terms.priority].join(' ')
    const shared = waiting.get(key) ?? start(key, url, label, trace, terms)
    if (isEnabled && shared.call.trace.attempts === 0) waiting.set(key, shared)
    const { call, result, participants, abort } = shared
    participants.add(terms)
    return {
      result,
      trace: call.trace,
      isQueued: () => call.isQueued,
      leave() {
        participants.delete(terms)
        if (participants.size > 0) return
        call.onSend() // nobody may join a request that ends
        abort()
      },
    }
  }
}

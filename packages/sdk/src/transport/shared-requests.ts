import type { RequestWithRetries } from './retry.ts'
import type { Call } from './send.ts'
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
  /** Whether the caller may give up: it has a signal or a time limit. */
  readonly isLimited: boolean
}

interface SharedRequest {
  readonly call: Call
  readonly result: Promise<TextResponse>
  readonly participants: Set<Terms>
  /** Undefined where the first caller never gives up. */
  readonly controller: AbortController | undefined
}

/**
 * Lets identical calls share a request as long as it has not been sent: the response is younger than each of the calls.
 * Identical are calls of the same URL with the same options.
 */
export const createSharedRequests = (request: RequestWithRetries, isEnabled: boolean) => {
  const waiting = new Map<string, SharedRequest>()

  const start = (key: string, url: string, label: string, trace: RequestTrace, terms: Terms): SharedRequest => {
    const participants = new Set<Terms>()
    const controller = terms.isLimited ? new AbortController() : undefined
    const call: Call = {
      label,
      trace: { ...trace },
      signal: controller?.signal,
      timeLeftMs: () => Math.max(...Array.from(participants, ({ timeLeftMs }) => timeLeftMs())),
      attemptTimeoutMs: terms.attemptTimeoutMs,
      priority: terms.priority,
      isQueued: false,
      keyVersion: -1,
      onSend: () => waiting.delete(key),
    }
    const work = async (): Promise<TextResponse> => {
      const response = await request(url, call, terms.maxRetries)
      return { response, text: await response.text() }
    }
    return { call, result: work().finally(call.onSend), participants, controller }
  }

  return (url: string, label: string, trace: RequestTrace, terms: Terms): Participation => {
    const key = [url, terms.attemptTimeoutMs, terms.maxRetries, terms.priority].join(' ')
    const shared = waiting.get(key) ?? start(key, url, label, trace, terms)
    if (isEnabled && shared.call.trace.attempts === 0) waiting.set(key, shared)
    const { call, result, participants, controller } = shared
    participants.add(terms)
    return {
      result,
      trace: call.trace,
      isQueued: () => call.isQueued,
      leave() {
        participants.delete(terms)
        if (participants.size === 0) controller?.abort(new DOMException('Every caller has left.', 'AbortError'))
      },
    }
  }
}

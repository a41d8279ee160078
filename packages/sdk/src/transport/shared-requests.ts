import type { createRequestWithRetries } from './retry.ts'
import type { Call } from './send.ts'
import type { RequestTrace } from './trace.ts'

/** What a caller brings along. */
export interface Terms extends Pick<Call, 'attemptTimeoutMs' | 'priority' | 'timeLeftMs'> {
  readonly maxRetries: number
}

/** Lets calls of the same URL and options share a request that has not been sent: its response is younger than each. */
export const createSharedRequests = (request: ReturnType<typeof createRequestWithRetries>, isEnabled: boolean) => {
  const start = (key: string, url: string, label: string, trace: RequestTrace, terms: Terms) => {
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
      isRateLimit: false,
      onSend: () => void (waiting.get(key)?.call === call && waiting.delete(key)),
    }
    let hasEnded = false
    // The body comes as text: each caller parses a copy of its own.
    const result = request(url, call, terms.maxRetries).finally(() => {
      hasEnded = true
      call.onSend()
    })
    const abort = () => {
      if (!hasEnded) controller.abort()
    }
    return { call, result, participants, abort }
  }
  const waiting = new Map<string, ReturnType<typeof start>>()

  /** One call that takes part in a request. */
  return (url: string, label: string, trace: RequestTrace, terms: Terms) => {
    const key = JSON.stringify([url, terms.attemptTimeoutMs, terms.maxRetries, terms.priority])
    const shared = waiting.get(key) ?? start(key, url, label, trace, terms)
    if (isEnabled) waiting.set(key, shared)
    const { call, result, participants, abort } = shared
    participants.add(terms)
    return {
      result,
      /** How the request goes; shared, too. */
      trace: call.trace,
      isQueued: () => call.isQueued,
      /** The caller gave up. The request ends with the last one. */
      leave(): void {
        participants.delete(terms)
        if (participants.size > 0) return
        call.onSend() // nobody may join a request that ends
        abort()
      },
    }
  }
}

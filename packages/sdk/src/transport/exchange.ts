import ky from 'ky'
import type { Attempt, Call, Reply } from './attempt.ts'
import { retryDelayMs } from './retry.ts'
import type { Settings } from './settings.ts'

/** Asks until a reply comes or there is no point in asking again. */
export type Exchange = (url: string, call: Call, maxRetries: number) => Promise<Reply>

/**
 * Binds attempts to ky: it builds the request and runs the retries and the waits between them. When to retry, how long
 * to wait and what an attempt is are decided here. No ky object reaches the caller: its errors print the headers.
 */
export const createExchange =
  ({ retry, log }: Pick<Settings, 'retry' | 'log'>, attempt: Attempt): Exchange =>
  async (url, call, maxRetries) => {
    const { trace, signal } = call
    let reply: Reply | undefined
    let delayMs = 0
    signal.throwIfAborted()

    await ky(url, {
      headers: { accept: 'application/json' },
      signal,
      timeout: false,
      retry: {
        limit: maxRetries,
        shouldRetry: ({ error }) => {
          const waitMs = signal.aborted ? undefined : retryDelayMs(error, trace.attempts, { ...retry, maxRetries })
          if (waitMs === undefined) return false
          delayMs = waitMs
          log('warn', `${error.message} Asking again in ${Math.round(waitMs)} ms.`)
          return true
        },
        delay: () => delayMs,
      },
      fetch: async (request) => {
        reply = await attempt(request as Request, call)
        log('debug', `${trace.endpoint}: ${reply.status}, attempt ${trace.attempts}`)
        return new Response() // its status is all that ky looks at
      },
    })
    if (!reply) throw new TypeError('a request ended without a reply and without an error')
    return reply
  }

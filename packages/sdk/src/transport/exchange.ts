import ky from 'ky'
import type { Attempt, Call, Reply } from './attempt.ts'
import { retryDelayMs } from './retry.ts'
import { sleep } from './deadline.ts'
import type { Settings } from './settings.ts'

/** Asks until a reply comes or there is no point in asking again. */
export type Exchange = (url: string, call: Call, maxRetries: number) => Promise<Reply>

/**
 * Binds attempts to ky, which builds the request and runs the retries; when to retry and after how long is decided
 * here. ky gets no signal, because each one costs it three objects a request: attempts and waits listen to it.
 *
 * No ky object reaches the caller: its errors print their request's headers.
 */
export const createExchange =
  ({ retry, log }: Pick<Settings, 'retry' | 'log'>, attempt: Attempt): Exchange =>
  async (url, call, maxRetries) => {
    const { trace, signal } = call
    let reply: Reply | undefined
    signal?.throwIfAborted()

    await ky(url, {
      timeout: false,
      retry: {
        limit: maxRetries,
        delay: () => 0,
        shouldRetry: async ({ error }) => {
          const waitMs = signal?.aborted ? undefined : retryDelayMs(error, trace.attempts, { ...retry, maxRetries })
          if (waitMs === undefined) return false
          log('warn', `${error.message} Asking again in ${Math.round(waitMs)} ms.`)
          await sleep(waitMs, signal)
          return true
        },
      },
      fetch: async (request) => {
        const [response, read] = await attempt(request as Request, call)
        reply = read
        log('debug', `${trace.endpoint}: ${response.status}, attempt ${trace.attempts}`)
        return response
      },
    })
    if (!reply) throw new TypeError('a request ended without a reply and without an error')
    return reply
  }

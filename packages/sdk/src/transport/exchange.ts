import ky from 'ky'
import { RateLimitError } from '../errors/index.ts'
import type { Attempt, Reply } from './attempt.ts'
import { sleep } from './deadline.ts'
import { retryDelayMs } from './retry.ts'
import type { Call } from './send.ts'
import type { Settings } from './settings.ts'

/** Asks until a reply comes or there is no point in asking again. */
export type Exchange = (url: string, call: Call, maxRetries: number) => Promise<Reply>

/**
 * Binds attempts to ky, which builds the request and runs the retries; when to retry and after how long is decided
 * here. ky gets no signal, because each one costs it three objects a request: attempts and waits listen to it.
 *
 * No ky object reaches the caller, since its errors print their request: what an attempt failed with is kept here.
 */
export const createExchange = ({ retry, log }: Pick<Settings, 'retry' | 'log'>, attempt: Attempt): Exchange => {
  let rateLimitTold = false

  /** Where processes share a key, 429 comes again and again: it is a warning once, what helps included. */
  const tell = (failure: unknown, waitMs: number): void => {
    const isRateLimit = failure instanceof RateLimitError
    const level = isRateLimit && rateLimitTold ? 'info' : 'warn'
    rateLimitTold ||= isRateLimit
    log(level, `${(failure as Error).message} Asking again in ${Math.round(waitMs)} ms.`)
  }

  return async (url, call, maxRetries) => {
    const { trace, signal, timeLeftMs } = call
    let reply: Reply | undefined
    let failure: unknown
    signal?.throwIfAborted()

    const mayRetry = async (): Promise<boolean> => {
      const waitMs = signal?.aborted ? undefined : retryDelayMs(failure, trace.attempts, { ...retry, maxRetries })
      if (waitMs === undefined || waitMs >= timeLeftMs()) return false
      tell(failure, waitMs)
      await sleep(waitMs, signal)
      return true
    }

    try {
      await ky(url, {
        timeout: false,
        retry: { limit: maxRetries, delay: () => 0, shouldRetry: mayRetry },
        fetch: async (request) => {
          try {
            reply = await attempt(request as Request, call)
          } catch (error) {
            failure = error
            throw error
          }
          log('debug', `${trace.endpoint}: ${reply.status}, attempt ${trace.attempts}`)
          return new Response() // that it is a 200 is all that ky looks at
        },
      })
    } catch (error) {
      throw signal?.aborted ? signal.reason : (failure ?? error)
    }
    if (!reply) throw new TypeError('a request ended without a reply and without an error')
    return reply
  }
}

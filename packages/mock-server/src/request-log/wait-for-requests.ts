import { abortSignal, integer, milliseconds } from '@guild-ledger/validation'
import { checkedFields, checkedValue } from '../type-error.ts'
import { checkedMatcher, meets, mismatchOf, type ExpectedOf } from './expect-requests.ts'
import type { RequestMatcher } from './format-requests.ts'
import type { LoggedRequest, RequestLog } from './request-log.ts'

const waitChecks = { timeoutMs: milliseconds(0), signal: abortSignal }

/** How long to wait for requests. */
export interface WaitOptions {
  /**
   * Milliseconds, by `setTimeout`, after which the promise rejects.
   *
   * @default 4_000, less than what most runners give a test, so that it fails with a message that names the requests
   */
  readonly timeoutMs?: number
  /** Ends the wait early. */
  readonly signal?: AbortSignal
}

const defaultTimeoutMs = 4000

export const waitForRequests = async (
  log: RequestLog,
  current: () => ExpectedOf,
  count: number,
  matcher: RequestMatcher = {},
  options: WaitOptions = {},
): Promise<LoggedRequest[]> => {
  checkedValue(integer(1), 'count', count)
  const { timeoutMs = defaultTimeoutMs, signal } = checkedFields(waitChecks, options)
  const isMeant = meets(checkedMatcher(matcher, current().keyIds))
  const found = () => current().requests.filter(isMeant)
  const hasAll = () => found().length >= count
  // Created now, because later on its stack would not lead to who called.
  const tooFew = new Error('too few requests')
  // The key of the matcher may be gone by then, which is an error too.
  const lateError = (): unknown => {
    try {
      const mismatch = mismatchOf(current(), { atLeast: count }, matcher)
      const message = `${mismatch ?? 'the requests came late'}\nwaited ${timeoutMs} ms`
      const stack = tooFew.stack?.replace(tooFew.message, () => message)
      return Object.assign(tooFew, { message, stack })
    } catch (error) {
      return error
    }
  }
  if (!hasAll()) {
    signal?.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer)
        stop()
        signal?.removeEventListener('abort', abort)
        settle()
      }
      const abort = () => end(() => reject(signal?.reason as Error))
      const timer = setTimeout(() => end(() => reject(lateError())), timeoutMs)
      const stop = log.onChange(() => hasAll() && end(resolve))
      signal?.addEventListener('abort', abort)
    })
  }
  return found()
}

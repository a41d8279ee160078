import { describeType, isErrorLike, propertyOf } from '@guild-ledger/validation'
import { ApiKeyError, invalidOption, type AuthenticationError } from '../errors/index.ts'
import { timeNow, timersDieWithRequests, unref } from '../throttle/index.ts'
import { deadline } from './deadline.ts'
import { isControlFlow } from './foreign-error.ts'
import type { Log } from './log.ts'

/** Returns the API key: called before the first request, and again after a 401. */
export type ApiKeyFunction = () => string | Promise<string>

export interface KeyCall {
  readonly label: string
  readonly signal: AbortSignal | undefined
  readonly attemptTimeoutMs: number
}

/** How many values are redacted: a function may return another key each time. */
const maxSeen = 8

/** Least time between two calls of the function after a 401: it may ask a secret store, or make a new key each time. */
const renewalIntervalMs = 10_000

// Visible Latin-1, which any header carries: no runtime fails later with a message that shows the key.
const headerValue = /^[\x21-\x7e\xa1-\xff]+$/

const invalid = (message: string): never => invalidOption('apiKey', `\`apiKey\` ${message}`)

/** @throws {ConfigurationError} The value cannot be a key. The message does not show it. */
export const checkedKey = (key: string, problem = 'holds'): string => {
  if (/^(["'`]).*\1$/s.test(key)) invalid(`${problem} quotes at its ends: remove them`)
  if (/[\r\n]/.test(key)) invalid(`${problem} a line break: if it was read from a file, trim it`)
  if (!headerValue.test(key)) {
    invalid(`${problem} characters that no header can carry (spaces, control or non-Latin-1 ones): copy it again`)
  }
  return key
}

interface Run {
  readonly startedAt: number
  /** Resolves with what went wrong, without what was thrown: that may hold a key. */
  readonly fault: Promise<string | undefined>
  waiting: number
}

/** Binds a key, or a function that returns one. */
export const createApiKeys = (given: string | ApiKeyFunction, log: Log) => {
  /** The last values, the present one last. */
  let seen: readonly string[] = typeof given === 'string' ? [given] : []
  let run: Run | undefined
  let runs = 0
  let lastReturned = 0
  let renewedAt = -Infinity
  const current = () => seen.at(-1)

  const faultOf = async (number: number): Promise<string | undefined> => {
    let result: unknown
    try {
      result = await (given as ApiKeyFunction)() // a string is there from the start and never renewed
    } catch (error) {
      // A framework gets what it throws to leave a page: an error of its own `fetch`, or a value that is no error.
      if (isControlFlow(error) || (error && typeof error === 'object' && !isErrorLike(error))) throw error
      const name = propertyOf(error, 'name')
      return `threw ${isErrorLike(error) ? `an error (${typeof name === 'string' ? name : 'Error'})` : describeType(error)}: log it there`
    }
    if (typeof result !== 'string' || result === '') {
      return invalid(`must return a string that is not empty, or a promise of one, got ${describeType(result)}`)
    }
    const key = checkedKey(result, 'returned a key with')
    if (number < lastReturned) return undefined // a later call has returned before
    lastReturned = number
    if (key === current()) return undefined
    if (seen.length > 0)
      log('warn', 'key_replaced', 'The function of `apiKey` returned another key, which is used from now on.')
    seen = [...seen, key].slice(-maxSeen)
    return undefined
  }

  /** A call of the function that is waited for, unless it takes too long. */
  const running = ({ attemptTimeoutMs }: KeyCall): Run | undefined =>
    run && timeNow() < run.startedAt + attemptTimeoutMs ? run : undefined

  /** Calls the function once for all that wait for it. */
  const obtain = async (call: KeyCall, cause?: () => AuthenticationError): Promise<void> => {
    const { label, signal, attemptTimeoutMs } = call
    const failed = (fault: string) => {
      const ending = cause ? 'The service had responded with 401 to the last key' : 'Nothing was sent'
      const message = `${label} failed: the function of \`apiKey\` ${fault}. ${ending}.`
      return new ApiKeyError(message, cause && { cause: cause() })
    }
    // On Workers the call of another event would never end if that event ends.
    const shared = timersDieWithRequests ? undefined : running(call)
    const mine = shared ?? { startedAt: timeNow(), fault: faultOf(++runs), waiting: 0 }
    run = mine
    mine.waiting++
    const limit = deadline(signal, attemptTimeoutMs, () => failed(`did not return within ${attemptTimeoutMs} ms`))
    try {
      const fault = await limit.race(mine.fault)
      if (fault) throw failed(fault)
    } finally {
      limit.end()
      mine.waiting--
      if (mine.waiting === 0 && run === mine) run = undefined
    }
  }

  return {
    /** The key to send; undefined before a function returned its first. */
    current,
    /** The last values: these are redacted. */
    seen: () => seen,
    /** Waits for the function if there is no key yet, or if it runs after a 401; undefined if there is no need to. */
    ready: (call: KeyCall) => (current() === undefined || running(call) ? obtain(call) : undefined),
    /** Calls the function after a 401, once for all calls, at most once in 10 s: resolves with whether the key changed. */
    async renew(rejected: string | undefined, call: KeyCall, cause: () => AuthenticationError): Promise<boolean> {
      if (typeof given === 'string') return false
      if (rejected !== current()) return true
      if (!running(call)) {
        const at = timeNow()
        if (at - renewedAt < renewalIntervalMs) return false
        renewedAt = at
      }
      await obtain(call, cause)
      return rejected !== current()
    },
  }
}

export type ApiKeys = ReturnType<typeof createApiKeys>

const dayMs = 24 * 60 * 60 * 1000
/** Days before the key expires on which to warn; 0 says that it has expired. */
const warningDays = [14, 3, 1, 0]

/** How often a key is looked at that no request uses. */
const idleCheckMs = 60 * 60_000

/** Calls `check` every hour as long as somebody keeps it. The timer keeps no process alive. */
const checkHourly = (check: () => void): void => {
  if (timersDieWithRequests) return
  const kept = new WeakRef(check)
  const timer = setInterval(() => {
    const keptCheck = kept.deref()
    if (keptCheck) keptCheck()
    else clearInterval(timer)
  }, idleCheckMs)
  unref(timer)
}

/**
 * Warns ahead of the day on which the first key expires, once for each of the days: with every request, and every hour,
 * because a bot may have a guild in which nothing happens.
 */
export const createExpiryWarning = (expiresAt: number | undefined, keys: ApiKeys, log: Log): (() => void) => {
  if (expiresAt === undefined) return () => {}
  let days = warningDays
  const check = (): void => {
    if (keys.seen().length > 1) return
    const leftMs = expiresAt - Date.now()
    if (leftMs > (days[0] ?? -Infinity) * dayMs) return
    days = days.filter((day) => leftMs > day * dayMs)
    const daysLeft = Math.ceil(leftMs / dayMs)
    const when = leftMs <= 0 ? 'has expired' : `expires in ${daysLeft} ${daysLeft === 1 ? 'day' : 'days'}`
    const date = new Date(expiresAt).toISOString()
    log('warn', 'key_expires', `The API key ${when} (${date}): create a new one in the dashboard.`, () => {
      return { expiresAt: date, daysLeft }
    })
  }
  checkHourly(check)
  return check
}

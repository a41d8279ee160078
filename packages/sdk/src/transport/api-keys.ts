import { ApiKeyError, copyOf, type AuthenticationError } from '../errors/index.ts'
import { timersDieWithRequests } from '../throttle/index.ts'
import { checkedResult } from './checked-key.ts'
import { deadline } from './deadline.ts'
import { fixedKey, type ApiKeys, type KeyCall } from './fixed-key.ts'
import type { Log } from './log.ts'

/** Returns the API key: called before the first request, and again after a 401. */
export type ApiKeyFunction = () => string | Promise<string>

/** For so long nothing is sent after a key was rejected that the function still returns, or two keys in a row. */
const heldForMs = 10_000

/** How many values are redacted: a function may return another one each time. */
const maxSeen = 8

/** Nothing is sent until `until`, but by a call that tries the key again, and by another one if that waits longer. */
interface Hold {
  readonly error: AuthenticationError
  readonly at: number
  until: number
  readonly trials: WeakSet<KeyCall>
}

/** One call of the function. */
interface Run {
  readonly startedAt: number
  /** Resolves with what went wrong, without what was thrown: that may hold a key. */
  readonly fault: Promise<string | undefined>
  waiting: number
}

/** Binds a key or a function that returns one. */
export const createApiKeys = (given: string | ApiKeyFunction, log: Log): ApiKeys => {
  if (typeof given === 'string') return fixedKey(given)
  let seen: readonly string[] = []
  let current: string | undefined
  let version = 0
  let runs = 0
  let lastReceived = 0
  let pending: Run | undefined
  /** The 401 to the current key: nothing is sent any more until the function was called again. */
  let rejection: AuthenticationError | undefined
  let hold: Hold | undefined
  let rejectedInARow = 0

  const receive = (result: unknown): void => {
    const key = checkedResult(result)
    if (key === current) return
    seen = [...seen.filter((other) => other !== key), key].slice(-maxSeen)
    if (current !== undefined) {
      version++
      log('info', 'The function of `apiKey` returned another key, which is used from now on.')
    }
    current = key
    rejection = undefined
    if (rejectedInARow < 2) hold = undefined
  }

  const begin = (): Run => {
    const run = ++runs
    const fault = async (): Promise<string | undefined> => {
      let result: unknown
      try {
        result = await given()
      } catch (error) {
        return `threw ${error instanceof Error ? `an error (${error.constructor.name})` : 'something else than an error'}: log it there`
      }
      if (run < lastReceived) return undefined // a later run was faster: its key is newer
      lastReceived = run
      receive(result)
      return undefined
    }
    return { startedAt: performance.now(), fault: fault(), waiting: 0 }
  }

  /** Calls the function once for all that wait for it. */
  const obtain = async ({ label, signal, attemptTimeoutMs }: KeyCall, cause?: AuthenticationError): Promise<void> => {
    const ending = cause ? 'The service had responded with 401 to the last key' : 'Nothing was sent'
    const failed = (fault: string) =>
      new ApiKeyError(`${label} failed: the function of \`apiKey\` ${fault}. ${ending}.`, cause && { cause })
    // On Workers the run of another call would never end if the event of that one ends.
    const mine = timersDieWithRequests ? begin() : (pending ??= begin())
    mine.waiting++
    const limit = deadline(signal, attemptTimeoutMs, () => failed(`did not return within ${attemptTimeoutMs} ms`))
    try {
      const fault = await limit.race(mine.fault)
      if (fault) throw failed(fault)
    } finally {
      limit.end()
      mine.waiting--
      const isWaitedFor = mine.waiting > 0 && performance.now() < mine.startedAt + attemptTimeoutMs
      if (pending === mine && !(signal?.aborted && isWaitedFor)) pending = undefined
    }
  }

  const held = (call: KeyCall): AuthenticationError | undefined => {
    if (!hold || hold.trials.has(call) || performance.now() >= hold.until) return undefined
    const ago = `${Math.round((performance.now() - hold.at) / 1000)} s ago`
    const why =
      rejectedInARow > 1
        ? `two keys in a row, the last time ${ago}`
        : `this key ${ago}, and the function of \`apiKey\` still returns it`
    const message = `${call.label} was not sent: the service responded with 401 to ${why}. Create a new key in the dashboard.`
    return copyOf(hold.error, message)
  }

  const startHold = (): void => {
    if (!rejection) return
    const why = rejectedInARow > 1 ? 'two keys in a row' : 'the key, and the function of `apiKey` still returns it'
    const at = performance.now()
    if (!hold) {
      log('warn', `The service responded with 401 to ${why}: for ${heldForMs / 1000} s further calls fail at once.`)
    }
    hold = { error: rejection, at, until: at + heldForMs, trials: new WeakSet() }
  }

  const readyAgain = async (call: KeyCall, isGranted: boolean): Promise<void> => {
    if ((rejectedInARow < 2 && !isGranted) || !held(call)) await obtain(call)
    if (!hold) startHold()
    if (!hold) return
    const error = held(call)
    if (error) throw error
    hold.until = performance.now() + heldForMs // this call tries the key once for all others
    hold.trials.add(call)
  }

  return {
    isFixed: false,
    get current() {
      return current
    },
    get seen() {
      return seen
    },
    get version() {
      return version
    },
    ready(call, isGranted = false) {
      if (current === undefined) return obtain(call)
      return (hold || rejection) && !hold?.trials.has(call) ? readyAgain(call, isGranted) : undefined
    },
    rejected(error, used) {
      // Another 401 may concern one endpoint alone.
      if (used !== version || error.code !== 'invalid_api_key') return
      if (!rejection) rejectedInARow++
      // A copy: the error itself gets the details of its call, such as the number of a page.
      rejection = copyOf(error)
      if (rejectedInARow > 1) startHold()
    },
    async renew(error, used, call) {
      if (used < 0) return false // nothing was sent
      if (used === version && rejectedInARow < 2) await obtain(call, error)
      if (used !== version) return !held(call)
      if (error.code === 'invalid_api_key') startHold()
      return false
    },
    accepted(used, call) {
      // A response to a request that was sent before a 401 says nothing about the key since.
      if (used !== version || (rejection && !hold?.trials.has(call))) return
      rejection = hold = undefined
      rejectedInARow = 0
    },
  }
}

import { ApiKeyError, ConfigurationError, copyOf, type AuthenticationError } from '../errors/index.ts'
import { deadline } from './deadline.ts'
import type { Log } from './log.ts'

/** Returns the API key: called before the first request, and again after a 401. */
export type ApiKeyFunction = () => string | Promise<string>

/** The key of a client, and the last values that it had. */
export interface ApiKeys {
  /** The key to send; undefined before a function returned its first. */
  readonly current: string | undefined
  /** Whether it is a string, which never changes. */
  readonly isFixed: boolean
  /** The last values, at most 8: another array whenever one is added. */
  readonly seen: readonly string[]
  /** How often the value changed. */
  readonly version: number
  /**
   * Waits for a key that is worth sending; undefined if there is one.
   *
   * @throws {ApiKeyError} The function failed.
   * @throws {ConfigurationError} It returned no valid key.
   * @throws {AuthenticationError} See `held`.
   */
  readonly ready: (call: KeyCall) => Promise<void> | undefined
  /**
   * The error of a call that must not be sent: a moment ago the service rejected the key that the function still returns,
   * or two keys in a row.
   */
  readonly held: (call: KeyCall) => AuthenticationError | undefined
  /** The service responded with 401 to the key of `version`. */
  readonly rejected: (error: AuthenticationError, version: number) => void
  /** Calls the function for another key after a 401 for the key of `version`. Resolves with whether there is one. */
  readonly renew: (error: AuthenticationError, version: number, call: KeyCall) => Promise<boolean>
  /** The service accepted the key of `version`. */
  readonly accepted: (version: number) => void
}

/** What a call brings along. */
export interface KeyCall {
  readonly label: string
  readonly signal: AbortSignal | undefined
  readonly attemptTimeoutMs: number
}

/** For so long nothing is sent after a key was rejected that the function still returns, or two keys in a row. */
const heldForMs = 10_000

/** How many values are redacted: a function may return another one each time. */
const maxSeen = 8

// Visible Latin-1, which any header carries: no runtime fails later with a message that shows the key.
const headerValue = /^[\x21-\x7e\xa1-\xff]+$/

const invalid = (message: string): never => {
  throw new ConfigurationError('apiKey', `\`apiKey\` ${message}`)
}

/** @throws {ConfigurationError} The value cannot be a key. The message does not show it. */
export const checkedKey = (key: string, problem = 'holds'): string => {
  if (/[\r\n]/.test(key)) invalid(`${problem} a line break: if it was read from a file, trim it`)
  if (!headerValue.test(key)) {
    invalid(`${problem} characters that no header can carry (spaces, control or non-Latin-1 ones): copy it again`)
  }
  return key
}

const checkedResult = (key: unknown): string => {
  if (typeof key !== 'string')
    return invalid(`must return a string or a promise of one, got another type: ${typeof key}`)
  if (key === '') return invalid('must return the key, got an empty string')
  return checkedKey(key, 'returned a key with')
}

const fixed = (key: string): ApiKeys => ({
  isFixed: true,
  current: key,
  seen: [key],
  version: 0,
  ready: () => undefined,
  held: () => undefined,
  rejected: () => {},
  renew: async () => false,
  accepted: () => {},
})

/** Nothing is sent until `until`, but by the one call that tries the key again. */
interface Hold {
  readonly error: AuthenticationError
  readonly at: number
  until: number
  trial?: KeyCall
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
  if (typeof given === 'string') return fixed(given)
  let seen: readonly string[] = []
  let current: string | undefined
  let version = 0
  let runs = 0
  let lastReceived = 0
  let pending: Run | undefined
  let hold: Hold | undefined
  let rejectedInARow = 0
  let lastRejected = -1

  const receive = (result: unknown): void => {
    const key = checkedResult(result)
    if (key === current) return
    seen = [...seen.filter((other) => other !== key), key].slice(-maxSeen)
    if (current !== undefined) {
      version++
      log('info', 'The function of `apiKey` returned another key, which is used from now on.')
    }
    current = key
    if (rejectedInARow < 2) hold = undefined
  }

  const begin = (): Run => {
    const run = ++runs
    const fault = async (): Promise<string | undefined> => {
      let result: unknown
      try {
        result = await given()
      } catch (error) {
        return `threw ${error instanceof Error ? `a ${error.constructor.name}` : 'something else than an error'}: log it there`
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
    const mine = (pending ??= begin())
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
    if (!hold || hold.trial === call || performance.now() >= hold.until) return undefined
    const ago = `${Math.round((performance.now() - hold.at) / 1000)} s ago`
    const why =
      rejectedInARow > 1
        ? `two keys in a row, the last time ${ago}`
        : `this key ${ago}, and the function of \`apiKey\` still returns it`
    const message = `${call.label} was not sent: the service responded with 401 to ${why}. Create a new key in the dashboard.`
    return copyOf(hold.error, message)
  }

  const readyAgain = async (call: KeyCall): Promise<void> => {
    if (rejectedInARow < 2 || !held(call)) await obtain(call)
    if (!hold) return
    const error = held(call)
    if (error) throw error
    hold.until = performance.now() + heldForMs // this call tries the key once for all others
    hold.trial = call
  }

  const startHold = (error: AuthenticationError): void => {
    const why = rejectedInARow > 1 ? 'two keys in a row' : 'the key, and the function of `apiKey` still returns it'
    const at = performance.now()
    if (!hold) {
      log('warn', `The service responded with 401 to ${why}: for ${heldForMs / 1000} s further calls fail at once.`)
    }
    // A copy: the error itself gets the details of its call, such as the number of a page.
    hold = { error: copyOf(error), at, until: at + heldForMs }
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
    ready: (call) => (current === undefined ? obtain(call) : hold && readyAgain(call)),
    held,
    rejected(error, used) {
      // Another 401 may concern one endpoint alone.
      if (used !== version || error.code !== 'invalid_api_key') return
      if (lastRejected !== version) rejectedInARow++
      lastRejected = version
      if (rejectedInARow > 1) startHold(error)
    },
    async renew(error, used, call) {
      if (used === version && rejectedInARow < 2) await obtain(call, error)
      if (used !== version) return !held(call)
      if (error.code === 'invalid_api_key') startHold(error)
      return false
    },
    accepted(used) {
      if (used !== version) return
      hold = undefined
      rejectedInARow = 0
      lastRejected = -1
    },
  }
}

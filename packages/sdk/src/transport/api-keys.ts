import { ApiKeyError, ConfigurationError, copyOf, type AuthenticationError } from '../errors/index.ts'
import { deadline } from './deadline.ts'
import type { Log } from './log.ts'

/** Returns the API key: called before the first request, and again after a 401. */
export type ApiKeyFunction = () => string | Promise<string>

/** The key of a client, and each value that it had. */
export interface ApiKeys {
  /** The key to send; undefined before a function returned its first. */
  readonly current: string | undefined
  /** Whether it is a string, which never changes. */
  readonly isFixed: boolean
  /** All values so far. */
  readonly seen: readonly string[]
  /** How often the value changed. */
  readonly version: number
  /**
   * Waits for a key that is worth sending; undefined if there is one.
   *
   * @throws {ApiKeyError} The function failed.
   * @throws {ConfigurationError} It returned no valid key.
   * @throws {AuthenticationError} It still returns a key that was rejected a moment ago. Nothing was sent.
   */
  readonly ready: (call: KeyCall) => Promise<void> | undefined
  /** Calls the function for another key after a 401 for the key of `version`. Resolves with whether there is one. */
  readonly renew: (error: AuthenticationError, version: number, call: KeyCall) => Promise<boolean>
  /** The service accepted the key. */
  readonly accepted: () => void
}

/** What a call brings along. */
export interface KeyCall {
  readonly label: string
  readonly signal: AbortSignal | undefined
  readonly attemptTimeoutMs: number
}

/** For so long a key that was rejected is not sent again, as long as the function still returns it. */
const rejectedForMs = 10_000

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
  renew: async () => false,
  accepted: () => {},
})

/** Binds a key or a function that returns one. */
export const createApiKeys = (given: string | ApiKeyFunction, log: Log): ApiKeys => {
  if (typeof given === 'string') return fixed(given)
  const seen: string[] = []
  let current: string | undefined
  let version = 0
  let pending: Promise<void> | undefined
  let rejected: { readonly error: AuthenticationError; readonly at: number; until: number } | undefined

  const receive = (result: unknown): void => {
    const key = checkedResult(result)
    if (key === current) return
    if (!seen.includes(key)) seen.push(key)
    if (current !== undefined) {
      version++
      log('info', 'The function of `apiKey` returned another key, which is used from now on.')
    }
    current = key
    rejected = undefined
  }

  /** Calls the function once for all that wait for it. What it throws may hold a key, so that is not passed on. */
  const obtain = async ({ label, signal, attemptTimeoutMs }: KeyCall): Promise<void> => {
    const failed = (what: string) =>
      new ApiKeyError(`${label} failed: the function of \`apiKey\` ${what}. Nothing was sent.`)
    const result = async (): Promise<unknown> => {
      try {
        return await given()
      } catch (error) {
        throw failed(
          `threw ${error instanceof Error ? `a ${error.constructor.name}` : 'something else than an error'}: log it there`,
        )
      }
    }
    const mine = (pending ??= result().then(receive))
    const limit = deadline(signal, attemptTimeoutMs, () => failed(`did not return within ${attemptTimeoutMs} ms`))
    try {
      await limit.race(mine)
    } finally {
      limit.end()
      if (pending === mine) pending = undefined
    }
  }

  const notSent = ({ error, at }: NonNullable<typeof rejected>, label: string) => {
    const seconds = Math.round((performance.now() - at) / 1000)
    return copyOf(
      error,
      `${label} was not sent: the service responded with 401 to this key ${seconds} s ago, and the function of \`apiKey\` still returns it. Create a new key in the dashboard.`,
    )
  }

  const readyAgain = async (call: KeyCall): Promise<void> => {
    await obtain(call)
    if (!rejected) return
    if (performance.now() < rejected.until) throw notSent(rejected, call.label)
    rejected.until = performance.now() + rejectedForMs // this call tries it once for all others
  }

  return {
    isFixed: false,
    get current() {
      return current
    },
    seen,
    get version() {
      return version
    },
    ready: (call) => (current === undefined ? obtain(call) : rejected && readyAgain(call)),
    async renew(error, used, call) {
      if (used !== version) return true
      await obtain(call)
      if (used !== version) return true
      const now = performance.now()
      if (!rejected) {
        log(
          'warn',
          `The service responded with 401 to the key, and the function of \`apiKey\` still returns it: for ${rejectedForMs / 1000} s further calls fail at once.`,
        )
      }
      // A copy: the error itself gets the details of its call, such as the number of a page.
      rejected = { error: copyOf(error), at: now, until: now + rejectedForMs }
      return false
    },
    accepted() {
      rejected = undefined
    },
  }
}

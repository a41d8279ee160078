import { describeRange } from './describe-range.ts'
import { isObject } from './is-object.ts'
import { isSignal, propertyOf } from './of-any-realm.ts'

/** What a value may be. The packages describe with tables of these what they are given: see `validate`. */
export interface Check {
  /** Whether a value is one of those allowed. */
  readonly accepts: (value: unknown) => boolean
  /** What is allowed, in words that complete "`timeoutMs` must be …". */
  readonly expected: string
  /** The value may be a secret or hold one: messages describe its type only. */
  readonly isSecret?: true
  /** Strings are expected: messages quote a short one that is not accepted. Elsewhere it may be a secret in the wrong place. */
  readonly quotes?: true
  /** What the caller probably meant by a value that is not accepted, as the end of the sentence; undefined if nothing. */
  readonly hint?: (value: unknown) => string | undefined
  /** `undefined` is checked like any other value; elsewhere it means "not given" and passes. */
  readonly isRequired?: true
}

/** Checks by the name of what they check. */
export type Checks = Readonly<Record<string, Check>>

/** The longest delay of a timer, in milliseconds: a longer one overflows in every runtime and fires at once. */
export const longestTimerMs = 2 ** 31 - 1

/** A check of one's own. */
export const check = /* @__NO_SIDE_EFFECTS__ */ (accepts: Check['accepts'], expected: string): Check => {
  return { accepts, expected }
}

/** The same for a value that may be a string: see `quotes`. */
export const quoted = /* @__NO_SIDE_EFFECTS__ */ (one: Check): Check => ({ ...one, quotes: true })

const within = (value: unknown, min: number, max: number) => typeof value === 'number' && value >= min && value <= max

/** `an integer ≥ 1` or `an integer from 1 to 100`; safe integers only. */
export const integer = (min: number, max = Number.MAX_SAFE_INTEGER): Check =>
  check((value) => Number.isSafeInteger(value) && within(value, min, max), describeRange('an integer', min, max))

/** `a number ≥ 0` or `a number from 0 to 1`; finite numbers only. */
export const number = (min: number, max = Infinity): Check =>
  check((value) => Number.isFinite(value) && within(value, min, max), describeRange('a number', min, max))

/** `a number of milliseconds from 0 to 2147483647`: what a timer takes. */
export const milliseconds = (min: number): Check =>
  check((value) => within(value, min, longestTimerMs), describeRange('a number of milliseconds', min, longestTimerMs))

/** `one of strict, warn, off`. */
export const oneOf = (...values: readonly unknown[]): Check =>
  quoted(check((value) => values.includes(value), `one of ${values.join(', ')}`))

/** Any value: for a name that is known, whose value is checked elsewhere. */
export const any: Check = check(() => true, 'any value')
export const boolean: Check = check((value) => typeof value === 'boolean', 'true or false')
export const string: Check = quoted(check((value) => typeof value === 'string', 'a string'))
export const nonEmptyString: Check = quoted(
  check((value) => typeof value === 'string' && value !== '', 'a string that is not empty'),
)
export const aFunction: Check = check((value) => typeof value === 'function', 'a function')
export const object: Check = check(isObject, 'an object')
export const array: Check = check(Array.isArray, 'an array')
/** A string, or a `URL` of any realm. */
export const address: Check = check(
  (value) => typeof value === 'string' || typeof propertyOf(value, 'href') === 'string',
  'an address such as https://ledger.example',
)

/** The same check with other words, such as an example: `an array such as ['ledger']`. */
export const worded = (one: Check, expected: string): Check => ({ ...one, expected })

/** The same, or `null`. */
export const orNull = (one: Check): Check => ({
  ...one,
  accepts: (value) => value === null || one.accepts(value),
  expected: `${one.expected}, or null`,
})

/** The same for a value that messages must not show. */
export const secret = (one: Check): Check => ({ ...one, isSecret: true })

/** The same with a hint for values that are not accepted. */
export const hinted = /* @__NO_SIDE_EFFECTS__ */ (one: Check, hint: Required<Check>['hint']): Check => ({
  ...one,
  hint,
})

/** The same for a value that must be given. */
export const required = (one: Check): Check => ({ ...one, isRequired: true })

export const abortSignal: Check = hinted(check(isSignal, 'an AbortSignal'), (value) =>
  isSignal(propertyOf(value, 'signal')) ? 'pass the signal of the AbortController' : undefined,
)

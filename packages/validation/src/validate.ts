import { object, worded, type Check, type Checks } from './check.ts'
import { describeGiven, describeType } from './describe-value.ts'
import { formatIssue } from './issue.ts'
import { formatUnknownName } from './unknown-name.ts'

/** Throws the error of whoever validates. `path` names the value at fault, `message` is a sentence without a full stop. */
export type Fail = (path: string, message: string) => never

/** How messages refer to an object and to what is in it. */
export interface Naming {
  /** What one of its names is called. @default 'option' */
  readonly noun?: string
  /** Path of the object, in front of every name: with `retry` there is `retry.maxRetries`. @default '' */
  readonly path?: string
  /** What the object itself is called where it has no path. @default `options`, the plural of the noun */
  readonly label?: string
  /** What the object must be, if it is none. @default 'an object' */
  readonly expected?: string
}

/** Passes a value that its check accepts; others go to `fail`. */
export const validateValue = (
  { accepts, expected, hint, isSecret, quotes }: Check,
  path: string,
  value: unknown,
  fail: Fail,
): void => {
  if (accepts(value)) return
  const received = isSecret ? describeType(value) : describeGiven(value, quotes)
  const meant = hint?.(value)
  fail(path, formatIssue({ path, expected, received }) + (meant === undefined ? '' : `: ${meant}`))
}

/**
 * Takes an object whose names are all known and whose values their checks accept, and returns a fresh one with the values
 * that were given: `null` is left out unless it is accepted. Each is read exactly once, so what was checked is what is used.
 *
 * One mechanism for everything that callers pass, options and fields alike; `fail` makes it the right error.
 */
export const validate = <Given extends object>(
  checks: Checks,
  given: Given,
  fail: Fail,
  { noun = 'option', path = '', label = `${noun}s`, expected = object.expected }: Naming = {},
): Given => {
  validateValue(worded(object, expected), path || label, given, fail)
  const values = given as Readonly<Record<string, unknown>>
  const prefix = path && `${path}.`
  for (const name in values) {
    if (Object.hasOwn(checks, name)) continue
    fail(prefix + name, formatUnknownName(noun, name, Object.keys(checks), prefix))
  }
  const taken: Record<string, unknown> = {}
  for (const [name, check] of Object.entries(checks)) {
    const value = values[name]
    const isLeftOut = value === undefined || (value === null && !check.accepts(null))
    if (isLeftOut && !check.isRequired) continue
    validateValue(check, prefix + name, value, fail)
    taken[name] = value
  }
  return taken as Given
}

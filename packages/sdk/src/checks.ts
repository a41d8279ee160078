import { inWords, isObject, sentence, strange } from './contract/index.ts'
import { ConfigurationError } from './errors/index.ts'

/**
 * A test of an option, and the words for what passes it: they complete the sentence "timeoutMs must be …". `instead`
 * stands for a value that must not be shown.
 */
export type Check = readonly [passes: (value: unknown) => boolean, expected: string, instead?: string]
/** The options that are known, by name. */
export type Checks = Readonly<Record<string, Check>>

/** A longer wait overflows the timers of every runtime and would fire at once. */
export const longestTimerMs = 2 ** 31 - 1

const within = (value: unknown, min: number, max: number) => typeof value === 'number' && value >= min && value <= max

export const milliseconds = (min: number): Check => [
  (value) => within(value, min, longestTimerMs),
  `a number of milliseconds from ${min} to ${longestTimerMs}`,
]

export const wholeNumber = (min: number, max: number): Check => [
  (value) => Number.isInteger(value) && within(value, min, max),
  `a whole number from ${min} to ${max}`,
]

export const oneOf = (...values: readonly unknown[]): Check => [
  (value) => values.includes(value),
  `one of ${values.join(', ')}`,
]

/** For what is looked at where more is known about it. */
export const anything: Check = [() => true, '']

export const aFunction: Check = [(value) => typeof value === 'function', 'a function']

/** @throws {ConfigurationError} */
export const checkOption = ([passes, expected, instead]: Check, name: string, value: unknown): void => {
  if (passes(value)) return
  throw new ConfigurationError(name, sentence({ path: name, expected, received: instead ?? inWords(value) }))
}

/**
 * Takes options that are known and right. They are read once: what was checked is what is used. `of` is the option that
 * they belong to, such as `retry`.
 *
 * @throws {ConfigurationError}
 */
export const checked = <Options extends object>(checks: Checks, options: Options, of = ''): Options => {
  checkOption([isObject, 'an object'], of || 'options', options)
  const given = options as Readonly<Record<string, unknown>>
  const prefix = of && `${of}.`
  for (const name in given) {
    if (Object.hasOwn(checks, name)) continue
    throw new ConfigurationError(prefix + name, sentence(strange(prefix + name, name, Object.keys(checks))))
  }
  const taken: Record<string, unknown> = {}
  for (const [name, check] of Object.entries(checks)) {
    const value = given[name]
    if (value === undefined) continue
    checkOption(check, prefix + name, value)
    taken[name] = value
  }
  return taken as Options
}

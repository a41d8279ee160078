import * as z from 'zod/mini'
import { issuesOf, sentence } from '../contract/index.ts'
import { ConfigurationError } from '../errors/index.ts'
import { logLevels } from '../transport/index.ts'

// The message of each schema completes the sentence "timeoutMs must be …".
const maxTimerMs = 2 ** 31 - 1
const msAllowed = `a number of milliseconds from 1 to ${maxTimerMs}`
const ms = z.number(msAllowed).check(z.gte(1, msAllowed), z.lte(maxTimerMs, msAllowed))
const delayAllowed = `a number of milliseconds from 0 to ${maxTimerMs}`
const delay = z.number(delayAllowed).check(z.gte(0, delayAllowed), z.lte(maxTimerMs, delayAllowed))
const retriesAllowed = 'a whole number from 0 to 100'
const retries = z.int(retriesAllowed).check(z.gte(0, retriesAllowed), z.lte(100, retriesAllowed))
const boolean = z.boolean('true or false')
const oneOf = <const T extends readonly string[]>(values: T) => z.enum(values, `one of ${values.join(', ')}`)
const custom = (allowed: string, fits: (value: unknown) => boolean) => z.custom(fits, allowed)
/** An object as options are written: no list, no map, of whichever realm. */
export const isObject = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
const isFunction = (value: unknown) => typeof value === 'function'
const hasMethods =
  (...names: string[]) =>
  (value: unknown) =>
    typeof value === 'object' && value !== null && names.every((name) => isFunction(Reflect.get(value, name)))

const isThrottleOption = (value: unknown) =>
  value === false || hasMethods('acquire', 'pause')(value) || (isObject(value) && !('acquire' in value))

const shared = { timeoutMs: ms, attemptTimeoutMs: ms, validation: oneOf(['strict', 'warn', 'off']) }

const retryAllowed = 'false, or an object with maxRetries, baseDelayMs and maxDelayMs'
/** Options of `retry`. */
export const retryOptions = z.partial(
  z.strictObject({ maxRetries: retries, baseDelayMs: delay, maxDelayMs: delay }, retryAllowed),
)

/** Options of a client. */
export const clientOptions = z.partial(
  z.strictObject(
    {
      ...shared,
      apiKey: z.string('a string'),
      baseUrl: custom(
        'an address such as https://ledger.example',
        (value) => typeof value === 'string' || value instanceof URL,
      ),
      retry: custom(retryAllowed, (value) => value === false || isObject(value)),
      throttle: custom('a throttle, options for one, or false', isThrottleOption),
      fetch: custom('a function', isFunction),
      middleware: z.array(custom('a function', isFunction), 'a list of functions'),
      logger: custom('an object with debug, info, warn and error', hasMethods('debug', 'info', 'warn', 'error')),
      logLevel: oneOf(logLevels),
      allowInsecureHttp: boolean,
      dangerouslyAllowBrowser: boolean,
    },
    'an object with options',
  ),
)

const callFields = {
  ...shared,
  signal: custom('an AbortSignal', (value) => value instanceof AbortSignal),
  maxRetries: retries,
  priority: oneOf(['interactive', 'background']),
}

/** Options of one call, beside those of a walk or watch that its own floor checks. */
export const callOptions = (...others: string[]) =>
  z.partial(
    z.strictObject(
      { ...Object.fromEntries(others.map((name) => [name, z.unknown()])), ...callFields },
      'an object with options',
    ),
  )

/** Throws where `given` breaks `schema`, naming the option, what it takes and what was given. The key is not shown. */
export const checkOptions = (schema: z.core.$ZodType, given: unknown, prefix = ''): void => {
  const [issue] = issuesOf(schema, given)
  if (!issue) return
  const option = prefix + issue.path || 'options'
  const secret = option === 'apiKey' || option === 'baseUrl'
  const shown = { ...issue, path: option, received: secret ? 'something else' : issue.received }
  throw new ConfigurationError(option, sentence(shown))
}

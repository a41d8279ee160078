import { aFunction, milliseconds, oneOf, type Check } from '../checks.ts'
import { isObject } from '../contract/index.ts'
import { commonChecks, logLevels, maxRetries, type RetryOptions } from '../transport/index.ts'
import type { GuildLedgerOptions } from './client-options.ts'

const aFlag: Check = [(value) => typeof value === 'boolean', 'true or false']
const hasMethods =
  (...names: string[]) =>
  (value: unknown) =>
    typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === 'function')

/** Options of `retry`. */
export const retryChecks: Record<keyof RetryOptions, Check> = {
  maxRetries,
  baseDelayMs: milliseconds(0),
  maxDelayMs: milliseconds(0),
}

// What may be the key, or hold it, is not shown.
const hidden = 'something else'

/** Options of a client. */
export const clientChecks: Record<keyof GuildLedgerOptions, Check> = {
  ...commonChecks,
  apiKey: [(value) => typeof value === 'string', 'a string', hidden],
  baseUrl: [
    (value) => typeof value === 'string' || value instanceof URL,
    'an address such as https://ledger.example',
    hidden,
  ],
  retry: [
    (value) => value === false || isObject(value),
    'false, or an object with maxRetries, baseDelayMs and maxDelayMs',
  ],
  throttle: [
    (value) => value === false || hasMethods('acquire', 'pause')(value) || (isObject(value) && !('acquire' in value)),
    'a throttle, options for one, or false',
  ],
  fetch: aFunction,
  middleware: [Array.isArray, 'a list of functions'],
  logger: [hasMethods('debug', 'info', 'warn', 'error'), 'an object with debug, info, warn and error'],
  logLevel: oneOf(...logLevels),
  allowInsecureHttp: aFlag,
  dangerouslyAllowBrowser: aFlag,
}

import {
  abortSignal,
  address,
  aFunction,
  integer,
  number,
  object,
  required,
  secret,
  string,
  validate,
} from '@guild-ledger/validation'
import type { CheckedOptions, ProbeOptions } from './types.ts'

const keyChecks = { expired: secret(string), unscoped: secret(string), lapsed: secret(string) }
const optionChecks = {
  apiKey: required(secret(string)),
  baseUrl: required(secret(address)),
  maxRequests: integer(1),
  requestsPerSecond: number(0.1, 10),
  maxTransactions: integer(1),
  keys: object,
  expected: object,
  fetch: aFunction,
  signal: abortSignal,
  onProgress: aFunction,
}

const fail = (_path: string, message: string): never => {
  throw new TypeError(message)
}

/**
 * Takes the options of a probe.
 *
 * @throws {TypeError} One is unknown, missing or not allowed.
 */
export const checkedOptions = (given: ProbeOptions): CheckedOptions => {
  const options = validate(optionChecks, given, fail)
  validate(keyChecks, options.keys ?? {}, fail)
  const { maxRequests = 150, requestsPerSecond = 4, maxTransactions = 5000 } = options
  return { ...options, maxRequests, requestsPerSecond, maxTransactions }
}

import {
  aFunction,
  any,
  boolean,
  check,
  integer,
  isObject,
  number,
  required,
  secret,
  string,
} from '@guild-ledger/validation'
import { checkedAssumptions } from '../assumptions/index.ts'
import { checkedFields } from '../type-error.ts'
import type { ProbeOptions } from './types.ts'

const address = check(
  (value) => typeof value === 'string' || value instanceof URL,
  'an address such as https://ledger.example',
)

const optionChecks = {
  apiKey: required(secret(string)),
  baseUrl: required(secret(address)),
  maxRequests: integer(1),
  requestsPerSecond: number(0.1, 10),
  maxTransactions: integer(1),
  burst: boolean,
  keys: check(isObject, 'an object such as { expired: key }'),
  expected: any,
  fetch: aFunction,
  signal: check((value) => value instanceof AbortSignal, 'an AbortSignal'),
  onProgress: aFunction,
}

const keyChecks = {
  expired: secret(string),
  unscoped: secret(string),
  lapsed: secret(string),
}

/** The options with the defaults filled in. */
export type CheckedProbeOptions = ProbeOptions &
  Required<Pick<ProbeOptions, 'requestsPerSecond' | 'maxTransactions'>> & {
    readonly maxRequests: number
    readonly requestsPerSecond: number
    readonly maxTransactions: number
  }

/**
 * Takes the options of a probe.
 *
 * @throws {TypeError} One is unknown, missing or not allowed.
 */
export const checkedProbeOptions = (given: ProbeOptions): CheckedProbeOptions => {
  const options = checkedFields(optionChecks, given)
  checkedFields(keyChecks, options.keys ?? {})
  if (options.expected !== undefined) checkedAssumptions(options.expected)
  const { maxRequests = 150, requestsPerSecond = 4, maxTransactions = 5000 } = options
  return { ...options, maxRequests, requestsPerSecond, maxTransactions }
}

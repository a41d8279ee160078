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
  sameGuild: secret(string),
  otherGuild: secret(string),
}

/** The keys that show the scope of the rate limit must differ, and only `burst` uses them. */
const checkScopeKeys = ({ apiKey, burst, keys = {} }: ProbeOptions): void => {
  const { sameGuild, otherGuild } = keys
  for (const [name, key] of Object.entries({ sameGuild, otherGuild })) {
    if (key === undefined) continue
    if (!burst) throw new TypeError(`\`keys.${name}\` is used only with option \`burst\`: set it too`)
    if (key === apiKey) throw new TypeError(`\`keys.${name}\` must be another key than \`apiKey\``)
  }
  if (sameGuild !== undefined && sameGuild === otherGuild)
    throw new TypeError('`keys.otherGuild` must be another key than `keys.sameGuild`')
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
  checkScopeKeys(options)
  if (options.expected !== undefined) checkedAssumptions(options.expected)
  const { maxRequests = 150, requestsPerSecond = 4, maxTransactions = 5000 } = options
  return { ...options, maxRequests, requestsPerSecond, maxTransactions }
}

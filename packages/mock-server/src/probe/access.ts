import { documentedErrors } from '@guild-ledger/sdk/contract'
import type { AssumptionKey } from '../assumptions/index.ts'
import type { Burst } from './burst.ts'
import { fieldIn, type RawResponse } from './model/observe.ts'
import type { Value } from './model/variables.ts'
import type { ProbeKeys } from './types.ts'
import type { Verdict } from './verdicts.ts'

const statuses = {
  expired: ['expiredKeyStatus', [401, 403]],
  unscoped: ['missingScopeStatus', [401, 403]],
  lapsed: ['lapsedSubscriptionStatus', [401, 402, 403]],
} as const satisfies Partial<Record<keyof ProbeKeys, readonly [AssumptionKey, readonly number[]]>>

/** A response to a further key, or why there is none. */
export type KeyOutcome = RawResponse | { readonly failure: string }

/** What a service does with a key that should be rejected; without one, nothing is known. */
const verdictOfKey = (name: keyof typeof statuses, outcome: KeyOutcome | undefined): Verdict => {
  const [key, candidates] = statuses[name]
  const option = `option \`keys.${name}\``
  if (!outcome) return { key, verdict: 'skipped', candidates, needs: `a key for it: ${option}` }
  if ('failure' in outcome) return { key, verdict: 'skipped', candidates, needs: outcome.failure }
  const { status, body } = outcome
  const { invalidApiKey } = documentedErrors
  if (status === invalidApiKey.status && fieldIn(body, 'message') === invalidApiKey.message) {
    return {
      key,
      verdict: 'consistent',
      candidates,
      needs: `a check of ${option}: the response is the same as to an unknown key, so the key may be mistyped`,
    }
  }
  const value = candidates.find((one) => one === status)
  return value === undefined
    ? { key, verdict: 'outside', candidates: [], observed: `status ${status}` }
    : { key, verdict: 'decided', value, candidates: [value] }
}

/** Sends one request with each further key. */
export const accessVerdicts = async (
  keys: ProbeKeys,
  sendWith: (apiKey: string) => Promise<KeyOutcome>,
): Promise<Verdict[]> => {
  const verdicts: Verdict[] = []
  for (const name of Object.keys(statuses) as (keyof typeof statuses)[]) {
    const apiKey = keys[name]
    verdicts.push(verdictOfKey(name, apiKey === undefined ? undefined : await sendWith(apiKey)))
  }
  return verdicts
}

const headerStyleOf = ({ headers }: RawResponse): string | undefined => {
  const names = Object.keys(headers)
  if (names.includes('ratelimit') && names.includes('ratelimit-policy')) return 'ratelimit'
  if (['limit', 'remaining', 'reset'].every((name) => names.includes(`x-ratelimit-${name}`))) return 'x-ratelimit'
  return names.find((name) => /rate-?limit/.test(name))
}

/** The rejected requests that show the rate limit. A 503 may have another cause, unless they follow a rate limit. */
const limitedIn = ({ rejected, isRegular }: Burst) => {
  const clear = rejected.filter(({ status }) => status === 429)
  return { limited: clear.length > 0 ? clear : rejected, isClear: clear.length > 0 || isRegular }
}

const otherCause = 'requests that are rejected as by a rate limit: a 503 may have another cause, such as an overload'

const headersVerdict = (accepted: readonly RawResponse[], burst: Burst, lacking: string): Verdict => {
  const key = 'rateLimitHeaders'
  const candidates: readonly Value[] = ['retry-after', 'none']
  const styles = new Set(accepted.map(headerStyleOf))
  const [style] = styles
  if (styles.size > 1)
    return {
      key,
      verdict: 'outside',
      candidates: [],
      observed: 'only some responses have headers about the rate limit',
    }
  if (style === 'ratelimit' || style === 'x-ratelimit')
    return { key, verdict: 'decided', value: style, candidates: [style] }
  if (style !== undefined) return { key, verdict: 'outside', candidates: [], observed: `the header ${style}` }
  const { limited, isClear } = limitedIn(burst)
  if (limited.length === 0) return { key, verdict: 'skipped', candidates, needs: lacking }
  if (!isClear) return { key, verdict: 'consistent', candidates, needs: otherCause }
  const withHeader = limited.filter(({ headers }) => headers['retry-after'] !== undefined).length
  if (withHeader > 0 && withHeader < limited.length) {
    return { key, verdict: 'outside', candidates: [], observed: 'only some rate-limited responses have Retry-After' }
  }
  const value = withHeader > 0 ? 'retry-after' : 'none'
  return { key, verdict: 'decided', value, candidates: [value] }
}

const statusVerdict = (burst: Burst, lacking: string): Verdict => {
  const key = 'rateLimitStatus'
  const candidates: readonly Value[] = [429, 503]
  const { limited, isClear } = limitedIn(burst)
  const [first] = limited
  if (!first) return { key, verdict: 'skipped', candidates, needs: lacking }
  if (!isClear) return { key, verdict: 'consistent', candidates, needs: otherCause }
  return { key, verdict: 'decided', value: first.status, candidates: [first.status] }
}

/**
 * What responses show about the rate limit, and what no request can show: `burst` has those with 429, and those of a burst with
 * 503. `lacking` says what would show more where there are none.
 */
export const rateLimitVerdicts = (
  accepted: readonly RawResponse[],
  burst: Burst,
  lacking = 'a rate-limited response: option `burst`',
): Verdict[] => [
  {
    key: 'rateLimitAlgorithm',
    verdict: 'skipped',
    candidates: ['sliding-window', 'fixed-window', 'token-bucket', 'gcra'],
    needs: 'many requests above the limit, which the probe does not send',
  },
  {
    key: 'rateLimitScope',
    verdict: 'skipped',
    candidates: ['key', 'guild', 'address'],
    needs: 'requests above the limit with several keys, which the probe does not send',
  },
  statusVerdict(burst, lacking),
  headersVerdict(accepted, burst, lacking),
  {
    key: 'rateLimitedRequestsCount',
    verdict: 'skipped',
    candidates: [false, true],
    needs: 'many requests above the limit, which the probe does not send',
  },
  {
    key: 'maxKeysPerGuild',
    verdict: 'unobservable',
    candidates: [],
    needs: 'the dashboard of the service: no request shows it',
  },
]

import type { AssumptionKey } from '../assumptions/index.ts'
import type { RawResponse } from './model/observe.ts'
import type { Value } from './model/variables.ts'
import type { ProbeKeys } from './types.ts'
import type { Verdict } from './verdicts.ts'

const statuses = {
  expired: ['expiredKeyStatus', [401, 403]],
  unscoped: ['missingScopeStatus', [401, 403]],
  lapsed: ['lapsedSubscriptionStatus', [401, 402, 403]],
} as const satisfies Partial<Record<keyof ProbeKeys, readonly [AssumptionKey, readonly number[]]>>

/** What a service does with a key that should be rejected; without one, nothing is known. */
const verdictOfKey = (name: keyof typeof statuses, response: RawResponse | undefined): Verdict => {
  const [key, values] = statuses[name]
  if (!response) return { key, verdict: 'skipped', candidates: values, needs: `a key for it: option \`keys.${name}\`` }
  const value = values.find((status) => status === response.status)
  return value === undefined
    ? { key, verdict: 'outside', candidates: [], observed: `status ${response.status}` }
    : { key, verdict: 'decided', value, candidates: [value] }
}

/** Sends one request with each further key. */
export const accessVerdicts = async (
  keys: ProbeKeys,
  sendWith: (apiKey: string) => Promise<RawResponse>,
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

const headersVerdict = (accepted: readonly RawResponse[], limited: readonly RawResponse[]): Verdict => {
  const key = 'rateLimitHeaders'
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
  if (limited.length === 0) {
    return {
      key,
      verdict: 'skipped',
      candidates: ['retry-after', 'none'],
      needs: 'a rate-limited response: option `burst`',
    }
  }
  const withHeader = limited.filter(({ headers }) => headers['retry-after'] !== undefined).length
  if (withHeader > 0 && withHeader < limited.length) {
    return { key, verdict: 'outside', candidates: [], observed: 'only some rate-limited responses have Retry-After' }
  }
  const value = withHeader > 0 ? 'retry-after' : 'none'
  return { key, verdict: 'decided', value, candidates: [value] }
}

const statusVerdict = (limited: readonly RawResponse[]): Verdict => {
  const key = 'rateLimitStatus'
  const [first, ...others] = [...new Set(limited.map(({ status }) => status))]
  const known: readonly Value[] = [429, 503]
  if (first === undefined)
    return { key, verdict: 'skipped', candidates: known, needs: 'a rate-limited response: option `burst`' }
  if (others.length > 0 || !known.includes(first))
    return { key, verdict: 'outside', candidates: [], observed: `status ${[first, ...others].join(' and ')}` }
  return { key, verdict: 'decided', value: first, candidates: [first] }
}

/** What responses show about the rate limit, and what no request can show. */
export const rateLimitVerdicts = (accepted: readonly RawResponse[], limited: readonly RawResponse[]): Verdict[] => [
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
  statusVerdict(limited),
  headersVerdict(accepted, limited),
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

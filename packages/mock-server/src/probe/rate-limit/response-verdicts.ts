import type { RawResponse } from '../model/observe.ts'
import type { Value } from '../model/variables.ts'
import type { Verdict } from '../verdicts.ts'
import type { Examined } from './examine.ts'

type Burst = Pick<Examined, 'rejected' | 'isRegular'>

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

/** What headers responses have about the rate limit. */
export const headersVerdict = (accepted: readonly RawResponse[], burst: Burst, lacking: string): Verdict => {
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

/** The status of rejected requests. */
export const statusVerdict = (burst: Burst, lacking: string): Verdict => {
  const key = 'rateLimitStatus'
  const candidates: readonly Value[] = [429, 503]
  const { limited, isClear } = limitedIn(burst)
  const [first] = limited
  if (!first) return { key, verdict: 'skipped', candidates, needs: lacking }
  if (!isClear) return { key, verdict: 'consistent', candidates, needs: otherCause }
  return { key, verdict: 'decided', value: first.status, candidates: [first.status] }
}

import type { RawResponse } from '../model/observe.ts'
import type { Value } from '../model/variables.ts'
import type { Verdict } from '../verdicts.ts'
import type { Examined } from './examine.ts'
import { kindsOfHeaders, type Headers } from './header-form.ts'

type Burst = Pick<Examined, 'rejected' | 'isRegular'>

/** The rejected requests that show the rate limit. A 503 may have another cause, unless they follow a rate limit. */
const limitedIn = ({ rejected, isRegular }: Burst) => {
  const clear = rejected.filter(({ status }) => status === 429)
  return { limited: clear.length > 0 ? clear : rejected, isClear: clear.length > 0 || isRegular }
}

const otherCause = 'requests that are rejected as by a rate limit: a 503 may have another cause, such as an overload'

const none: Headers = { value: 'none' }
const valueIn = (headers: Headers): string | undefined => ('value' in headers ? headers.value : undefined)

/** Why responses have headers that no value describes; `undefined` if a value may. */
const observedIn = (accepted: readonly Headers[], limited: readonly Headers[]): string | undefined => {
  const [all = none] = accepted
  if (accepted.length > 1) {
    return accepted.some((one) => valueIn(one) === 'none')
      ? 'only some responses have headers about the rate limit'
      : 'the headers about the rate limit are not of one form'
  }
  if ('other' in all) return all.other
  if (all.value === 'retry-after') return 'the header retry-after in responses that are not rate-limited'
  if (limited.length > 1) {
    return limited.every((one) => ['none', 'retry-after'].includes(valueIn(one) ?? ''))
      ? 'only some rate-limited responses have Retry-After'
      : 'rate-limited responses differ in their headers about the rate limit'
  }
  const [rejected] = limited
  if (!rejected || valueIn(rejected) === all.value) return undefined
  if (all.value === 'none' && valueIn(rejected) === 'retry-after') return undefined
  if ('other' in rejected) return `rate-limited responses have ${rejected.other}`
  return all.value === 'none'
    ? `only rate-limited responses have the headers of ${rejected.value}`
    : `rate-limited responses do not have the headers of ${all.value}`
}

/** What headers responses have about the rate limit. */
export const headersVerdict = (accepted: readonly RawResponse[], burst: Burst, lacking: string): Verdict => {
  const key = 'rateLimitHeaders'
  const { limited, isClear } = limitedIn(burst)
  const [usual = none] = kindsOfHeaders(accepted)
  const [rejected] = isClear ? kindsOfHeaders(limited) : []
  const observed = observedIn(kindsOfHeaders(accepted), isClear ? kindsOfHeaders(limited) : [])
  if (observed !== undefined) return { key, verdict: 'outside', candidates: [], observed }
  const value = valueIn(rejected ?? usual) ?? 'none'
  if (rejected) return { key, verdict: 'decided', value, candidates: [value] }
  const needs = limited.length > 0 ? otherCause : lacking
  // Rate-limited responses may have other headers than the rest.
  if (value !== 'none') return { key, verdict: 'consistent', value, candidates: [value], needs }
  const candidates: readonly Value[] = ['retry-after', 'none']
  return { key, verdict: limited.length > 0 ? 'consistent' : 'skipped', candidates, needs }
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

import { alternativesTo, type Assumptions } from '../assumptions/index.ts'
import { createRateLimiter, type AddressUsages, type RateLimiter } from '../rate-limit/index.ts'
import type { Trace } from './trace.ts'

const limiterKeys: ReadonlySet<string> = new Set([
  'rateLimitAlgorithm',
  'rateLimitScope',
  'rateLimitHeaders',
  'rateLimitedRequestsCount',
])

/**
 * Reports the other values under which the limiter would have decided differently. A decision depends on earlier
 * requests, so a second limiter for each value gets the same requests.
 */
export const traceRateLimiter = (
  limiter: RateLimiter,
  current: () => Assumptions,
  addressUsages: (alternative: string) => AddressUsages,
  trace: Trace,
): RateLimiter => {
  const shadows = alternativesTo(current())
    .filter(({ key }) => limiterKeys.has(key))
    .map((alternative) => ({
      alternative,
      limiter: createRateLimiter(
        limiter.limit,
        () => ({ ...current(), [alternative.key]: alternative.value }),
        addressUsages(`${alternative.key}=${alternative.value}`),
      ),
    }))
  return {
    get limit() {
      return limiter.limit
    },
    set limit(value) {
      limiter.limit = value
      for (const shadow of shadows) shadow.limiter.limit = value
    },
    admit(caller, now) {
      const decision = limiter.admit(caller, now)
      const text = JSON.stringify(decision)
      const different = shadows.filter((shadow) => JSON.stringify(shadow.limiter.admit(caller, now)) !== text)
      const statuses = decision.passes ? [] : alternativesTo(current()).filter(({ key }) => key === 'rateLimitStatus')
      trace.differs([...different.map(({ alternative }) => alternative), ...statuses])
      return decision
    },
    state: () => limiter.state(),
    restore(state) {
      limiter.restore(state)
      for (const shadow of shadows) shadow.limiter.restore({ ...state, usages: new Map(), countedBy: '' })
    },
  }
}

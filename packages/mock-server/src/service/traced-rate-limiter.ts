import type { Assumptions, Variant } from '../assumptions/index.ts'
import { createRateLimiter, type AddressUsages, type RateLimiter } from '../rate-limit/index.ts'
import type { Trace } from './trace.ts'

const limiterKeys = ['rateLimitAlgorithm', 'rateLimitScope', 'rateLimitHeaders', 'rateLimitedRequestsCount'] as const

/**
 * Reports the variants under which the limiter would have decided differently. A decision depends on earlier requests,
 * so a second limiter for each variant gets the same requests.
 */
export const traceRateLimiter = (
  limiter: RateLimiter,
  current: () => Assumptions,
  addressUsages: (alternative: string) => AddressUsages,
  trace: Trace,
): RateLimiter => {
  const changesLimiter = ({ changes }: Variant) => limiterKeys.some((key) => Object.hasOwn(changes, key))
  const shadows = trace
    .variantsTo(current())
    .filter(changesLimiter)
    .map((variant) => ({
      variant,
      limiter: createRateLimiter(
        limiter.limit,
        () => trace.valuesUnder(variant, current()),
        addressUsages(`${variant.alternative.key}=${variant.alternative.value}`),
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
      const { rateLimitStatus } = current()
      const statuses = decision.passes
        ? []
        : trace
            .variantsTo(current())
            .filter((variant) => trace.valuesUnder(variant, current()).rateLimitStatus !== rateLimitStatus)
      trace.differs([...different.map(({ variant }) => variant), ...statuses])
      return decision
    },
    state: () => limiter.state(),
    restore(state) {
      limiter.restore(state)
      for (const shadow of shadows) shadow.limiter.restore({ ...state, usages: new Map(), countedBy: '' })
    },
  }
}

import { alternativesTo, processWideTrace, type Alternative, type Assumptions } from '../assumptions/index.ts'
import { createRateLimiter, type AddressUsages, type RateLimiter } from '../rate-limit/index.ts'

const decisive: ReadonlySet<string> = new Set([
  'rateLimitAlgorithm',
  'rateLimitScope',
  'rateLimitHeaders',
  'rateLimitedRequestsCount',
])

/** A limiter that says, where somebody listens to the trace, under which other values it would have decided otherwise. */
export interface TracedRateLimiter extends RateLimiter {
  /** Of the last request; of a rejected one that nobody traces, all values of the rate limit. */
  dependsOn(): readonly Alternative[]
}

/**
 * Compares a limiter with others. A decision depends on earlier requests, so a second limiter for each other value gets the
 * same requests, and counts by address apart. There are none where nobody listens when the guild is created.
 */
export const traceRateLimiter = (
  limiter: RateLimiter,
  current: () => Assumptions,
  byAddress: AddressUsages,
): TracedRateLimiter => {
  const others = processWideTrace() ? alternativesTo(current()).filter(({ key }) => decisive.has(key)) : []
  const shadows = others.map((alternative) => {
    const { key, value } = alternative
    const assumptions = () => ({ ...current(), [key]: value })
    const apart = { ...byAddress, of: (kind: string) => byAddress.of(`${key}=${value} ${kind}`) }
    return { alternative, limiter: createRateLimiter(limiter.limit, assumptions, apart) }
  })
  let last: readonly Alternative[] = []
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
      const isListed = ({ key }: Alternative) =>
        key === 'rateLimitStatus' || (shadows.length === 0 && decisive.has(key))
      last = [
        ...different.map(({ alternative }) => alternative),
        ...(decision.passes ? [] : alternativesTo(current()).filter(isListed)),
      ]
      return decision
    },
    dependsOn: () => last,
    state: () => limiter.state(),
    restore(state) {
      limiter.restore(state)
      for (const shadow of shadows) shadow.limiter.restore({ ...state, usages: new Map(), countedBy: '' })
    },
  }
}

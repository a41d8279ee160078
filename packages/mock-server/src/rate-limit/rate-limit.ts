import { check, describeRange, integer } from '@guild-ledger/validation'
import type { Assumptions } from '../assumptions/values.ts'
import { checkedValue } from '../type-error.ts'
import { algorithms, type Quota, type Usage } from './algorithms.ts'

/** Requests per second, or no limit at all. */
export type RateLimit = number | 'off'

interface Caller {
  readonly keyId: string
  readonly address: string | undefined
}

/** What was used, by what the scope counts: key, guild or address. */
export type Usages = Map<string, Usage>

interface LimiterState {
  readonly limit: RateLimit
  readonly countedBy: string
  readonly usages: ReadonlyMap<string, Usage>
}

const toSeconds = (ms: number): number => Math.ceil(ms / 1000)

type HeaderStyle = (quota: Quota, limit: number, passes: boolean, now: number) => Record<string, string>

const headerStyles: Readonly<Record<Assumptions['rateLimitHeaders'], HeaderStyle>> = {
  'retry-after': ({ waitMs }, _limit, passes) => (passes ? {} : { 'retry-after': String(toSeconds(waitMs)) }),
  none: () => ({}),
  // As GitHub sends them: the reset is a time, in seconds since 1970.
  'x-ratelimit': ({ remaining, fullMs }, limit, _passes, now) => ({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(toSeconds(now + fullMs)),
  }),
  // As in the IETF draft "RateLimit header fields for HTTP": the reset is a number of seconds.
  ratelimit: ({ remaining, fullMs }, limit) => ({
    ratelimit: `"default";r=${remaining};t=${toSeconds(fullMs)}`,
    'ratelimit-policy': `"default";q=${limit};w=1`,
  }),
}

const noHeaders: Readonly<Record<string, string>> = {}

const counterOf: Readonly<Record<Assumptions['rateLimitScope'], (caller: Caller) => string>> = {
  key: ({ keyId }) => keyId,
  guild: () => 'guild',
  // Adapters without a network share one address.
  address: ({ address }) => address ?? 'in process',
}

const maxLimit = 1_000_000
export const rateLimitCheck = check(
  (value) => value === 'off' || integer(1, maxLimit).accepts(value),
  `${describeRange('an integer', 1, maxLimit)}, or 'off'`,
)

/** The message of a rate-limited request. The spec has none, so this one names its origin. */
export const rateLimitMessage = (limit: RateLimit): string =>
  `Too Many Requests - simulated by the mock: the limit is ${limit} requests per second`

export type RateLimiter = ReturnType<typeof createRateLimiter>

/**
 * Counts requests against a limit as the current assumptions say. Guilds that are given the same `byAddress` share what an
 * address uses, as far as they have the same limit.
 */
export const createRateLimiter = (initial: RateLimit, current: () => Assumptions, byAddress: Usages = new Map()) => {
  let usages: Usages = new Map()
  let limit = initial
  let countedBy = ''

  /** What one algorithm keeps for one scope means nothing to the others. */
  const countBy = (algorithmAndScope: string): void => {
    if (algorithmAndScope === countedBy) return
    countedBy = algorithmAndScope
    usages.clear()
  }

  return {
    get limit(): RateLimit {
      return limit
    },
    set limit(value) {
      limit = checkedValue(rateLimitCheck, 'rateLimit', value)
      usages.clear() // usage is counted in units of the old limit
      byAddress.clear()
    },
    /** Counts a request. `retryAfterMs` is what the response says, if it was rejected and the response says it. */
    admit(caller: Caller, now: number) {
      if (limit === 'off') return { passes: true, headers: noHeaders, retryAfterMs: undefined }
      const { rateLimitAlgorithm, rateLimitScope, rateLimitHeaders, rateLimitedRequestsCount } = current()
      const { quota, count } = algorithms[rateLimitAlgorithm]
      countBy(`${rateLimitAlgorithm} ${rateLimitScope}`)
      const counter = `${rateLimitAlgorithm} ${limit} ${counterOf[rateLimitScope](caller)}`
      const counted = rateLimitScope === 'address' ? byAddress : usages
      const before = counted.get(counter) ?? []
      const passes = quota(before, limit, now).waitMs <= 0
      const after = passes || rateLimitedRequestsCount ? count(before, limit, now) : before
      counted.set(counter, after)
      const left = quota(after, limit, now)
      const headers = headerStyles[rateLimitHeaders](left, limit, passes, now)
      const hasRetryAfter = !passes && rateLimitHeaders === 'retry-after'
      return { passes, headers, retryAfterMs: hasRetryAfter ? toSeconds(left.waitMs) * 1000 : undefined }
    },
    /** The limit and its use, for `restore`; not the use by address, which all guilds share. */
    state: (): LimiterState => ({ limit, countedBy, usages: new Map(usages) }),
    restore(state: LimiterState): void {
      ;({ limit, countedBy } = state)
      usages = new Map(state.usages)
    },
  }
}

import { inWords } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/index.ts'
import { algorithms, type Quota, type Usage } from './algorithms.ts'

/** Requests a second, or no limit at all. */
export type RateLimit = number | 'off'

/** Whose request it is. */
interface Caller {
  readonly keyId: string
  /** Network address, where the request came over a network. */
  readonly address: string | undefined
}

/** What the limit says to a request. */
interface Verdict {
  readonly passes: boolean
  /** Headers of the reply, whichever reply that is. */
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds after which a refused request would pass, if the refusal tells so. */
  readonly retryAfterMs?: number
}

/** The rate limit of one guild. Spec: Limits. */
export interface RateLimiter {
  limit: RateLimit
  /** Counts a request. */
  admit(caller: Caller, now: number): Verdict
  /** All that is remembered. */
  state(): LimiterState
  restore(state: LimiterState): void
}

/** How much of the limit is used, by what the scope counts: key, guild or address. */
interface LimiterState {
  readonly limit: RateLimit
  readonly countedBy: string
  readonly usages: ReadonlyMap<string, Usage>
}

const inSeconds = (ms: number): number => Math.ceil(ms / 1000)

type HeaderStyle = (quota: Quota, limit: number, passes: boolean, now: number) => Record<string, string>

const headerStyles: Readonly<Record<Assumptions['rateLimitHeaders'], HeaderStyle>> = {
  'retry-after': ({ waitMs }, _limit, passes) => (passes ? {} : { 'retry-after': String(inSeconds(waitMs)) }),
  none: () => ({}),
  // As GitHub has them: the reset is a time, in seconds since 1970.
  'x-ratelimit': ({ remaining, fullMs }, limit, _passes, now) => ({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(inSeconds(now + fullMs)),
  }),
  // As the IETF draft "RateLimit header fields for HTTP" has them: the reset is a number of seconds.
  ratelimit: ({ remaining, fullMs }, limit) => ({
    ratelimit: `"default";r=${remaining};t=${inSeconds(fullMs)}`,
    'ratelimit-policy': `"default";q=${limit};w=1`,
  }),
}

const counted: Readonly<Record<Assumptions['rateLimitScope'], (caller: Caller) => string>> = {
  key: ({ keyId }) => keyId,
  guild: () => 'guild',
  // Doors that have no network behind them share one address.
  address: ({ address }) => address ?? 'in process',
}

/**
 * Takes a rate limit if it is one.
 *
 * @throws {TypeError} It is neither a whole number of at least 1 nor `'off'`.
 */
export const checkedRateLimit = (limit: RateLimit): RateLimit => {
  if (limit === 'off' || (Number.isSafeInteger(limit) && limit >= 1 && limit <= 1_000_000)) return limit
  throw new TypeError(
    `rateLimit must be a whole number of requests a second from 1 to 1000000, or 'off', not ${inWords(limit)}.`,
  )
}

/** What a refused request is told. The service's own words are not shown, so these say where they come from. */
export const refusalMessage = (limit: RateLimit): string =>
  `Too Many Requests - simulated by the mock: the limit is ${limit} requests per second`

// So many keys, guilds or addresses are remembered without a look at whether they matter.
const fewest = 1000

/** Counts requests against a limit as the assumptions in force say. */
export const createRateLimiter = (initial: RateLimit, inForce: () => Assumptions): RateLimiter => {
  const open: Verdict = { passes: true, headers: {} }
  let usages = new Map<string, Usage>()
  let limit = initial
  let countedBy = ''
  let roomFor = fewest

  /** What one algorithm remembers for one scope means nothing to others. */
  const countBy = (way: string): void => {
    if (way === countedBy) return
    countedBy = way
    usages.clear()
  }

  /** Forgets those whose last requests no longer matter, once there are many: addresses come and go for days. */
  const makeRoom = (isFull: (usage: Usage) => boolean): void => {
    if (usages.size < roomFor) return
    for (const [whose, usage] of usages) if (isFull(usage)) usages.delete(whose)
    roomFor = Math.max(fewest, 2 * usages.size)
  }

  return {
    get limit() {
      return limit
    },
    set limit(value) {
      limit = checkedRateLimit(value)
      usages.clear() // usage is kept in units of the old limit
    },
    admit(caller, now) {
      if (limit === 'off') return open
      const { rateLimitAlgorithm, rateLimitScope, rateLimitHeaders, refusalsCount } = inForce()
      const { quota, count } = algorithms[rateLimitAlgorithm]
      countBy(`${rateLimitAlgorithm} ${rateLimitScope}`)
      const whose = counted[rateLimitScope](caller)
      const before = usages.get(whose) ?? []
      const passes = quota(before, limit, now).waitMs <= 0
      const after = passes || refusalsCount ? count(before, limit, now) : before
      const full = limit
      makeRoom((usage) => quota(usage, full, now).fullMs <= 0)
      usages.set(whose, after)
      const left = quota(after, limit, now)
      const headers = headerStyles[rateLimitHeaders](left, limit, passes, now)
      const tells = !passes && rateLimitHeaders === 'retry-after'
      return { passes, headers, ...(tells && { retryAfterMs: inSeconds(left.waitMs) * 1000 }) }
    },
    state: () => ({ limit, countedBy, usages: new Map(usages) }),
    restore(state) {
      ;({ limit, countedBy } = state)
      usages = new Map(state.usages)
    },
  }
}

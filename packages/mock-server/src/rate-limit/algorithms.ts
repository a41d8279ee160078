import type { Assumptions } from '../assumptions/values.ts'

/** What a limiter keeps for one key, guild or address. It is never changed, only replaced. */
export type Usage = readonly number[]

/** What is left of the limit at one moment. */
export interface Quota {
  /** Requests that may still pass now. */
  readonly remaining: number
  /** Milliseconds until the next one may pass; 0 if one may pass now. */
  readonly waitMs: number
  /** Milliseconds until as many may pass as ever at once. */
  readonly fullMs: number
}

/** One way of counting a second, as pure functions of the usage and the time. */
export interface Algorithm {
  readonly quota: (usage: Usage, limit: number, now: number) => Quota
  /** The usage once a request has been counted. */
  readonly count: (usage: Usage, limit: number, now: number) => Usage
}

const secondMs = 1000

/** Usage: when the last requests were counted, as many as the limit; each matters for a second. */
const slidingWindow: Algorithm = {
  quota(usage, limit, now) {
    const within = usage.filter((at) => at > now - secondMs)
    const blocking = within.at(-limit)
    const wait = (at: number | undefined) => (at === undefined ? 0 : at + secondMs - now)
    return { remaining: limit - within.length, waitMs: wait(blocking), fullMs: wait(within.at(-1)) }
  },
  count: (usage, limit, now) => [...usage, now].slice(-limit),
}

/** Usage: the second of the clock, and how many requests were counted in it. */
const fixedWindow: Algorithm = {
  quota([window, counted = 0], limit, now) {
    const current = Math.floor(now / secondMs)
    const used = window === current ? Math.min(counted, limit) : 0
    const left = (current + 1) * secondMs - now
    return { remaining: limit - used, waitMs: used < limit ? 0 : left, fullMs: used === 0 ? 0 : left }
  },
  count([window, counted = 0], _limit, now) {
    const current = Math.floor(now / secondMs)
    return [current, window === current ? counted + 1 : 1]
  },
}

// It counts in thousandths of a request, so that milliseconds give integers and nothing is lost to rounding.

// An unused bucket is fuller than any limit.
const unusedLevel = Number.MAX_SAFE_INTEGER

/** Usage: when a token was last taken, and how full the bucket was then. */
const tokenBucket: Algorithm = {
  quota([then = 0, level = unusedLevel], limit, now) {
    const tokens = Math.min(limit * secondMs, level + Math.max(0, now - then) * limit)
    return {
      remaining: Math.floor(tokens / secondMs),
      waitMs: Math.max(0, secondMs - tokens) / limit,
      fullMs: (limit * secondMs - tokens) / limit,
    }
  },
  count([then = 0, level = unusedLevel], limit, now) {
    const tokens = Math.min(limit * secondMs, level + Math.max(0, now - then) * limit)
    return [now, Math.max(0, tokens - secondMs)]
  },
}

/** Usage: when the last request was counted. As nginx limits without `burst`. */
const leakyBucket: Algorithm = {
  quota([last = -Infinity], limit, now) {
    // In thousandths of a request, as above.
    const leaked = Math.max(0, now - last) * limit
    const waitMs = Math.max(0, secondMs - leaked) / limit
    return { remaining: waitMs > 0 ? 0 : 1, waitMs, fullMs: waitMs }
  },
  count: (_usage, _limit, now) => [now],
}

export const algorithms: Readonly<Record<Assumptions['rateLimitAlgorithm'], Algorithm>> = {
  'sliding-window': slidingWindow,
  'fixed-window': fixedWindow,
  'token-bucket': tokenBucket,
  'leaky-bucket': leakyBucket,
}

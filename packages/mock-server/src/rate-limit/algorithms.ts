import type { Assumptions } from '../assumptions/index.ts'

/** What a limiter remembers of one key, guild or address. It is never changed, only replaced. */
export type Usage = readonly number[]

/** A look at the limit at one moment. */
export interface Quota {
  /** Requests that may still pass now. */
  readonly remaining: number
  /** Milliseconds until the next one may pass; 0 if one may pass now. */
  readonly waitMs: number
  /** Milliseconds until as many as the limit may pass. */
  readonly fullMs: number
}

/** One way of counting a second: all of it a function of what was remembered and of the time. */
export interface Algorithm {
  readonly quota: (usage: Usage, limit: number, now: number) => Quota
  /** What is remembered once a request has been counted. */
  readonly count: (usage: Usage, limit: number, now: number) => Usage
}

const second = 1000

/** Remembers when the last requests were counted, as many as the limit; each is forgotten after a second. */
const slidingWindow: Algorithm = {
  quota(usage, limit, now) {
    const within = usage.filter((at) => at > now - second)
    const blocking = within.at(-limit)
    const wait = (at: number | undefined) => (at === undefined ? 0 : at + second - now)
    return { remaining: limit - within.length, waitMs: wait(blocking), fullMs: wait(within.at(-1)) }
  },
  count: (usage, limit, now) => [...usage, now].slice(-limit),
}

/** Remembers the second of the clock, and how many requests were counted in it. */
const fixedWindow: Algorithm = {
  quota([window, counted = 0], limit, now) {
    const current = Math.floor(now / second)
    const used = window === current ? Math.min(counted, limit) : 0
    const left = (current + 1) * second - now
    return { remaining: limit - used, waitMs: used < limit ? 0 : left, fullMs: used === 0 ? 0 : left }
  },
  count([window, counted = 0], _limit, now) {
    const current = Math.floor(now / second)
    return [current, window === current ? counted + 1 : 1]
  },
}

// Both count in thousandths of a request, so that whole milliseconds give whole numbers and nothing is lost to rounding.

// A bucket nobody has drawn from is fuller than any.
const brimming = Number.MAX_SAFE_INTEGER

/** Remembers how full the bucket was, and when. */
const tokenBucket: Algorithm = {
  quota([then = 0, level = brimming], limit, now) {
    const tokens = Math.min(limit * second, level + Math.max(0, now - then) * limit)
    return {
      remaining: Math.floor(tokens / second),
      waitMs: Math.max(0, second - tokens) / limit,
      fullMs: (limit * second - tokens) / limit,
    }
  },
  count([then = 0, level = brimming], limit, now) {
    const tokens = Math.min(limit * second, level + Math.max(0, now - then) * limit)
    return [now, Math.max(0, tokens - second)]
  },
}

/** Remembers when, by one request each `1 / limit` seconds, the next would be in time: in units of `1 / limit` ms. */
const gcra: Algorithm = {
  quota([due = 0], limit, now) {
    const ahead = Math.max(0, due - now * limit)
    return {
      remaining: Math.floor((limit * second - ahead) / second),
      waitMs: Math.max(0, ahead - (limit - 1) * second) / limit,
      fullMs: ahead / limit,
    }
  },
  count: ([due = 0], limit, now) => [Math.min(Math.max(due, now * limit) + second, (now + second) * limit)],
}

export const algorithms: Readonly<Record<Assumptions['rateLimitAlgorithm'], Algorithm>> = {
  'sliding-window': slidingWindow,
  'fixed-window': fixedWindow,
  'token-bucket': tokenBucket,
  gcra,
}

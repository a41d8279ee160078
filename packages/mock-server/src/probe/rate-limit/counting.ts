/** A request above or below the rate limit: when the service may have counted it, in ms, and whether it was accepted. */
export interface Counted {
  readonly from: number
  readonly to: number
  readonly isAccepted: boolean
}

/** Requests that the rate limit allows in a second. Spec: Limits. */
export const limit = 10
const secondMs = 1000
const tokenMs = secondMs / limit
// Clocks of a service tick in milliseconds, and a path is not always equally long.
const toleranceMs = 20

/**
 * One way of counting requests. Both functions know only bounds of the times, so that `false` proves nothing and `true`
 * proves that a service does not count in this way.
 */
export interface Counting {
  /** Whether more requests were accepted than it allows, whoever else sends requests. */
  acceptsTooMany(counted: readonly Counted[]): boolean
  /** Whether it accepts a request that was rejected, if nobody else sends requests and `rejectsEarly` is false. */
  rejectsTooEarly(counted: readonly Counted[]): boolean
}

const count = (counted: readonly Counted[], matches: (one: Counted) => boolean): number =>
  counted.filter(matches).length
const acceptedOf = (counted: readonly Counted[]): Counted[] => counted.filter(({ isAccepted }) => isAccepted)

/** Groups of requests with more than a second between them: each begins with an unused limit. */
const groupsOf = (counted: readonly Counted[]): Counted[][] => {
  const groups: Counted[][] = []
  let end = -Infinity
  for (const one of counted.toSorted((a, b) => a.from - b.from)) {
    if (one.from > end + secondMs + toleranceMs) groups.push([])
    groups.at(-1)?.push(one)
    end = Math.max(end, one.to)
  }
  return groups
}

/** Whether a group has a rejected request before the limit was used: no way of counting does that. */
export const rejectsEarly = (counted: readonly Counted[]): boolean =>
  groupsOf(counted).some((group) => {
    const first = Math.min(...group.filter(({ isAccepted }) => !isAccepted).map(({ to }) => to))
    return first < Infinity && count(group, ({ isAccepted, from }) => isAccepted && from <= first) < limit
  })

/**
 * Whether a request may have been counted before a rejected one, within a time. Of those that were sent while the rejected
 * one was in flight, and were rejected too, one was the first: it is meant then.
 */
const isBefore =
  (rejected: Counted, withinMs: number) =>
  ({ from, to, isAccepted }: Counted): boolean =>
    (isAccepted || from < rejected.from) && from <= rejected.to && to > rejected.from - withinMs

/** Whether this is true for some accepted requests: all that come between two of them, in ms, and how many there are. */
const someRun = (
  counted: readonly Counted[],
  matches: (from: number, to: number, size: number) => boolean,
): boolean => {
  const accepted = acceptedOf(counted).toSorted((a, b) => a.to - b.to)
  return accepted.some(({ from }) => {
    let size = 0
    return accepted.some((last) => {
      if (last.from >= from) size++
      return last.to >= from && matches(from, last.to, size)
    })
  })
}

/** No more than the limit within any second. */
const slidingWindow = (countsRejected: boolean): Counting => {
  const usesOf = (counted: readonly Counted[]) => (countsRejected ? counted : acceptedOf(counted))
  return {
    acceptsTooMany(counted) {
      const uses = usesOf(counted)
      return someRun(counted, (from, to, size) => {
        if (to - from >= secondMs - toleranceMs) return false
        return size + count(uses, (one) => one.to < from && one.from > to - secondMs + toleranceMs) > limit
      })
    },
    rejectsTooEarly(counted) {
      const uses = usesOf(counted)
      const isBelow = (one: Counted) => count(uses, isBefore(one, secondMs + toleranceMs)) < limit
      return counted.some((one) => !one.isAccepted && isBelow(one))
    },
  }
}

/** As many tokens as the limit, refilled all the time. A rejected request that counts takes what is left of a token. */
const tokenBucket = (countsRejected: boolean): Counting => ({
  acceptsTooMany(counted) {
    const rejected = counted.filter(({ isAccepted }) => !isAccepted)
    return someRun(counted, (from, to, size) => {
      const refilled = (since: number) => Math.max(0, to - since + toleranceMs) / tokenMs
      // A rejected request found less than a token.
      const left = countsRejected ? 0 : 1
      return size > limit + refilled(from) || rejected.some((one) => one.to < from && size > left + refilled(one.from))
    })
  },
  rejectsTooEarly(counted) {
    const uses = countsRejected ? counted : acceptedOf(counted)
    const hasToken = (one: Counted) => {
      const before = uses.filter(isBefore(one, Infinity))
      const sinceLast = one.from - Math.max(...before.map(({ to }) => to))
      if (sinceLast >= tokenMs + toleranceMs) return true
      const taken = before.map(
        ({ to }) => count(before, (other) => other.to >= to) - Math.max(0, one.from - to - toleranceMs) / tokenMs,
      )
      return Math.max(...taken) <= limit - 1
    }
    return counted.some((one) => !one.isAccepted && hasToken(one))
  },
})

/** No more than the limit in each second of a clock that is `phase` ms late. */
const fixedWindowAt = (phase: number): Counting => {
  const windowOf = (time: number) => Math.floor((time - phase) / secondMs)
  const windowsOf = ({ from, to }: Counted) => [windowOf(from - toleranceMs), windowOf(to + toleranceMs)] as const
  return {
    acceptsTooMany(counted) {
      const sizes = new Map<number, number>()
      for (const one of acceptedOf(counted)) {
        const [first, last] = windowsOf(one)
        if (first === last) sizes.set(first, (sizes.get(first) ?? 0) + 1)
      }
      return [...sizes.values()].some((size) => size > limit)
    },
    rejectsTooEarly(counted) {
      const accepted = acceptedOf(counted).map((one) => ({ ...one, windows: windowsOf(one) }))
      const isBelow = (one: Counted) => {
        const [first, last] = windowsOf(one)
        return Array.from({ length: last - first + 1 }, (_, i) => first + i).every(
          (window) =>
            accepted.filter(
              ({ from, windows: [earliest, latest] }) => earliest <= window && window <= latest && from <= one.to,
            ).length < limit,
        )
      }
      return counted.some((one) => !one.isAccepted && isBelow(one))
    },
  }
}

const phaseStepMs = 5
const fixedWindows = Array.from({ length: secondMs / phaseStepMs }, (_, i) => fixedWindowAt(i * phaseStepMs))

/** Each way of counting, and those that differ only in when a second of the service's clock begins. */
export const countings = {
  'sliding-window': { false: [slidingWindow(false)], true: [slidingWindow(true)] },
  'token-bucket': { false: [tokenBucket(false)], true: [tokenBucket(true)] },
  // A rejected request changes nothing: the window is full, and the next one begins empty.
  'fixed-window': { false: fixedWindows, true: fixedWindows },
} as const

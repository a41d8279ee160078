/** The leases of this process and how they end, on its own clock: what it tells Redis, and what it counts itself. */
export interface Leases {
  /** A lease is taken: its request is under way. */
  take(lease: string): void
  /** The request is over and arrives until `at` at the latest; `undefined` if it was not sent at all. */
  end(lease: string, at: number | undefined): void
  held(now: number): number
  readonly underWay: number
  /** When fewer than `slots` of the leases are held, as far as can be told. */
  fewerAt(slots: number, now: number): number
  /** All leases, and for how long from now their requests may arrive. */
  all(now: number, underWayMs: number): [lease: string, arrivesForMs: number][]
}

/** `gapMs` is how long a lease is held after the end of its request. */
export const createLeases = (gapMs: () => number): Leases => {
  const leases = new Map<string, number | undefined>()
  let underWay = 0

  const held = (now: number): number => {
    for (const [lease, until] of leases) {
      if (until !== undefined && until + gapMs() <= now) leases.delete(lease)
    }
    return leases.size
  }

  return {
    take(lease) {
      leases.set(lease, undefined)
      underWay++
    },
    end(lease, at) {
      underWay--
      if (at === undefined) leases.delete(lease)
      else leases.set(lease, at)
    },
    held,
    get underWay() {
      return underWay
    },
    fewerAt(slots, now) {
      const tooMany = held(now) - slots
      if (tooMany < 0) return -Infinity
      const ends = [...leases.values()].map((until) => (until === undefined ? Infinity : until + gapMs()))
      return ends.toSorted((a, b) => a - b)[tooMany] ?? Infinity
    },
    all(now, underWayMs) {
      held(now)
      return Array.from(leases, ([lease, until]) => [lease, until === undefined ? underWayMs : until - now])
    },
  }
}

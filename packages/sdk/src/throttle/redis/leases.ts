/** The leases of this process and how they end, on its own clock: what it reports to Redis, and what it counts itself. */
export interface Leases {
  /** A lease is taken: its request is in flight. */
  take(lease: string): void
  /** The request has ended or was given up, and arrives until `at` at the latest; `undefined` if it was not sent. */
  end(lease: string, at: number | undefined): void
  held(now: number): number
  readonly inFlight: number
  /** Leases of requests that were given up and may still arrive. */
  givenUp(now: number): number
  /** When fewer than `slots` of the leases are held, as far as can be known. */
  fewerAt(slots: number, now: number): number
  /** All leases, and for how long from now their requests may arrive. */
  all(now: number, inFlightMs: number): [lease: string, arrivesForMs: number][]
}

/** `gapMs` is how long a lease is held after the end of its request. */
export const createLeases = (gapMs: () => number): Leases => {
  const leases = new Map<string, number | undefined>()

  const held = (now: number): number => {
    for (const [lease, until] of leases) {
      if (until !== undefined && until + gapMs() <= now) leases.delete(lease)
    }
    return leases.size
  }
  const count = (matches: (until: number | undefined) => boolean) => [...leases.values()].filter(matches).length

  return {
    take(lease) {
      leases.set(lease, undefined)
    },
    end(lease, at) {
      if (at === undefined) leases.delete(lease)
      else if (leases.has(lease)) leases.set(lease, Math.min(at, leases.get(lease) ?? Infinity))
    },
    held,
    get inFlight() {
      return count((until) => until === undefined)
    },
    givenUp: (now) => count((until) => until !== undefined && until > now),
    fewerAt(slots, now) {
      const tooMany = held(now) - slots
      if (tooMany < 0) return -Infinity
      const ends = [...leases.values()].map((until) => (until === undefined ? Infinity : until + gapMs()))
      return ends.toSorted((a, b) => a - b)[tooMany] ?? Infinity
    },
    all(now, inFlightMs) {
      held(now)
      return Array.from(leases, ([lease, until]) => [lease, until === undefined ? inFlightMs : until - now])
    },
  }
}

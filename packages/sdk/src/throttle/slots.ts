import type { Limits } from './pace.ts'

/** The slots of a throttle: held while a request is under way, and for a while after it. Times are the clock's. */
export interface Slots {
  /** When the next request may be sent, as far as can be told: `Infinity` if that hangs on a request under way. */
  opensAt(now: number): number
  /** A request is sent: one slot more is under way. */
  take(now: number): void
  /** The request is over; its slot comes free at `freeAt`. */
  end(freeAt: number): void
  pauseUntil(at: number): void
  held(now: number): number
  readonly underWay: number
  readonly pausedUntil: number
}

export const createSlots = (limits: () => Limits): Slots => {
  // Ends of the slots whose request is over, soonest first.
  const cooling: number[] = []
  let underWay = 0
  let pausedUntil = -Infinity
  let lastSentAt = -Infinity

  const held = (now: number): number => {
    let free = 0
    while (free < cooling.length && (cooling[free] ?? 0) <= now) free++
    if (free > 0) cooling.splice(0, free)
    return underWay + cooling.length
  }

  return {
    opensAt(now) {
      const { slots, spacingMs } = limits()
      const tooMany = held(now) - slots
      const freeAt = tooMany < 0 ? -Infinity : (cooling[tooMany] ?? Infinity)
      return Math.max(freeAt, pausedUntil, spacingMs > 0 ? lastSentAt + spacingMs : -Infinity)
    },
    take(now) {
      underWay++
      lastSentAt = now
    },
    end(freeAt) {
      underWay--
      let place = cooling.length
      while (place > 0 && (cooling[place - 1] ?? 0) > freeAt) place--
      cooling.splice(place, 0, freeAt)
    },
    pauseUntil(at) {
      pausedUntil = Math.max(pausedUntil, at)
    },
    held,
    get underWay() {
      return underWay
    },
    get pausedUntil() {
      return pausedUntil
    },
  }
}

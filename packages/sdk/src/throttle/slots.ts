import type { Limits } from './pace.ts'

/** A slot that is held: by a request in flight, by one that was given up, or for the gap after its end. */
export interface Slot {
  readonly use: 'inFlight' | 'givenUp' | 'ended'
}

/** The slots of a throttle. Times are the clock's. */
export interface Slots {
  /** When the next request may be sent; `reserve` slots are left out of account. */
  opensAt(now: number, reserve?: number): number
  /** Holds a slot for a request sent now, until `freeAt` at the latest. */
  take(now: number, freeAt: number): Slot
  /** Brings the end of a slot forward; a later end than the one known so far changes nothing. */
  end(slot: Slot, use: Exclude<Slot['use'], 'inFlight'>, freeAt: number): void
  pauseUntil(at: number): void
  /** Ends a pause. */
  resume(): void
  held(now: number): number
  count(use: Slot['use']): number
  readonly pausedUntil: number
}

interface HeldSlot extends Slot {
  use: Slot['use']
  freeAt: number
}

export const createSlots = (limits: () => Limits): Slots => {
  // In the order in which they come free.
  const slots: HeldSlot[] = []
  let pausedUntil = -Infinity
  let lastSentAt = -Infinity

  const insert = (slot: HeldSlot): void => {
    let place = slots.length
    while (place > 0 && (slots[place - 1] as HeldSlot).freeAt > slot.freeAt) place--
    slots.splice(place, 0, slot)
  }

  const held = (now: number): number => {
    let free = 0
    while (free < slots.length && (slots[free] as HeldSlot).freeAt <= now) free++
    slots.splice(0, free)
    return slots.length
  }

  return {
    opensAt(now, reserve = 0) {
      const { slots: most, spacingMs } = limits()
      const tooMany = held(now) - Math.max(1, most - reserve)
      const freeAt = tooMany < 0 ? -Infinity : (slots[tooMany] as HeldSlot).freeAt
      return Math.max(freeAt, pausedUntil, lastSentAt + spacingMs)
    },
    take(now, freeAt) {
      const slot: HeldSlot = { use: 'inFlight', freeAt }
      insert(slot)
      lastSentAt = now
      return slot
    },
    end(ended, use, freeAt) {
      // Requests in flight come free last, so the search from the end is short.
      const place = slots.lastIndexOf(ended as HeldSlot)
      const slot = slots[place]
      if (!slot) return
      slot.use = use
      slot.freeAt = Math.min(slot.freeAt, freeAt)
      slots.splice(place, 1)
      insert(slot)
    },
    pauseUntil(at) {
      pausedUntil = Math.max(pausedUntil, at)
    },
    resume() {
      pausedUntil = -Infinity
    },
    held,
    count: (use) => slots.filter((slot) => slot.use === use).length,
    get pausedUntil() {
      return pausedUntil
    },
  }
}

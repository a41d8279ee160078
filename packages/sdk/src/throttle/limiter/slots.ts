import { defaults } from '../../defaults.ts'
import { countDown } from '../clock.ts'
import type { Limits } from './pace.ts'
import { isGivenUp } from './permits.ts'
import type { Clock, Outcome } from '../types.ts'

/**
 * No network delivers a request later than this after its caller has given it up: the one assumption of the throttle.
 * See docs/decisions/throttle-slot-ends-after-response.md.
 */
export const longestDeliveryMs = 10_000

/** For how long from the grant a request may arrive that ends without a word. */
export const arrivesWithin = (attemptTimeoutMs: number = defaults.client.attemptTimeoutMs): number =>
  (attemptTimeoutMs >= 0 && attemptTimeoutMs < Infinity ? attemptTimeoutMs : defaults.client.attemptTimeoutMs) +
  longestDeliveryMs

/** A slot that is held: by a request in flight, by one that was given up, or for the gap after its end. */
export interface Slot {
  use: 'inFlight' | 'givenUp' | 'ended'
  /** When the request was sent, was given up or ended. */
  since: number
  /** `Infinity` as long as that is not known. */
  freeAt: number
  stopCountDown?: () => void
}

/** The slots of a process. `onEnd`: a request that was given up cannot arrive any more. */
export const createSlots = (clock: Clock, onEnd: () => void) => {
  const slots = new Set<Slot>()
  let lastSentAt = -Infinity
  let lastEndedAt = -Infinity
  let roundTripMs = 0

  const held = (now: number): number => {
    for (const slot of slots) if (slot.freeAt <= now) slots.delete(slot)
    return slots.size
  }

  const finish = (slot: Slot, gapMs: number): void => {
    const now = clock.now()
    slot.stopCountDown?.()
    slot.use = 'ended'
    slot.since = now
    slot.freeAt = Math.min(slot.freeAt, now + gapMs)
    lastEndedAt = now
  }

  const giveUp = (slot: Slot, gapMs: number): void => {
    slot.use = 'givenUp'
    slot.since = clock.now()
    const end = (): void => {
      finish(slot, gapMs)
      onEnd()
    }
    // A slot that has an end of its own stands where no timer can be relied on.
    if (slot.freeAt < Infinity) slot.freeAt = Math.min(slot.freeAt, slot.since + longestDeliveryMs + gapMs)
    else slot.stopCountDown = countDown(clock, longestDeliveryMs, end)
  }

  /** When a slot comes free, if its request takes as long as those before, and has ended before `from` if it is late. */
  const expectedEnd = ({ use, since, freeAt }: Slot, { gapMs }: Limits, from: number): number => {
    if (use === 'ended') return freeAt
    return Math.max(from, since + (use === 'inFlight' ? roundTripMs : longestDeliveryMs)) + gapMs
  }

  return {
    /** When the next request may be sent, as far as that is known; `reserve` slots are left out of account. */
    opensAt({ slots: most, gapMs, spacingMs, restMs }: Limits, now: number, reserve = 0): number {
      const tooMany = held(now) - Math.max(1, most - reserve)
      let at = lastSentAt + spacingMs
      if (tooMany >= 0) at = Math.max(at, [...slots].toSorted((a, b) => a.freeAt - b.freeAt)[tooMany]?.freeAt ?? 0)
      if (restMs > 0) {
        const ends = Array.from(slots, ({ freeAt }) => freeAt - gapMs)
        at = Math.max(at, Math.max(lastEndedAt, ...ends) + restMs)
      }
      return Math.min(at, Number.MAX_SAFE_INTEGER) // at `Infinity` no alarm is set, and the process may end
    },
    /** When a call may be sent that so many others precede, if requests take as long as those before; not before `from`. */
    expectedAt(limits: Limits, from: number, ahead: number): number {
      const { slots: most, gapMs, spacingMs, restMs } = limits
      const ends = Array.from(slots, (slot) => expectedEnd(slot, limits, from)).toSorted((a, b) => a - b)
      let at = from
      let sentAt = lastSentAt
      let endedAt = restMs > 0 ? Math.max(lastEndedAt, ...ends.map((end) => end - gapMs)) : -Infinity
      for (let place = 0; place <= ahead; place++) {
        at = Math.max(at, ends[ends.length - most] ?? from, sentAt + spacingMs, endedAt + restMs)
        sentAt = at
        if (restMs > 0) endedAt = at + roundTripMs
        const end = at + roundTripMs + gapMs
        ends.splice(ends.findLastIndex((other) => other <= end) + 1, 0, end)
      }
      return at
    },
    /** Holds a slot for a request sent now: until its end is known, and until `freeAt` at the latest. */
    take(now: number, freeAt = Infinity): Slot {
      const slot: Slot = { use: 'inFlight', since: now, freeAt }
      slots.add(slot)
      lastSentAt = now
      return slot
    },
    /** The request of a slot has ended, or was given up: the slot comes free `gapMs` after it cannot arrive any more. */
    end(slot: Slot, outcome: Outcome, gapMs: number): void {
      if (slot.use === 'ended') return
      if (outcome.kind === 'notSent') {
        slot.freeAt = slot.since
        slot.use = 'ended'
      } else if (isGivenUp(outcome)) giveUp(slot, gapMs)
      else {
        if (slot.use === 'inFlight' && outcome.kind === 'completed') {
          const roundTrip = clock.now() - slot.since
          roundTripMs += (roundTrip - roundTripMs) / (roundTripMs === 0 ? 1 : 8)
        }
        finish(slot, gapMs)
      }
    },
    held,
    count: (use: Slot['use']): number => [...slots].filter((slot) => slot.use === use).length,
  }
}

import type { Settings } from './options.ts'
import type { Pace } from './throttle.ts'

/** What a pace means in slots and milliseconds. */
export interface Limits {
  /** Slots that may be held at once. */
  readonly slots: number
  /** How long a slot stays held after the end of its request. */
  readonly gapMs: number
  /** Least time from one send to the next. */
  readonly spacingMs: number
}

/** Rule R: as many slots as requests are allowed in a window, each held for one window after the end of its request. */
const arrival = ({ slots, windowMs, marginMs }: Settings): Limits => ({
  slots,
  gapMs: windowMs + marginMs,
  spacingMs: 0,
})

/** A limiter that weighs the window before (a sliding counter) accepts no burst next to a burst, but this. */
const spaced = ({ slots, windowMs, marginMs }: Settings): Limits => {
  const fewer = Math.max(1, slots - 1)
  return { slots: fewer, gapMs: windowMs + marginMs, spacingMs: Math.floor(windowMs / fewer) + 1 }
}

/** The one shape that passes every limiter, one without any burst too, whatever the delays. */
const sequential = ({ slots, windowMs, marginMs }: Settings): Limits => ({
  slots: 1,
  gapMs: windowMs / slots + marginMs,
  spacingMs: 0,
})

export const limitsAt: Record<Pace, (settings: Settings) => Limits> = {
  adaptive: arrival,
  arrival,
  spaced,
  sequential,
}

/** From bold to careful. */
export const paces = ['adaptive', 'arrival', 'spaced', 'sequential'] as const satisfies Pace[]

export const nextPace = (pace: Pace): Pace => paces[paces.indexOf(pace) + 1] ?? 'sequential'

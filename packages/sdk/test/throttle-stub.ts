import type { Throttle } from '@guild-ledger/sdk'
import type { Outcome } from '@guild-ledger/sdk/throttle'

/** A throttle that grants each permit after `ms` milliseconds and records how its requests ended. */
export const stubThrottle = (ms = 0): { throttle: Throttle; outcomes: Outcome[] } => {
  const outcomes: Outcome[] = []
  const throttle: Throttle = {
    acquire: async () => {
      if (ms > 0) await new Promise((granted) => setTimeout(granted, ms))
      return { release: (outcome) => void outcomes.push(outcome) }
    },
    pause: () => {},
    reset: () => {},
    estimateMs: () => 0,
    stats: {
      waiting: 0,
      held: 0,
      inFlight: 0,
      givenUp: 0,
      acquired: 0,
      rateLimited: 0,
      pausedForMs: 0,
      pace: 'arrival',
      requestsPerSecond: 10,
    },
  }
  return { throttle, outcomes }
}

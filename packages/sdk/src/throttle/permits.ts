import { graceMs } from './outcome.ts'
import type { Outcome, Pace, Permit } from './throttle.ts'

/** Told how a request went that was sent at `sentAt`, while requests went at `pace`. */
type End = (outcome: Outcome, sentAt: number, pace: Pace) => void

/** Permits that end once, and that are missed when nobody ends them. */
export const createPermits = (end: End): { issue(sentAt: number, pace: Pace): Permit; readonly lost: number } => {
  let lost = 0
  const registry =
    typeof FinalizationRegistry === 'undefined'
      ? undefined
      : new FinalizationRegistry<{ sentAt: number; pace: Pace }>(({ sentAt, pace }) => {
          lost++
          end({ kind: 'abandoned', mayArriveForMs: graceMs }, sentAt, pace)
        })
  return {
    issue(sentAt, pace) {
      const held = { sentAt, pace }
      let open = true
      const permit: Permit = {
        release(outcome) {
          if (!open) return
          open = false
          registry?.unregister(held)
          end(outcome, sentAt, pace)
        },
      }
      registry?.register(permit, held, held)
      return permit
    },
    get lost() {
      return lost
    },
  }
}

import { graceMs } from './outcome.ts'
import type { Outcome, Permit } from './throttle.ts'

/** Issues permits that end once, and notices those that nobody ends. `Held` is what `end` needs to know of one. */
export interface Permits<Held extends object> {
  issue(held: Held): Permit
  /** Permits that were dropped unreleased so far. */
  readonly lost: number
}

export const createPermits = <Held extends object>(end: (outcome: Outcome, held: Held) => void): Permits<Held> => {
  let lost = 0
  const registry =
    typeof FinalizationRegistry === 'undefined'
      ? undefined
      : new FinalizationRegistry<Held>((held) => {
          lost++
          end({ kind: 'abandoned', mayArriveForMs: graceMs }, held)
        })
  return {
    issue(held) {
      let open = true
      const permit: Permit = {
        release(outcome) {
          if (!open) return
          open = false
          registry?.unregister(held)
          end(outcome, held)
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

import { check, isObject, validateValue } from '@guild-ledger/validation'
import { defaults } from '../defaults.ts'
import { invalidOption } from '../errors/index.ts'
import type { Outcome, Permit, Throttle } from './throttle.ts'

/**
 * No network delivers a request later than this after its caller has given it up: the one assumption of the throttle.
 * See docs/decisions/throttle-slot-ends-after-response.md.
 */
const longestDeliveryMs = 10_000

/** How long the request of a permit may be in flight where the caller of `acquire` does not say. */
const defaultAttemptTimeoutMs = defaults.client.attemptTimeoutMs

/** For how long from the grant a request may arrive, whatever is reported of it. */
export const arrivesWithin = (attemptTimeoutMs: number = defaultAttemptTimeoutMs): number =>
  (attemptTimeoutMs >= 0 && attemptTimeoutMs < Infinity ? attemptTimeoutMs : defaultAttemptTimeoutMs) +
  longestDeliveryMs

/** A gateway that responds with 502 or 504 may have passed the request on: it may still arrive. */
const isGivenUp = (outcome: Outcome): boolean =>
  outcome.kind === 'aborted' || (outcome.kind === 'completed' && (outcome.status === 502 || outcome.status === 504))

/** For how long from now the request may still arrive; undefined if it was not sent at all. */
export const mayArriveFor = (outcome: Outcome): number | undefined => {
  if (outcome.kind === 'notSent') return undefined
  return isGivenUp(outcome) ? longestDeliveryMs : 0
}

/** Milliseconds of pause that a response asks for: `Retry-After` of a 429 or 503, else one window after a 429. */
export const pauseAfter = (outcome: Outcome, windowMs: number): number => {
  if (outcome.kind !== 'completed') return 0
  const { status, retryAfterMs = 0 } = outcome
  if (status !== 429 && status !== 503) return 0
  if (retryAfterMs > 0 && retryAfterMs < Infinity) return retryAfterMs
  return status === 429 ? windowMs : 0
}

const isOutcome = ({ kind, status, retryAfterMs }: Partial<Record<'kind' | 'status' | 'retryAfterMs', unknown>>) =>
  kind === 'completed'
    ? typeof status === 'number' && (retryAfterMs === undefined || typeof retryAfterMs === 'number')
    : kind === 'failed' || kind === 'aborted' || kind === 'notSent'

const outcomeCheck = check(
  (value) => isObject(value) && isOutcome(value),
  "{ kind: 'completed', status }, or { kind } with 'failed', 'aborted' or 'notSent'",
)

/** Issues permits and notices those that nobody releases. `Held` is what `end` needs to know of a permit. */
export interface Permits<Held extends object> {
  issue(held: Held): Permit
  /** Permits that were dropped without `release` so far. */
  readonly lost: number
}

/** `end` gets the outcome of each permit, and a second one where a request that was given up has ended after all. */
export const createPermits = <Held extends object>(end: (outcome: Outcome, held: Held) => void): Permits<Held> => {
  let lost = 0
  const registry =
    typeof FinalizationRegistry === 'undefined'
      ? undefined
      : new FinalizationRegistry<Held>((held) => {
          lost++
          end({ kind: 'aborted' }, held)
        })
  return {
    issue(held) {
      let reported: Outcome['kind'] | undefined
      const permit: Permit = {
        release(outcome) {
          validateValue(outcomeCheck, 'outcome', outcome, invalidOption) // first: a wrong call must not use the permit up
          const isBetterKnown = reported === 'aborted' && (outcome.kind === 'completed' || outcome.kind === 'failed')
          if (reported !== undefined && !isBetterKnown) return
          reported = outcome.kind
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

/** Shows a throttle by its figures, in logs and JSON alike. */
export const withInspect = <T extends Throttle>(throttle: T): T =>
  Object.defineProperties(throttle, {
    toJSON: { value: () => throttle.stats },
    [Symbol.for('nodejs.util.inspect.custom')]: {
      value: (_depth: number, options: object, inspect: (value: unknown, options: object) => string) =>
        `Throttle ${inspect(throttle.stats, options)}`,
    },
  })

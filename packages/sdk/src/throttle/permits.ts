import { check, isObject, validateValue } from '@guild-ledger/validation'
import { invalidOption } from '../errors/index.ts'
import type { Outcome, Permit } from './throttle.ts'

/** A gateway that responds with 502 or 504 may have passed the request on: it may still arrive. */
export const isGivenUp = (outcome: Outcome): boolean =>
  outcome.kind === 'aborted' || (outcome.kind === 'completed' && (outcome.status === 502 || outcome.status === 504))

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

/** `end` gets the outcome, and a second one where a request that was given up has ended after all. */
export const createPermit = (end: (outcome: Outcome) => void): Permit => {
  let reported: Outcome['kind'] | undefined
  return {
    release(outcome) {
      validateValue(outcomeCheck, 'outcome', outcome, invalidOption) // first: a wrong call must not use the permit up
      const isBetterKnown = reported === 'aborted' && (outcome.kind === 'completed' || outcome.kind === 'failed')
      if (reported !== undefined && !isBetterKnown) return
      reported = outcome.kind
      end(outcome)
    },
  }
}

import { check, isObject, validateValue } from '@guild-ledger/validation'
import { invalidOption, statusFacts } from '../../errors/index.ts'
import type { Outcome, Permit } from '../types.ts'

/** Whether the service may still receive the request: its caller gave it up, or a gateway did. */
export const isGivenUp = (outcome: Outcome): boolean =>
  outcome.kind === 'aborted' || (outcome.kind === 'completed' && statusFacts(outcome.status).mayArrive)

/** Limiters refuse with these: nginx with 503, web hosts with 508 and 509, overloaded sites with 529. */
const refusals: ReadonlySet<number> = new Set([503, 508, 509, 529])

/** Whether a response is a rate limit while others are answered, else a part of an outage. */
export const mayBeRateLimit = (outcome: Outcome): boolean =>
  outcome.kind === 'completed' && (refusals.has(outcome.status) || outcome.isRefusal === true)

/** Node's `fetch` sends a request that gets a 421 once more by itself. */
const misdirected = 421

/**
 * Milliseconds of pause that a response asks for: `Retry-After` of a rate limit or a 503, else one window after a rate
 * limit, and two windows after requests that were sent twice.
 */
export const pauseAfter = (outcome: Outcome, windowMs: number, isRateLimit: boolean): number => {
  if (outcome.kind !== 'completed') return 0
  const { status, retryAfterMs = 0 } = outcome
  if (status === misdirected) return 2 * windowMs
  if (!isRateLimit && !mayBeRateLimit(outcome)) return 0
  if (retryAfterMs > 0 && retryAfterMs < Infinity) return retryAfterMs
  return isRateLimit ? windowMs : 0
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
export const createPermit = (end: (outcome: Outcome) => boolean): Permit => {
  let reported: Outcome['kind'] | undefined
  return {
    release(outcome) {
      validateValue(outcomeCheck, 'outcome', outcome, invalidOption) // first: a wrong call must not use the permit up
      const isBetterKnown = reported === 'aborted' && (outcome.kind === 'completed' || outcome.kind === 'failed')
      if (reported !== undefined && !isBetterKnown) return false
      reported = outcome.kind
      return end(outcome)
    },
  }
}

import { milliseconds, oneOf, wholeNumber, type Check } from '../checks.ts'
import type { CallOptions } from './settings.ts'

/** Options that a client and each of its calls take. */
export const commonChecks = {
  timeoutMs: milliseconds(1),
  attemptTimeoutMs: milliseconds(1),
  validation: oneOf('strict', 'warn', 'off'),
}

/** Attempts after the first one. */
export const maxRetries = wholeNumber(0, 100)

/** Options of a call. */
export const callChecks: Record<keyof CallOptions, Check> = {
  ...commonChecks,
  maxRetries,
  signal: [(value) => value instanceof AbortSignal, 'an AbortSignal'],
  priority: oneOf('interactive', 'background'),
}

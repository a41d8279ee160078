import type { Outcome } from './throttle.ts'

/** How long a request may still arrive of which nobody tells any more: the default time-out of an attempt. */
export const graceMs = 10_000

/** How long an abandoned request may still arrive. What is no number of milliseconds is taken for the usual one. */
export const mayArriveFor = ({ mayArriveForMs }: Outcome & { kind: 'abandoned' }): number =>
  mayArriveForMs >= 0 && mayArriveForMs < Infinity ? mayArriveForMs : graceMs

/** `Retry-After` counts where it means "too many", beside a 429 or a 503; 0 elsewhere. */
export const pauseAskedFor = ({ status, retryAfterMs = 0 }: Outcome & { kind: 'answered' }): number =>
  (status === 429 || status === 503) && retryAfterMs > 0 && retryAfterMs < Infinity ? retryAfterMs : 0

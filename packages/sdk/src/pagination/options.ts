import { aFunction, hinted, integer, milliseconds, oneOf, type Check } from '@guild-ledger/validation'
import { defaults } from '../defaults.ts'
import type { Operation } from '../operations/index.ts'
import { isTransient } from '../errors/index.ts'
import { callChecks, createCallRetryLog, type CallOptions } from '../transport/index.ts'
import type { BackoffOptions } from './backoff.ts'

/** Something was lost from the result during pagination, or is missing at its end. */
export interface Drift {
  /**
   * `removed`: there is less than before. `replaced`: as much as before, but not the same. `short`: at the end fewer
   * were yielded than the first response counted, or transactions came again though none was added, so that others may
   * have been missed.
   */
  readonly kind: 'removed' | 'replaced' | 'short'
  /** Number of the page at which it was noticed. */
  readonly page: number
  /** How many fewer results there are than at the page before, or are missing at the end: transactions, or users where pages count those. */
  readonly lost: number
  /** The page from which pages were read again to find what had slipped past; undefined if none was. */
  readonly rereadFrom: number | undefined
  /**
   * Whether every page was read again that what slipped past can have moved to, if any. Everything that was there all the
   * time is then yielded, provided that one replica responds and nothing else changed while the pages were read again.
   * False for `pages`, which repairs nothing, for `short`, and once twice as many pages were read again as there are: where
   * things keep vanishing, or counts waver from response to response.
   */
  readonly repaired: boolean
}

/** Options of a paginator, and of each of its calls. */
export interface PaginationOptions extends CallOptions {
  /**
   * Pages in flight. With 1, the next page is requested while the one before is consumed.
   *
   * @default twice as many as the throttle lets pass in a second: 20; at most 32
   */
  readonly concurrency?: number | undefined
  /**
   * What to do if nothing is found: end, or throw the service's "no transactions found" (a `PaginationError` if the
   * service responds with an empty page instead; which of the two it does is unspecified).
   *
   * @default 'end'
   */
  readonly onEmpty?: 'end' | 'throw' | undefined
  /**
   * Called when something is lost from the result or missing at its end. What it throws ends the pagination; what it
   * rejects with is ignored.
   */
  readonly onDrift?: ((drift: Drift) => void) | undefined
  /**
   * Milliseconds for which a page is requested again after a transient failure (connection, 408, 429, 5xx, throttle
   * unavailable), beyond the retries of each call: after up to 1 s, then after twice as long each time, 30 s at most. So a
   * service that is away for minutes does not end the pagination. Counted is what was waited and tried: a computer may
   * sleep meanwhile. `Infinity` is allowed.
   *
   * @default 600000; 0 with priority 'interactive', and where calls are not retried either (`maxRetries` 0, `retry: false`)
   * or without a delay (`retry.baseDelayMs` 0)
   */
  readonly retryForMs?: number | undefined
}

/** Options of `iterate`. */
export interface IterateOptions extends PaginationOptions {
  /**
   * Ends the pagination after so many transactions. `limit` is the page size.
   *
   * @default no end before the last transaction
   */
  readonly maxItems?: number | undefined
}

const finiteWindow = milliseconds(0)
/** For how long something is retried. */
export const retryWindow: Check = hinted(
  { ...finiteWindow, accepts: (value) => value === Infinity || finiteWindow.accepts(value) },
  (value) => (typeof value === 'number' && value > 0 ? 'pass Infinity for no end' : undefined),
)

export const paginationChecks: Record<keyof PaginationOptions, Check> = {
  ...callChecks,
  concurrency: integer(1, 100),
  onEmpty: oneOf('end', 'throw'),
  onDrift: aFunction,
  retryForMs: retryWindow,
}

export const iterateChecks: Record<keyof IterateOptions, Check> = { ...paginationChecks, maxItems: integer(1) }

/** How pages of an operation are requested again. */
export const pageBackoffOf = (
  { retryForMs, priority = 'background', maxRetries }: PaginationOptions,
  { context, endpoint }: Pick<Operation<never, never, never>, 'context' | 'endpoint'>,
): BackoffOptions => {
  const { log, retry: client } = context
  const isPatient = priority === 'background' && (maxRetries ?? client.maxRetries) !== 0 && client.baseDelayMs !== 0
  const forMs = retryForMs ?? (isPatient ? defaults.pagination.retryForMs : 0)
  return { isTransient, baseDelayMs: 1000, maxDelayMs: 30_000, forMs, onRetry: createCallRetryLog(log, endpoint) }
}

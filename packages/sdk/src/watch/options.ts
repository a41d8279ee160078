import { aFunction, anything, checked, milliseconds, type Check } from '../checks.ts'
import { inWords, isDate } from '../contract/index.ts'
import { ConfigurationError, InvalidParameterError } from '../errors/index.ts'
import { callChecks, type CallOptions } from '../transport/index.ts'
import { checkedCheckpoint, type Checkpoint } from './checkpoint.ts'
import { setByWatch } from './look.ts'

/** Options of a watch, beside those of each of its calls. */
export interface WatchOptions extends CallOptions {
  /**
   * Where to begin. `'now'`: with what turns up after the first look. A date, as `Date` or ISO 8601 text:
   * with what was created then or later. A checkpoint: where the watch it is of had come to.
   *
   * @default 'now'
   */
  readonly since?: string | Date | Checkpoint | undefined
  /**
   * Milliseconds between two looks at the ledger.
   *
   * @default 5000
   */
  readonly intervalMs?: number | undefined
  /**
   * How late a transaction may turn up, in milliseconds: one that is older than the newest by more than this when it
   * turns up is not noticed. Each look reads this much again, and the checkpoint holds as much.
   *
   * @default 60000
   */
  readonly overlapMs?: number | undefined
  /**
   * Told of a look that failed in a way that may pass: connection, rate limit, failures inside the service. The watch
   * goes on after `retryInMs`, twice as long each time, five minutes at most. Other errors end it.
   */
  readonly onError?: ((error: Error, next: { readonly retryInMs: number }) => void) | undefined
}

/** Options of a watch, checked and filled in. */
export interface WatchSettings {
  /** Undefined for now, null for the beginning; else milliseconds since 1970. */
  readonly from: number | null | undefined
  readonly seen: readonly string[]
  readonly intervalMs: number
  readonly overlapMs: number
  readonly onError: WatchOptions['onError']
  readonly call: CallOptions
}

/** Options of a watch and of its calls. */
const watchChecks: Record<keyof WatchOptions, Check> = {
  ...callChecks,
  since: anything,
  intervalMs: milliseconds(1),
  overlapMs: milliseconds(0),
  onError: aFunction,
}

const dateOf = (since: Date | string): number => {
  if (isDate(since)) return new Date(since).getTime()
  const allowed =
    "'now', a valid Date, an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z, or a checkpoint"
  throw new ConfigurationError('since', `since must be ${allowed}; got ${inWords(since)}`)
}

const start = (since: WatchOptions['since'], watched: string): Pick<WatchSettings, 'from' | 'seen'> => {
  if (since === undefined || since === 'now') return { from: undefined, seen: [] }
  if (typeof since !== 'object' || since === null || since instanceof Date) return { from: dateOf(since), seen: [] }
  const { from, seen } = checkedCheckpoint(since, watched)
  return { from: from === null ? null : Date.parse(from), seen }
}

/**
 * Checks the options of a watch and fills them in.
 *
 * @throws {ConfigurationError}
 */
export const watchSettings = (options: WatchOptions, watched: string): WatchSettings => {
  const { since, intervalMs = 5000, overlapMs = 60_000, onError, ...call } = checked(watchChecks, options)
  return { ...start(since, watched), intervalMs, overlapMs, onError, call }
}

/**
 * Refuses query parameters that a watch sets itself.
 *
 * @throws {InvalidParameterError}
 */
export const checkFilters = (query: Readonly<Record<string, unknown>>): void => {
  const issues = setByWatch
    .filter((name) => query[name] !== undefined)
    .map((path) => ({ path, expected: 'left out, as a watch sets it itself', received: inWords(query[path]) }))
  if (issues.length > 0) throw new InvalidParameterError(issues)
}

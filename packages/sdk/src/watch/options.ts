import {
  aFunction,
  any,
  boolean,
  check,
  describeValue,
  hinted,
  isDateObject,
  milliseconds,
  quoted,
  validate,
  validateValue,
  type Check,
} from '@guild-ledger/validation'
import { isDate } from '../contract/queries.ts'
import { defaults } from '../defaults.ts'
import { InvalidParameterError, invalidCallOption, invalidOption } from '../errors/index.ts'
import { retryWindow, type Drift } from '../pagination/index.ts'
import { callChecks, type CallOptions } from '../transport/index.ts'
import { checkedCheckpoint, type Checkpoint } from './checkpoint.ts'
import type { Position } from './cursor.ts'
import { parametersSetByWatch } from './poll.ts'

/** Options of a watch, and of each of its calls. */
export interface WatchOptions extends CallOptions {
  /**
   * Where to start. `'now'`: with what appears after the first poll. A date, as `Date` or ISO 8601 string: with what was
   * created then or later. A checkpoint: where the watch it was taken from had got to; `null`, where none is stored yet:
   * the default.
   *
   * @default 'now'
   */
  readonly since?: string | Date | Checkpoint | null | undefined
  /**
   * Milliseconds between two polls. In a process with several watches, a wait is up to a tenth shorter, and the first one
   * of a watch up to half, so that they do not all poll at once.
   *
   * @default 5000
   */
  readonly intervalMs?: number | undefined
  /**
   * How late a transaction may appear, in milliseconds: one that appears later than this after its `createdAt` may be
   * missed. Each poll reads this much again before the newest transaction, and the checkpoint holds as much.
   *
   * @default 60000
   */
  readonly overlapMs?: number | undefined
  /**
   * Called when a request or a poll fails and will be retried, after `retryInMs` at most: after `intervalMs`, then after
   * twice as long each time, five minutes at most, or a little shorter, as `intervalMs` says. Errors of configuration end the watch at once, and so do error responses below
   * 500 other than 408 and 429 before the first good poll; everything else is retried for `retryForMs`. What the callback
   * throws or rejects with is ignored.
   */
  readonly onError?: ((error: Error, next: { readonly retryInMs: number }) => void) | undefined
  /**
   * Called after each good poll, when everything that it yielded was consumed: a moment at which to store the
   * `checkpoint`, and a sign of life. What it throws or rejects with is ignored.
   */
  readonly onPoll?: (() => void) | undefined
  /**
   * Milliseconds without a good poll or a new transaction after which a failing watch ends with its last error. Counted is
   * what was waited and tried since the first failure: a computer may sleep meanwhile. `Infinity`: it never ends for that
   * reason, for a bot that runs for months. 0: the first failure that is left after the retries of its call ends it.
   *
   * @default 3600000
   */
  readonly retryForMs?: number | undefined
  /**
   * Called when something is lost from what a poll reads, such as transactions that are removed meanwhile: see the option of
   * `iterate`. What it throws fails the poll; what it rejects with is ignored.
   */
  readonly onDrift?: ((drift: Drift) => void) | undefined
  /**
   * Whether to continue after everything was yielded that is there. With `false` the watch ends then: with a stored
   * checkpoint as `since` an incremental export that can be resumed at any transaction.
   *
   * @default true
   */
  readonly follow?: boolean | undefined
}

export const watchChecks: Record<keyof WatchOptions, Check> = {
  ...callChecks,
  since: any,
  intervalMs: milliseconds(1),
  overlapMs: milliseconds(0),
  onError: aFunction,
  onPoll: aFunction,
  retryForMs: retryWindow,
  onDrift: aFunction,
  follow: boolean,
}

const expected =
  "'now', a valid Date, an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z, or a checkpoint"
const dateCheck = hinted(quoted(check(isDate, expected)), (value) =>
  /^\s*\{/.test(String(value)) ? 'pass a checkpoint as an object, JSON.parse(text)' : undefined,
)

/** Where a watch starts; undefined for now. */
const startOf = (since: string | Date | Checkpoint, watched: string): Position | undefined => {
  if (since === 'now') return undefined
  if (typeof since !== 'object' || isDateObject(since)) {
    validateValue(dateCheck, 'since', since, invalidOption)
    return { from: new Date(since).getTime(), seen: [] }
  }
  const { from, seen } = checkedCheckpoint(since, watched)
  return { from: from === null ? null : Date.parse(from), seen }
}

/** Validates the options of a watch and fills in defaults. @throws {ConfigurationError} */
export const watchSettings = (options: WatchOptions, watched: string) => {
  const { since, onError, onPoll, follow = true, ...given } = validate(watchChecks, options, invalidCallOption)
  const { intervalMs = defaults.watch.intervalMs, overlapMs = defaults.watch.overlapMs, ...more } = given
  const { retryForMs = defaults.watch.retryForMs, ...call } = more
  return { start: startOf(since ?? 'now', watched), intervalMs, overlapMs, retryForMs, onError, onPoll, follow, call }
}

/** Rejects query parameters that a watch sets itself. @throws {InvalidParameterError} */
export const checkFilters = (query: Readonly<Record<string, unknown>>): void => {
  const issues = parametersSetByWatch
    .filter((name) => query[name] !== undefined)
    .map((path) => {
      const because = path === 'startDate' ? 'begins with the option `since` in the second argument' : 'sets it itself'
      return { path, expected: `left out, as a watch ${because}`, received: describeValue(query[path]) }
    })
  if (issues.length > 0) throw new InvalidParameterError(issues)
}

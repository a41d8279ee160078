import type { LedgerEntry } from '../contract/index.ts'
import { notify } from '../callback.ts'
import type { Operation } from '../endpoints.ts'
import { ApiError, ConfigurationError, InvalidParameterError } from '../errors/index.ts'
import { isTransient, retryDelayMs, type PageRetry, type PaginatedPage } from '../pagination/index.ts'
import { singleUse, type Ended, type Paginator } from '../single-use.ts'
import { isTooLarge, sleep } from '../transport/index.ts'
import type { Checkpoint } from './checkpoint.ts'
import { createCursor, type Cursor } from './cursor.ts'
import { checkFilters, watchSettings, type WatchOptions, type WatchSettings } from './options.ts'
import { createSource, type Filters, type Source } from './poll.ts'

/** New transactions as they appear, until stopped. */
export interface Watch extends Paginator<LedgerEntry> {
  /**
   * Position of the watch, as if the transaction yielded last was processed: store it once it is. It holds what was
   * yielded within `overlapMs`, about 50 bytes for each transaction.
   */
  readonly checkpoint: Checkpoint
}

/** Records all there is as old. */
const beginNow = async (source: Source, overlapMs: number, signal: AbortSignal): Promise<Cursor> => {
  const newest = await source.newest(signal)
  const cursor = createCursor({ from: newest === undefined ? null : newest - overlapMs, seen: [] }, overlapMs)
  for await (const _ of source.poll(cursor, signal, false));
  return cursor
}

const maxDelayMs = 5 * 60_000
/** A watch ends after failing for so long. */
const maxFailingMs = 60 * 60_000

async function* watching(
  source: Source,
  { intervalMs, overlapMs, follow }: WatchSettings,
  retry: PageRetry,
  state: { cursor: Cursor | undefined; hasSucceeded: boolean },
  signal: AbortSignal,
): AsyncGenerator<LedgerEntry, Ended, void> {
  let failures = 0
  let failingSince = 0
  for (let isFirst = state.cursor !== undefined; ; isFirst = false) {
    let waitMs = intervalMs
    if (failures === 0) failingSince = performance.now()
    try {
      const cursor = (state.cursor ??= await beginNow(source, overlapMs, signal))
      for await (const entry of source.poll(cursor, signal, isFirst)) {
        failures = 0
        yield entry
        failingSince = performance.now()
      }
      state.hasSucceeded = true
      if (!follow) return 'complete'
      failures = 0
    } catch (error) {
      if (signal.aborted || !retry.isTransient(error) || performance.now() - failingSince >= maxFailingMs) throw error
      failures++
      waitMs = retryDelayMs(error, failures, intervalMs, maxDelayMs)
      retry.onRetry?.(error as Error, { retryInMs: waitMs })
    }
    await sleep(waitMs, signal)
  }
}

/** What is watched, other than an operation and its filters. */
interface Watched<Query, Own> {
  /** Its name in checkpoints. */
  readonly address: string
  /** Parameters of the operation that are no filters. */
  readonly own: Own
  /** @throws {InvalidParameterError} The filters violate the contract. */
  readonly check: (filters: Query) => void
}

/** A watch of one user is one of the guild with their `platformId`, because only that takes dates. */
export const watch = <Query extends object, Own extends object, Page extends PaginatedPage>(
  operation: Operation<Own & Query, Page>,
  given: Filters<Query>,
  options: WatchOptions,
  { address, own, check }: Watched<Query, Own>,
): Watch => {
  checkFilters({ ...given })
  check(given as Query)
  const filters = { ...given, ...own } as Filters<Own & Query> // as they are now, like the checkpoint
  const known = Object.entries({ ...given }).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(known.map(([name, value]) => [name, String(value)]))
  search.sort()
  const watched = search.size > 0 ? `${address}?${search}` : address
  const settings = watchSettings(options, watched)
  const { start, intervalMs, overlapMs, onError, call } = settings
  const beginning = { from: Date.now(), seen: [] }
  const state = { cursor: start && createCursor(start, overlapMs), hasSucceeded: false }
  const logRetry = operation.transport.retryLog(operation.endpoint)
  const retry: PageRetry = {
    /** Error responses such as 401, 403 and 404 pass more often than not once a poll has succeeded. */
    isTransient(error) {
      if (error instanceof ConfigurationError || error instanceof InvalidParameterError) return false
      return !isTooLarge(error) && (isTransient(error) || state.hasSucceeded || !(error instanceof ApiError))
    },
    baseDelayMs: intervalMs,
    maxDelayMs,
    forMs: maxFailingMs,
    onRetry(error, next) {
      logRetry(error, next)
      notify(onError, error, next)
    },
  }
  const source = createSource(operation, filters, call, retry)
  const run = (signal: AbortSignal) => watching(source, settings, retry, state, signal)
  const paginator = singleUse(run, call.signal, operation.transport.closed, settings.follow)
  const checkpoint = (): Checkpoint => {
    const { from, seen } = state.cursor?.position ?? beginning
    return { version: 1, watched, from: from === null ? null : new Date(from).toISOString(), seen }
  }
  return Object.defineProperty(paginator, 'checkpoint', { get: checkpoint, enumerable: true }) as Watch
}

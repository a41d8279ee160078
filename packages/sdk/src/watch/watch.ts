import type { LedgerEntry } from '../contract/index.ts'
import { singleUse, type Paginator, type PageRetry, type PaginatedPage } from '../pagination/index.ts'
import { sleep } from '../transport/index.ts'
import type { Checkpoint } from './checkpoint.ts'
import { createCursor, type Cursor } from './cursor.ts'
import { checkFilters, watchSettings, type WatchOptions, type WatchSettings } from './options.ts'
import { createSource, type Filters, type Source, type Watchable } from './poll.ts'
import { createWatchRetry, maxFailingMs, pollDelayMs } from './retry.ts'

/** New transactions as they appear, until stopped. */
export interface Watch extends Paginator<LedgerEntry> {
  /**
   * Position of the watch, as if the transaction yielded last was processed. Store it once it is. Undefined before the
   * first poll of a watch since now.
   */
  readonly checkpoint: Checkpoint | undefined
}

/** Records all there is as old. */
const beginNow = async (source: Source, overlapMs: number, signal: AbortSignal): Promise<Cursor> => {
  const newest = await source.newest(signal)
  const from = newest === undefined ? null : newest - overlapMs
  const cursor = createCursor({ from, seen: [], until: Infinity }, overlapMs)
  for await (const { entries } of source.poll(cursor, signal, false)) for (const entry of entries) cursor.add(entry)
  cursor.endPoll()
  return cursor
}

interface State {
  cursor: Cursor | undefined
  hasSucceeded: boolean
}

/** What a poll finds that is new. */
async function* poll(
  source: Source,
  cursor: Cursor,
  signal: AbortSignal,
  eager: boolean,
): AsyncGenerator<LedgerEntry, void, void> {
  for await (const { entries, inOrder } of source.poll(cursor, signal, eager)) {
    for (const entry of entries) {
      const isNew = cursor.isNew(entry)
      cursor.add(entry)
      if (isNew) yield entry
    }
    if (inOrder) cursor.advance()
  }
  cursor.endPoll()
}

async function* watching(
  source: Source,
  { intervalMs, overlapMs, follow }: WatchSettings,
  retry: PageRetry,
  state: State,
  signal: AbortSignal,
): AsyncGenerator<LedgerEntry, void, void> {
  let failures = 0
  let failingSince = 0
  for (let isFirst = state.cursor !== undefined; ; isFirst = false) {
    let waitMs = intervalMs
    if (failures === 0) failingSince = performance.now()
    try {
      const cursor = (state.cursor ??= await beginNow(source, overlapMs, signal))
      for await (const entry of poll(source, cursor, signal, isFirst)) {
        failures = 0
        yield entry
        failingSince = performance.now()
      }
      state.hasSucceeded = true
      if (!follow) return
      failures = 0
    } catch (error) {
      if (signal.aborted || !retry.isTransient(error) || performance.now() - failingSince >= maxFailingMs) throw error
      failures++
      waitMs = pollDelayMs(error, failures, intervalMs)
      retry.onRetry?.(error as Error, { retryInMs: waitMs })
    }
    await sleep(waitMs, signal)
  }
}

/** `address` names what is watched, for the checkpoint. */
export const watch = <Query extends object, Page extends PaginatedPage>(
  operation: Watchable<Query, Page>,
  given: Filters<Query>,
  options: WatchOptions,
  address: string,
): Watch => {
  checkFilters({ ...given })
  operation.check(given as Query)
  const filters = { ...given } // as they are now: what the checkpoint says is what is watched
  const known = Object.entries(filters).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(known.map(([name, value]) => [name, String(value)]))
  search.sort()
  const watched = search.size > 0 ? `${address}?${search}` : address
  const settings = watchSettings(options, watched)
  const { start, intervalMs, overlapMs, onError, call } = settings
  const state: State = { cursor: start && createCursor(start, overlapMs), hasSucceeded: false }
  const retry = createWatchRetry(intervalMs, [operation.logRetry, onError], () => state.hasSucceeded)
  const source = createSource(operation, filters, call, retry)
  return {
    ...singleUse((signal) => watching(source, settings, retry, state, signal), call.signal),
    get checkpoint(): Checkpoint | undefined {
      if (!state.cursor) return undefined
      const { from, seen, until } = state.cursor.position
      const format = (time: number) => new Date(time).toISOString()
      return {
        version: 1,
        watched,
        from: from === null ? null : format(from),
        seen,
        ...(Number.isFinite(until) && { until: format(until) }),
      }
    },
  }
}

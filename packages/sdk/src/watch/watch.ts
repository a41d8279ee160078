import type { LedgerEntry } from '../contract/index.ts'
import { ignoreRejection, notify } from '../callback.ts'
import { ApiError, clientClosed, ConfigurationError, InvalidParameterError, isTransient } from '../errors/index.ts'
import type { Operation } from '../operations/index.ts'
import { createBackoff, type PaginatedPage } from '../pagination/index.ts'
import { iteration, left, type Ended, type Paginator } from '../single-use.ts'
import { createCallRetryLog, isControlFlow, isTooLarge } from '../transport/index.ts'
import type { Checkpoint } from './checkpoint.ts'
import { createCursor, type Cursor, type Dated, type Position } from './cursor.ts'
import { checkFilters, watchSettings, type WatchOptions } from './options.ts'
import { createSource, type Filters, type Source } from './poll.ts'

/** New transactions as they appear, until stopped. */
export interface Watch<Item = LedgerEntry> extends Paginator<Item> {
  /**
   * Position of the watch, as if the transaction yielded last was processed: store it once it is. It holds what was
   * yielded within `overlapMs`, about 50 bytes for each transaction. Before the first poll of a watch since `'now'` it is
   * the time of the call, less `overlapMs`: from there on nothing is missed, and what was created within those `overlapMs`
   * comes, too. That time is one of the service if the client has had a response, as of `verify()`, else of this machine.
   */
  readonly checkpoint: Checkpoint
  /**
   * Resolves after the first good poll: what appears from then on is yielded. Rejects with what ends the watch before
   * that, which is no unhandled rejection. A watch polls once it is iterated.
   */
  readonly ready: Promise<void>
  /**
   * When the last good poll ended, by the clock of this machine; undefined before the first one. A watch is alive as long
   * as this is not much longer ago than `intervalMs`, plus the time that your program takes for a transaction.
   */
  readonly lastPollAt: Date | undefined
}

const maxDelayMs = 5 * 60_000

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
export const watch = <Query extends object, Own extends object, Page extends PaginatedPage, Item extends Dated>(
  operation: Operation<Own & Query, Page, Item>,
  given: Filters<Query>,
  options: WatchOptions,
  { address, own, check }: Watched<Query, Own>,
): Watch<Item> => {
  checkFilters({ ...given })
  check(given as Query)
  const filters = { ...given, ...own } as Filters<Own & Query> // as they are now, like the checkpoint
  const known = Object.entries({ ...given }).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(known.map(([name, value]) => [name, String(value)]))
  search.sort()
  const watched = search.size > 0 ? `${address}?${search}` : address
  const { start, intervalMs, overlapMs, retryForMs, onError, onPoll, call, follow } = watchSettings(options, watched)
  const { context, endpoint, identityOf } = operation
  const calledAt = Date.now()
  const cursorAt = (position: Position) => createCursor(position, overlapMs, identityOf)
  let cursor = start && cursorAt(start)
  let lastPollAt: Date | undefined
  let onReady: (() => void) | undefined
  const logRetry = createCallRetryLog(context.log, endpoint)
  const backoffOptions = {
    /** Error responses such as 401, 403 and 404 pass more often than not once a poll has succeeded. */
    isTransient(error: unknown) {
      if (error instanceof ConfigurationError || error instanceof InvalidParameterError || isControlFlow(error))
        return false
      const hasSucceeded = lastPollAt !== undefined
      return !isTooLarge(error) && (isTransient(error) || hasSucceeded || !(error instanceof ApiError))
    },
    baseDelayMs: intervalMs,
    maxDelayMs,
    forMs: retryForMs,
    onRetry(error: Error, next: { readonly retryInMs: number }) {
      logRetry(error, next)
      notify(onError, error, next)
    },
  }

  /** Records all there is as old. */
  const beginNow = async (source: Source<Item>): Promise<Cursor<Item>> => {
    const newest = await source.newest()
    const begun = cursorAt({ from: newest === undefined ? null : newest - overlapMs, seen: [] })
    for await (const _ of source.poll(begun, false));
    return begun
  }
  async function* run(signal: AbortSignal): AsyncGenerator<Item, Ended, void> {
    const backoff = createBackoff(backoffOptions, signal)
    const source = createSource(operation, filters, call, backoff, signal)
    for (let isFirst = cursor !== undefined; ; isFirst = false) {
      try {
        cursor ??= await beginNow(source)
        for await (const item of source.poll(cursor, isFirst)) {
          backoff.reset()
          yield item
        }
        backoff.reset()
        lastPollAt = new Date()
        onReady?.()
        notify(onPoll)
        if (!follow) return 'complete'
        await backoff.pause(intervalMs)
      } catch (error) {
        await backoff.afterFailure(error)
      }
    }
  }

  const { paginator, onEnd } = iteration(run, call.signal, context.closed, follow)
  let ready: Promise<void> | undefined
  const becomesReady = () => {
    const promise = new Promise<void>((resolve, reject) => {
      onReady = resolve
      if (lastPollAt !== undefined) resolve()
      onEnd((reason) => reject(reason === left && context.closed.aborted ? clientClosed() : reason))
    })
    ignoreRejection(promise) // whoever wants to know of it awaits it
    return promise
  }
  const checkpoint = (): Checkpoint => {
    const beginning = { from: calledAt + context.serviceAheadMs() - overlapMs, seen: [] }
    const { from, seen } = cursor?.position ?? beginning
    return { version: 1, watched, from: from === null ? null : new Date(from).toISOString(), seen }
  }
  return Object.defineProperties(paginator, {
    checkpoint: { get: checkpoint, enumerable: true },
    ready: { get: () => (ready ??= becomesReady()), enumerable: true },
    lastPollAt: { get: () => lastPollAt && new Date(lastPollAt), enumerable: true },
  }) as Watch<Item>
}

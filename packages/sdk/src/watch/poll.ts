import { limits, type LedgerEntry } from '../contract/index.ts'
import {
  batches,
  groupsOf,
  identityOf,
  isNothingFound,
  type Batch,
  type Pageable,
  type PageRetry,
  type PaginatedPage,
} from '../pagination/index.ts'
import { responseOf, type CallOptions, type TransportSettings } from '../transport/index.ts'
import { timestampRange, type Cursor } from './cursor.ts'

/** What a watch needs of an operation. */
export interface Watchable<Query, Page> extends Pageable<Query, Page> {
  /** Whether it takes a `startDate`. */
  readonly takesDates: boolean
  readonly log: TransportSettings['log']
}

/** Query parameters that a watch sets itself. */
export const parametersSetByWatch = ['page', 'limit', 'sortBy', 'sortOrder', 'startDate', 'endDate'] as const

/** A query without the parameters that a watch sets itself. */
export type Filters<Query> = Omit<Query, (typeof parametersSetByWatch)[number]>

interface Added {
  readonly sortBy: 'createdAt'
  readonly sortOrder: 'asc' | 'desc'
  readonly limit?: number
  readonly startDate?: Date | undefined
}

/** Where a watch finds what is new. */
export interface Source {
  /** When the newest transaction was created, as far as one page shows; undefined if there is none. */
  newest(signal: AbortSignal): Promise<number | undefined>
  /** Transactions from the cursor on, and possibly some older ones. `eager` where many are expected. */
  poll(cursor: Cursor, signal: AbortSignal, eager: boolean): AsyncGenerator<Batch, void, void>
}

const createdAt = (entry: { readonly createdAt: string }) => timestampRange(entry.createdAt).earliest
const oldestFirst = (entries: readonly LedgerEntry[]) => entries.toSorted((a, b) => createdAt(a) - createdAt(b))

/** The service's own time at the response behind a page; the local time where it does not say. */
const timeOf = (page: unknown): number => {
  const date = Date.parse(responseOf(page)?.headers.get('date') ?? '')
  return Number.isNaN(date) ? Date.now() : date
}

/** How far ahead of the service's own time a transaction may be dated without a warning. */
const toleratedAheadMs = 60_000

/** Polls in a row that may end with their first page. */
const maxBriefPolls = 11

/**
 * Recognises that a poll finds what the last complete one found, by its first page: the same transactions on it, and the
 * same version of the whole result. Versions of pages that count users say that only with a summary.
 */
const createQuietCheck = () => {
  let complete: string | undefined
  let current: string | undefined
  let briefPolls = 0
  return {
    isQuiet(from: number | null, { page, inOrder }: Batch): boolean {
      if (!page?.version || (!inOrder && !page.version.summary)) return false
      current = JSON.stringify([from, page.version, page.entries.map(identityOf)])
      if (current !== complete || briefPolls === maxBriefPolls) return false
      briefPolls++
      return true
    },
    end() {
      complete = current
      briefPolls = 0
    },
  }
}

/** Binds an operation and filters. */
export const createSource = <Query extends object, Page extends PaginatedPage>(
  operation: Watchable<Query, Page>,
  filters: Filters<Query>,
  call: CallOptions,
  retry: PageRetry,
): Source => {
  // Both operations take these, the one with dates also a date; that the two parts make a query is beyond the compiler.
  const queryOf = (added: Added) => ({ ...filters, ...added }) as Added & Query
  const options: CallOptions = { priority: 'background', ...call }
  const quiet = createQuietCheck()
  let hasWarned = false

  const warnOfFuture = (entries: readonly LedgerEntry[], now: number): void => {
    const ahead = hasWarned ? 0 : Math.max(...entries.map(createdAt))
    if (!(ahead > now + toleratedAheadMs)) return // also if a date cannot be read
    hasWarned = true
    operation.log(
      'warn',
      `A transaction is dated ${new Date(ahead).toISOString()}, later than the service's own time. Until then, every poll requests it.`,
    )
  }

  /** The batches of a query up to the last one. Starts a poll of the cursor; ends after the first page if that is quiet. */
  async function* read(
    query: Added & Query,
    cursor: Cursor,
    signal: AbortSignal,
    eager: boolean,
    isLast: (batch: Batch) => boolean = () => false,
  ): AsyncGenerator<Batch, void, void> {
    const session = { prefetching: eager ? 'immediate' : 'never', retry } as const
    const { from } = cursor.position
    const startedAt = performance.now()
    let now = Infinity
    for await (const batch of batches(operation, query, options, signal, session)) {
      const isFirst = batch.page?.page === limits.minPage
      // The service read its ledger before it dated the response, but after the request was sent.
      if (isFirst) {
        now = timeOf(batch.page?.response)
        cursor.startPoll(now - (performance.now() - startedAt))
      }
      warnOfFuture(batch.entries, now)
      const isQuiet = isFirst && quiet.isQuiet(from, batch)
      yield batch
      if (isQuiet) return
      if (isLast(batch)) break
    }
    quiet.end()
  }

  /** Forwards from a date, a millisecond early because the service may leave out the date itself. */
  async function* fromDate(cursor: Cursor, signal: AbortSignal, eager: boolean): AsyncGenerator<Batch, void, void> {
    const { from } = cursor.position
    const startDate = from === null ? undefined : new Date(from - 1)
    const query = queryOf({ sortBy: 'createdAt', sortOrder: 'asc', startDate })
    for await (const { entries, ...batch } of read(query, cursor, signal, eager)) {
      yield { entries: oldestFirst(entries), ...batch }
    }
  }

  /** Back from the newest, until something is older than the cursor. */
  async function* fromNewest(cursor: Cursor, signal: AbortSignal, eager: boolean): AsyncGenerator<Batch, void, void> {
    const found: LedgerEntry[] = []
    const query = queryOf({ sortBy: 'createdAt', sortOrder: 'desc' })
    const isBehind = ({ entries }: Batch) => entries.some(cursor.isBehind)
    for await (const { entries } of read(query, cursor, signal, eager, isBehind)) found.push(...entries)
    yield { entries: oldestFirst(found), inOrder: false, page: undefined }
  }

  return {
    poll: operation.takesDates ? fromDate : fromNewest,
    async newest(signal) {
      const query = queryOf({ sortBy: 'createdAt', sortOrder: 'desc', limit: limits.maxLimit })
      try {
        return await operation.read(query, { ...options, signal }, (page) => {
          const times = groupsOf(operation, page)
            .flatMap(({ transactions }) => transactions.map(createdAt))
            .filter(Number.isFinite)
          return times.length > 0 ? Math.min(Math.max(...times), timeOf(page)) : undefined
        })
      } catch (error) {
        if (isNothingFound(error, operation)) return undefined
        throw error
      }
    },
  }
}

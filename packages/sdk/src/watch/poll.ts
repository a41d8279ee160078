import type { GuildQuery } from '../contract/index.ts'
import type { Operation } from '../operations/index.ts'
import {
  batchesOf,
  createPageRequests,
  type Backoff,
  type Batch,
  type PaginatedPage,
  type PaginationOptions,
} from '../pagination/index.ts'
import { dateOf, responseOf, type CallOptions } from '../transport/index.ts'
import { timestampRange, type Cursor, type Dated } from './cursor.ts'

/** Query parameters that a watch sets itself. */
export const parametersSetByWatch = ['page', 'limit', 'sortBy', 'sortOrder', 'startDate', 'endDate'] as const

/** A query without the parameters that a watch sets itself. */
export type Filters<Query> = Omit<Query, (typeof parametersSetByWatch)[number]>

const createdAt = (item: Dated) => timestampRange(item.createdAt).earliest
const oldestFirst = <Item extends Dated>(items: readonly Item[]) =>
  items.toSorted((a, b) => createdAt(a) - createdAt(b))

/** The service's own time at the response behind a page; undefined where it does not say. */
const timeOf = ({ page }: Batch<unknown>): number | undefined =>
  dateOf(page?.error?.headers ?? responseOf(page?.response)?.headers)

/** How far ahead of the service's own time a transaction may be dated without a warning. */
const toleratedAheadMs = 60_000
/** The same for the date from which on a watch reads: the service's time is in whole seconds. */
const toleratedClockMs = 2000

/** Polls in a row that may end with their first page. */
const maxBriefPolls = 11

/** Recognises by its first page that a poll finds what the last complete one found: same transactions, same version. */
const createQuietCheck = <Item>(identityOf: (item: Item) => string) => {
  let complete: string | undefined
  let current: string | undefined
  let briefPolls = 0
  return {
    isQuiet(from: number | null, { page, inOrder }: Batch<Item>): boolean {
      if (!page?.version || (!inOrder && !page.summary)) return false
      current = JSON.stringify([from, page.version, page.items.map(identityOf)])
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

/** Where a watch finds what is new: an operation and filters. */
export const createSource = <Query extends object, Page extends PaginatedPage, Item extends Dated>(
  operation: Operation<Query, Page, Item>,
  filters: Filters<Query>,
  call: CallOptions & Pick<PaginationOptions, 'onDrift'>,
  backoff: Backoff,
  signal: AbortSignal,
) => {
  const quiet = createQuietCheck(operation.identityOf)
  const warned = new Set<string>()
  let limit: number | undefined

  /** Reads with the page size that was not too large before. */
  const read = (added: Pick<GuildQuery, 'sortOrder' | 'startDate'>, eager: boolean) => {
    // That the parts make a query of the operation is beyond the compiler.
    const query = { ...filters, sortBy: 'createdAt', ...added, limit } as GuildQuery & Query
    const onLimit = (smaller: number) => void (limit = smaller)
    const prefetching = eager ? 'immediate' : 'never'
    return batchesOf(createPageRequests(operation, query, call, signal, { prefetching, backoff, onLimit }))
  }
  const warnOnce = (about: 'transaction_ahead' | 'clock_ahead', message: string): void => {
    if (!warned.has(about)) operation.context.log('warn', about, message)
    warned.add(about)
  }
  const warnOfFuture = (items: readonly Dated[], now: number): void => {
    const ahead = Math.max(...items.map(createdAt))
    if (!(ahead > now + toleratedAheadMs)) return // also if a date cannot be read
    const date = new Date(ahead).toISOString()
    const message = `A transaction is dated ${date}, later than the service's own time. Until then, every poll requests it.`
    warnOnce('transaction_ahead', message)
  }
  const warnOfClock = (from: number | null, now: number): void => {
    if (from === null || from <= now + toleratedClockMs) return
    const seconds = Math.round((from - now) / 1000)
    const message = `The watch begins ${seconds} s later than the service's own time, and yields nothing created before. Is the clock of this machine ahead?`
    warnOnce('clock_ahead', message)
  }

  return {
    /** Yields what is new to the cursor, oldest first. The service may leave out a start date, so it reads from before. */
    async *poll(cursor: Cursor<Item>, eager: boolean): AsyncGenerator<Item, void, void> {
      const { from } = cursor.position
      const startDate = from === null ? undefined : new Date(from - 1)
      const startedAt = performance.now()
      let now = Infinity
      let found: Item[] = []
      for await (const batch of read({ sortOrder: 'asc', startDate }, eager)) {
        const isFirst = now === Infinity // page 1 comes again if the pages are read twice
        if (isFirst) {
          const serviceTime = timeOf(batch)
          if (serviceTime !== undefined) warnOfClock(from, serviceTime)
          now = serviceTime ?? Date.now()
          // The service read its ledger before it dated the response, but after the request was sent.
          cursor.startPoll(now - Math.max(0, performance.now() - startedAt))
        }
        warnOfFuture(batch.items, now)
        found.push(...batch.items)
        const isQuiet = isFirst && quiet.isQuiet(from, batch)
        // Where pages count users, older ones may follow: everything is read before it is yielded.
        if (!batch.inOrder && !isQuiet) continue
        for (const item of oldestFirst(found)) if (cursor.add(item)) yield item
        found = []
        if (isQuiet) return
      }
      for (const item of oldestFirst(found)) if (cursor.add(item)) yield item
      cursor.endPoll()
      quiet.end()
    },
    /** When the newest transaction was created, as far as one page shows; undefined if there is none. */
    async newest(): Promise<number | undefined> {
      for await (const batch of read({ sortOrder: 'desc' }, false)) {
        const times = batch.items.map(createdAt).filter(Number.isFinite)
        if (times.length > 0) return Math.min(Math.max(...times), timeOf(batch) ?? Date.now())
      }
      return undefined
    },
  }
}

export type Source<Item extends Dated> = ReturnType<typeof createSource<object, PaginatedPage, Item>>

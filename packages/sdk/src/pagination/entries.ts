import type { LedgerEntry } from '../contract/index.ts'
import { PaginationError } from '../errors/index.ts'
import { backfill, type Reread } from './backfill.ts'
import { createDeduplicator } from './deduplicate.ts'
import type { Drift } from './options.ts'
import { isShrinkage, type OrderedPage } from './ordered-pages.ts'
import { failedAt } from './page-result.ts'
import type { PaginationSession } from './session.ts'
import { createTally } from './tally.ts'

const maxPasses = 100
// Where things keep vanishing, pages that count users never settle; after so many passes that is reported instead.
const maxPassesAfterLoss = 10

const unsettled = () =>
  new PaginationError(
    'pagination_stalled',
    `Pagination does not end: after ${maxPasses} passes through all pages there are still users it has not met. ` +
      'Narrow the query, or try again when less is going on.',
  )

/** Transactions that come together. */
export interface Batch {
  readonly entries: LedgerEntry[]
  /** Whether none of those still to come precedes one of these in the requested order. */
  readonly inOrder: boolean
  /** The page that they come from; undefined for those of pages that were read again. */
  readonly page: OrderedPage<unknown> | undefined
}

/** Reads pages again, up to twice as many as there are and 100 more. */
const createReread = (session: PaginationSession<unknown>): Reread & { pages: number } => {
  let count = 0
  const reread = async (page: number) => {
    if (count >= 2 * reread.pages + 100) return undefined
    count++
    return session.reread(page)
  }
  reread.pages = 0
  return reread
}

/** The transactions of a query, those of a page together. */
export async function* batchesOf<Page>(session: PaginationSession<Page>): AsyncGenerator<Batch, void, void> {
  const { first, onDrift } = session
  const memory = createDeduplicator()
  const reread = createReread(session)
  const tally = createTally(memory, first, onDrift)
  const batch = (entries: LedgerEntry[], page?: OrderedPage<unknown>): Batch => {
    tally.yielded(entries.length)
    return { entries, inOrder: memory.unit === 'transaction', page }
  }
  for (let passes = 1; ; passes++) {
    /** Whether something had vanished before it was known what pages count. */
    let isBackfillDue = false
    let lostAt: Pick<Drift, 'kind' | 'page' | 'lost'> | undefined
    let start: OrderedPage<Page> | undefined
    for await (const result of session.readPages()) {
      start ??= result
      tally.read(result)
      memory.observe(result)
      if (result.isContradicted && result.version?.summary && passes < maxPassesAfterLoss) memory.markChanged()
      const { change: kind, page, lost } = result
      reread.pages = Math.max(reread.pages, result.lastPage)
      if (memory.unit === 'transaction' && (isShrinkage(kind) || isBackfillDue)) {
        const { entries, from, isComplete } = await backfill(result, isBackfillDue, first, memory, reread)
        isBackfillDue = false
        if (isShrinkage(kind)) tally.report({ kind, page, lost, rereadFrom: from, repaired: isComplete })
        yield batch(entries)
      } else if (isShrinkage(kind)) {
        isBackfillDue = true
        memory.invalidate()
        lostAt = { kind, page, lost }
        tally.report({ ...lostAt, rereadFrom: first, repaired: first === 1 })
      }
      yield batch(memory.fresh(result), result)
      if (passes > 1 && memory.isComplete()) return tally.end()
    }
    yield batch(memory.flush())
    if (first > 1 || memory.isDone()) return tally.end()
    if (lostAt && passes >= maxPassesAfterLoss) {
      return tally.report({ ...lostAt, rereadFrom: first, repaired: false })
    }
    if (start && passes === maxPasses) throw failedAt(start, unsettled())
    memory.nextPass()
    tally.nextPass()
  }
}

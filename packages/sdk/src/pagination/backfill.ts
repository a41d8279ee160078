import type { LedgerEntry } from '../contract/index.ts'
import type { Deduplicator } from './deduplicate.ts'
import type { PageResult } from './page-result.ts'
import type { OrderedPage } from './ordered-pages.ts'

/** Reads a page again; undefined once the budget for that is used up. */
export type Reread = (page: number) => Promise<PageResult<unknown> | undefined>

/** What was found on pages that were read again. */
export interface Backfilled {
  readonly entries: LedgerEntry[]
  /** The page that was read again last; undefined if none was. */
  readonly from: number | undefined
  /** Whether nothing else can have slipped past. */
  readonly isComplete: boolean
}

/**
 * Something has vanished, so what was on this page may have moved to one that was read before. Reads the pages before
 * it again, backwards, until one has a transaction yielded before: what was not yielded follows that one. Backwards,
 * because what vanishes meanwhile moves the others the same way. With `toTheFirst` it stops at the first page only.
 */
export const backfill = async (
  current: OrderedPage<unknown>,
  toTheFirst: boolean,
  first: number,
  memory: Deduplicator,
  reread: Reread,
): Promise<Backfilled> => {
  // A transaction that was yielded before and is on this page precedes everything that was not: nothing has slipped past.
  if (!toTheFirst && current.entries.some(memory.knows)) return { entries: [], from: undefined, isComplete: true }
  const found: LedgerEntry[][] = []
  const end = (from: number | undefined, isComplete: boolean): Backfilled => ({
    entries: memory.add(found.toReversed().flat()),
    from,
    isComplete,
  })
  // Where there is no such page any more, those before it may be gone as well.
  const lastKnown = current.count === 0 && current.version ? current.lastPage : current.page
  for (let page = Math.min(current.page - 1, lastKnown); page >= first; page--) {
    const result = memory.mayHaveForgotten(page) ? undefined : await reread(page)
    if (!result) return end(found.length > 0 ? page + 1 : undefined, false)
    found.push(result.entries)
    if (!toTheFirst && result.entries.some(memory.knows)) return end(page, true)
  }
  return end(first, true)
}

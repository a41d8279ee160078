import type { OrderedPage } from './ordered-pages.ts'
import type { PageResult } from './page-result.ts'
import type { Seen } from './seen.ts'

/** What was found on pages that were read again. */
export interface Backfilled {
  readonly pages: readonly PageResult<unknown>[]
  /** Whether nothing else can have slipped past. */
  readonly isComplete: boolean
}

/**
 * What was on this page may have moved to one that was read before: reads those again, backwards, until one has a
 * transaction yielded before. `reread` returns undefined once it was called enough.
 */
export const backfill = async (
  current: OrderedPage<unknown>,
  first: number,
  seen: Seen,
  reread: (page: number) => Promise<PageResult<unknown> | undefined>,
): Promise<Backfilled> => {
  const pages: PageResult<unknown>[] = []
  let result: PageResult<unknown> | undefined = current
  for (let page = current.page - 1; page >= first && !result.entries.some(seen.has); page--) {
    result = await reread(page)
    if (!result) return { pages, isComplete: false }
    pages.unshift(result)
  }
  return { pages, isComplete: true }
}

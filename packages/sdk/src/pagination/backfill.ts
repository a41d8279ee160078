import type { PageResult } from './page-result.ts'
import type { Seen } from './seen.ts'

/** What was found on pages that were read again. */
export interface Backfilled<Page, Item> {
  readonly pages: readonly PageResult<Page, Item>[]
  /** Whether nothing else can have slipped past. */
  readonly isComplete: boolean
}

/**
 * What was on this page may have moved to one that was read before: reads those again, backwards, until one has an
 * item yielded before. `reread` returns undefined once it was called enough.
 */
export const backfill = async <Page, Item>(
  current: PageResult<Page, Item>,
  first: number,
  seen: Pick<Seen<Item>, 'has'>,
  reread: (page: number) => Promise<PageResult<Page, Item> | undefined>,
): Promise<Backfilled<Page, Item>> => {
  const pages: PageResult<Page, Item>[] = []
  let result: PageResult<Page, Item> | undefined = current
  for (let page = current.page - 1; page >= first && !result.items.some(seen.has); page--) {
    result = await reread(page)
    if (!result) return { pages, isComplete: false }
    pages.unshift(result)
  }
  return { pages, isComplete: true }
}

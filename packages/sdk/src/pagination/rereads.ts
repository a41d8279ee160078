import type { PageResult } from './page-result.ts'
import type { Fetched } from './prefetch.ts'
import { isShrinkage, type Change } from './result-version.ts'

/** Requests for pages that were read before: so many for each page, once something seems to have vanished. */
const mostPerPage = 2

/**
 * Reads pages again. While counts only grow, as often as it takes; but a service whose counts waver seems to lose
 * something with every response, and must not multiply the requests.
 */
export const createRereads = <Page, Item>(again: (page: number) => Promise<Fetched<PageResult<Page, Item>>>) => {
  let pages = 0
  let rereads = 0
  let hasShrunk = false
  const left = (): number => (hasShrunk ? mostPerPage * pages - rereads : Infinity)

  return {
    /** How many pages may be read again; below 0 where one too many was. */
    left,
    /** Records a page in its turn. */
    observe({ page, change }: { readonly page: number; readonly change: Change }): void {
      if (page <= pages) rereads++
      pages = Math.max(pages, page)
      hasShrunk ||= isShrinkage(change)
    },
    /** Reads a page again; undefined where none is left. */
    read: async (page: number): Promise<Fetched<PageResult<Page, Item>> | undefined> => {
      if (left() <= 0) return undefined
      rereads++
      return again(page)
    },
  }
}

export type Rereads<Page, Item> = ReturnType<typeof createRereads<Page, Item>>

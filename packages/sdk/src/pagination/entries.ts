import type { LedgerEntry } from '../contract/index.ts'
import { backfill } from './backfill.ts'
import { createExtent } from './extent.ts'
import { orderedPages, type OrderedPage } from './ordered-pages.ts'
import type { PaginatedPage } from './page-result.ts'
import { createRereads } from './rereads.ts'
import { isShrinkage } from './result-version.ts'
import { createSeen } from './seen.ts'
import type { PageRequests } from './page-requests.ts'
import { createTally } from './tally.ts'

/** Where things keep changing, pages that count users never settle; after so many passes what is missing is reported. */
const maxPasses = 20

/** How often pages are read again because counts have grown: a ledger that is read forwards grows at its end. */
const maxChecks = 20

/** Transactions that come together. */
export interface Batch {
  readonly entries: LedgerEntry[]
  /** Whether none of those still to come precedes one of these in the requested order. */
  readonly inOrder: boolean
  /** The page that they come from; undefined for those of pages that were read again. */
  readonly page: OrderedPage<unknown> | undefined
}

/** The transactions of a query, each once, those of a page together. */
export async function* batchesOf<Page extends PaginatedPage>(
  requests: PageRequests<Page>,
): AsyncGenerator<Batch, void, void> {
  const extent = createExtent()
  const seen = createSeen()
  const tally = createTally(requests, extent, seen)
  const rereads = createRereads(requests.again)
  let lossAt: OrderedPage<Page> | undefined
  let readBefore = 0
  /** Whether a pass has come to its end. */
  let isRead = false
  let checks = 0
  /** Only a pagination of the whole result makes another pass where something has vanished. */
  const isWhole = requests.first === 1

  for (let pass = 1; ; pass++) {
    let last = 0
    let isCut = false
    for await (const page of orderedPages(requests, extent, seen, rereads, readBefore)) {
      last = page.page
      tally.observe(page)
      // Counts that have grown may hide that something has vanished.
      const mayLack = isShrinkage(page.change) || (page.change === 'grown' && checks < maxChecks)
      // Where pages count users, nothing moves to the page before in particular: another pass is due.
      const isGroup = extent.unit === 'group'
      const found =
        mayLack && !isGroup ? await backfill(page, requests.first, seen, (one) => rereads.read(one)) : undefined
      if (isShrinkage(page.change)) {
        lossAt = page
        tally.report(page, found?.isComplete ?? isWhole, isGroup && isWhole ? 1 : found?.pages[0]?.page)
      } else if (found && found.pages.length > 0) checks++
      if (found) yield { entries: found.pages.flatMap((one) => tally.take(one)), inOrder: true, page: undefined }
      yield { entries: tally.take(page), inOrder: extent.unit === 'transaction', page }
      isCut = tally.isVoid() && rereads.left() >= page.page
      if (isCut || (pass > 1 && tally.isComplete())) break
      if (isRead && lossAt && rereads.left() < 0) return tally.report(lossAt, false, 1)
    }
    isRead ||= !isCut
    readBefore = Math.max(readBefore, last)
    if (!tally.isVoid() && (!isWhole || tally.isDone() || pass >= maxPasses)) return tally.end()
    if (lossAt && rereads.left() <= 0) return tally.report(lossAt, false, 1)
    tally.nextPass()
  }
}

import { unknownExtent } from './extent.ts'
import type { PageResult, PaginatedPage } from './page-result.ts'
import { beginPass, type OrderedPage, type Pass } from './pass.ts'
import { readInTurn } from './read-in-turn.ts'
import { createRereads } from './rereads.ts'
import { isShrinkage } from './result-version.ts'
import { createSeen, type Seen } from './seen.ts'
import type { PageRequests } from './page-requests.ts'
import { advance, type Accepted } from './step.ts'
import {
  emptyTally,
  isComplete,
  isDone,
  isVoid,
  lossAt,
  shortAtEnd,
  withEndOfPass,
  withMet,
  withNewPass,
  withPage,
} from './tally.ts'

/** Where things keep changing, pages that count groups never settle; after so many passes what is missing is reported. */
const maxPasses = 20

/** How often pages are read again because counts have grown: a ledger that is read forwards grows at its end. */
const maxChecks = 20

/** Items that come together. */
export interface Batch<Item, Page = unknown> {
  readonly items: Item[]
  /** Whether none of those still to come precedes one of these in the requested order. */
  readonly inOrder: boolean
  /** The page that they come from; undefined for those of pages that were read again. */
  readonly page: OrderedPage<Page, Item> | undefined
}

/**
 * What was on this page may have moved to one that was read before: reads those again, backwards, until one has an item
 * yielded before. `reread` returns undefined once it was called enough: something else may have slipped past then.
 */
const backfill = async <Page, Item>(
  current: PageResult<Page, Item>,
  first: number,
  seen: Pick<Seen<Item>, 'has'>,
  reread: (page: number) => Promise<PageResult<Page, Item> | undefined>,
) => {
  const pages: PageResult<Page, Item>[] = []
  let result: PageResult<Page, Item> | undefined = current
  for (let page = current.page - 1; page >= first && !result.items.some(seen.has); page--) {
    result = await reread(page)
    if (!result) return { pages, isComplete: false }
    pages.unshift(result)
  }
  return { pages, isComplete: true }
}

/**
 * The items of a query, each once, those of a page together. Where something has vanished, pages are read again;
 * `isSinglePass`: it is only reported.
 */
export async function* batchesOf<Page extends PaginatedPage, Item>(
  requests: PageRequests<Page, Item>,
  isSinglePass = false,
): AsyncGenerator<Batch<Item, Page>, void, void> {
  const seen = createSeen(requests.identityOf)
  const rereads = createRereads(requests.again)
  let extent = unknownExtent
  let tally = emptyTally
  let vanishedAt: OrderedPage | undefined
  let readBefore = 0
  /** Whether a pass has come to its end. */
  let isRead = false
  let checks = 0
  /** Only a pagination of the whole result makes another pass where something has vanished. */
  const isWhole = requests.first === 1 && !isSinglePass

  /** Records a page, and returns what is new on it. */
  const take = (page: PageResult<Page, Item>): Item[] => {
    const groups = page.groups.filter((items) => !items.some(seen.has)).length
    const items = page.items.filter(seen.add)
    tally = withMet(tally, extent, page, { groups, items: items.length })
    return items
  }
  const report = (page: OrderedPage, repaired: boolean, rereadFrom: number | undefined): void => {
    tally = { ...tally, lost: tally.lost + page.lost }
    requests.onDrift(lossAt(page, repaired, rereadFrom && requests.numberOf(rereadFrom)))
  }
  /** Ends where no page may be read again after something has vanished. */
  const giveUp = (page: OrderedPage): void => {
    const { lost = 0 } = shortAtEnd(tally, extent, requests) ?? {}
    requests.onDrift({ ...lossAt(page, false, 1), lost })
  }

  for (let passes = 1; ; passes++) {
    let last = 0
    let isCut = false
    let pass: Pass<Page, Item> | undefined = beginPass(extent, requests.first, readBefore)
    requests.start(extent.isUndercounted)
    while (pass) {
      const accepted: Accepted<Page, Item> | undefined = await readInTurn(requests, rereads, pass)
      if (!accepted) break
      const { page } = accepted
      const known = seen.size
      extent = accepted.pass.extent
      last = page.page
      tally = withPage(tally, extent, page)
      // Counts that have grown may hide that something has vanished.
      const mayLack = isShrinkage(page.change) || (page.change === 'grown' && checks < maxChecks)
      // Where pages count groups, nothing moves to the page before in particular: another pass is due.
      const isGroup = extent.unit === 'group'
      const found =
        mayLack && !isGroup && !isSinglePass ? await backfill(page, requests.first, seen, rereads.read) : undefined
      if (isShrinkage(page.change)) {
        vanishedAt = page
        report(page, found?.isComplete ?? isWhole, isGroup && isWhole ? 1 : found?.pages[0]?.page)
      } else if (found && found.pages.length > 0) checks++
      if (found) yield { items: found.pages.flatMap(take), inOrder: true, page: undefined }
      yield { items: take(page), inOrder: extent.unit === 'item', page }
      isCut = !isSinglePass && isVoid(tally, extent) && rereads.left() >= page.page
      if (isCut || (passes > 1 && isComplete(tally, extent))) break
      if (isRead && vanishedAt && rereads.left() < 0) return giveUp(vanishedAt)
      pass = advance(accepted, seen.size > known)
    }
    if (isSinglePass) return undefined
    isRead ||= !isCut
    readBefore = Math.max(readBefore, last)
    tally = withEndOfPass(tally, extent)
    if (!isVoid(tally, extent) && (!isWhole || isDone(tally, extent) || passes >= maxPasses)) {
      const short = shortAtEnd(tally, extent, requests)
      return short && requests.onDrift(short)
    }
    if (vanishedAt && rereads.left() <= 0) return giveUp(vanishedAt)
    tally = withNewPass(tally)
  }
}

import { isTooLarge } from '../transport/index.ts'
import { nothingFound } from './failures.ts'
import { saysNoSuchPage, type PageResult, type PaginatedPage } from './page-result.ts'
import { inSmallerPages, isBeyondEnd, isContradicted, mayBeOld, type Pass } from './pass.ts'
import type { Fetched } from './prefetch.ts'
import type { Rereads } from './rereads.ts'
import type { PageRequests } from './page-requests.ts'
import { accept, type Accepted } from './step.ts'

/** Requests a page; once more if it may be old or is empty against its own totals. */
const read = async <Page extends PaginatedPage, Item>(
  requests: PageRequests<Page, Item>,
  rereads: Rereads<Page, Item>,
  pass: Pass<Page, Item>,
): Promise<Fetched<PageResult<Page, Item>>> => {
  const { page, before } = pass
  let now = await requests.take(page, isBeyondEnd(pass))
  if (mayBeOld(pass, now) || isContradicted(pass, now)) now = (await rereads.read(page)) ?? now
  if (!before || now.version || !isContradicted(pass, now)) return now
  // The version of the page before says whether a page that does not exist has vanished.
  const { version, lastPage = 0 } = (await rereads.read(page - 1)) ?? {}
  return version ? { ...now, version, lastPage } : now
}

/**
 * Reads the page whose turn it is, in smaller pages where it is too large, and says what is worth requesting ahead;
 * undefined where there is no such page.
 */
export const readInTurn = async <Page extends PaginatedPage, Item>(
  requests: PageRequests<Page, Item>,
  rereads: Rereads<Page, Item>,
  pass: Pass<Page, Item>,
): Promise<Accepted<Page, Item> | undefined> => {
  const { page, before, readBefore } = pass
  let now: Fetched<PageResult<Page, Item>>
  try {
    now = await read(requests, rereads, pass)
  } catch (error) {
    // Where the total counts items and pages count groups, it has pages that `totalPages` does not have.
    const mayBeMissing = isBeyondEnd(pass) || (before !== undefined && page > before.certainPages)
    if (mayBeMissing && saysNoSuchPage(error)) return undefined
    const factor = isTooLarge(error) ? requests.shrink(page) : 1
    if (factor === 1) throw error
    return readInTurn(requests, rereads, inSmallerPages(pass, requests.first, factor))
  }
  const accepted = accept(pass, now)
  if (!accepted) return undefined
  if (readBefore === 0 && !before && now.count === 0 && requests.needsResults) throw now.error ?? nothingFound(now)
  const { isLast, expected } = accepted.page
  // Earlier passes have shown how many pages there are, whatever the total counts.
  const reach = page < readBefore ? page + Math.max(1, Math.min(readBefore + 1 - page, rereads.left())) : page + 1
  const last = readBefore === 0 ? expected : Math.min(expected, reach)
  if (!isLast) requests.expect(last, accepted.pass.extent.isUndercounted)
  rereads.observe(accepted.page)
  return accepted
}

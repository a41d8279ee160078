import { believed, sizeOf, type Extent } from './extent.ts'
import type { Drift } from './options.ts'
import type { PageRequests } from './page-requests.ts'
import type { PageResult, PaginatedPage } from './page-result.ts'
import { summaryOf, type OrderedPage } from './pass.ts'
import { isShrinkage } from './result-version.ts'

/** What the pages of one pass showed. */
interface PassFacts {
  /** How many groups were on them. More than were met in all: one came again, and another one may have moved before it. */
  readonly groups: number
  /** Whether something changed or came again. */
  readonly isUnstable: boolean
  /** Whether a page was requested before the one before it was received. */
  readonly isUnordered: boolean
  /** Whether a page was empty against its own totals. */
  readonly isContradicted: boolean
  /** Whether others with results followed such a page. */
  readonly hasGap: boolean
}

/** What was met and what changed, in all passes: whether everything was met, and at the end, what is missing. */
export interface Tally {
  readonly pass: PassFacts
  readonly isFirstPass: boolean
  readonly firstPage: OrderedPage | undefined
  /** The last one with results. */
  readonly lastPage: OrderedPage | undefined
  /** How many different items were met. */
  readonly items: number
  /** How many groups. A group is known by any of its items. */
  readonly groups: number
  /** How many results were reported as lost. */
  readonly lost: number
  readonly mostResults: number
  /** Whether the total announces more pages of groups than there are: it counts items, unless more items are met. */
  readonly countsItems: boolean
  /** Whether something has vanished before it was known that pages count items. */
  readonly hasShrunk: boolean
}

const newPass: PassFacts = { groups: 0, isUnstable: false, isUnordered: false, isContradicted: false, hasGap: false }

export const emptyTally: Tally = {
  pass: newPass,
  isFirstPass: true,
  firstPage: undefined,
  lastPage: undefined,
  items: 0,
  groups: 0,
  lost: 0,
  mostResults: 0,
  countsItems: false,
  hasShrunk: false,
}

/** After what happened to the result at a page. */
export const withPage = (tally: Tally, extent: Extent, page: OrderedPage): Tally => {
  const { pass } = tally
  return {
    ...tally,
    pass: {
      groups: pass.groups + page.groups.length,
      hasGap: pass.hasGap || (pass.isContradicted && page.count > 0),
      isContradicted: pass.isContradicted || page.isContradicted,
      isUnordered: pass.isUnordered || page.isUnordered,
      isUnstable: pass.isUnstable || page.change !== 'none',
    },
    firstPage: tally.firstPage ?? page,
    lastPage: page.count > 0 ? page : tally.lastPage,
    hasShrunk: tally.hasShrunk || (isShrinkage(page.change) && extent.unit !== 'item'),
  }
}

/** After a page of which so many groups and items were new. */
export const withMet = (
  tally: Tally,
  extent: Extent,
  { groups, version }: PageResult,
  met: { readonly groups: number; readonly items: number },
): Tally => ({
  ...tally,
  pass: {
    ...tally.pass,
    isUnstable: tally.pass.isUnstable || (tally.isFirstPass ? met.groups < groups.length : met.items > 0),
  },
  items: tally.items + met.items,
  groups: tally.groups + met.groups,
  mostResults: version ? Math.max(tally.mostResults, sizeOf(extent, version)) : tally.mostResults,
})

/** At the end of a pass. */
export const withEndOfPass = (tally: Tally, extent: Extent): Tally => {
  const { lastPage } = tally
  if (!lastPage?.version || summaryOf(extent, lastPage)) return tally
  return { ...tally, countsItems: tally.countsItems || lastPage.page * lastPage.limit < lastPage.version.total }
}

/** At the start of another pass. */
export const withNewPass = (tally: Tally): Tally => ({ ...tally, isFirstPass: false, pass: newPass })

/** Whether another pass has to begin at once: this one may have missed what counts do not show. */
export const isVoid = ({ pass }: Tally, { isUndercounted }: Extent): boolean => isUndercounted && pass.isUnordered

/** Whether as many were met as the service counts, so that there is nobody else. */
export const isComplete = (tally: Tally, { unit, isUndercounted }: Extent): boolean =>
  unit !== 'item' &&
  !tally.hasShrunk &&
  !isUndercounted &&
  (tally.groups >= tally.mostResults || (tally.countsItems && tally.items === tally.mostResults))

/** Whether nothing slipped past in this pass, or another one would not find it: a page that was empty twice stays so. */
export const isDone = (tally: Tally, extent: Extent): boolean =>
  extent.unit === 'item' ||
  isComplete(tally, extent) ||
  !(tally.pass.isUnstable || (tally.pass.isContradicted && tally.isFirstPass) || tally.pass.groups > tally.groups)

/** What has vanished at a page, and from which one pages were read again. */
export const lossAt = (page: OrderedPage, repaired: boolean, rereadFrom: number | undefined): Drift => ({
  kind: page.change as Drift['kind'],
  page: page.number,
  lost: page.lost,
  rereadFrom,
  repaired,
})

/** How many results are missing that the first response counted: neither met nor reported as lost. */
const shortfall = ({ firstPage, items, groups, lost, mostResults }: Tally, extent: Extent, first: number) => {
  if (!firstPage?.version) return 0
  const expected = sizeOf(extent, firstPage.version) - (first - 1) * firstPage.limit - lost
  if (extent.unit !== 'group') return expected - items
  if (summaryOf(extent, firstPage)) return expected - groups
  // A total below the number of items counts groups.
  return first > 1 || extent.isUndercounted ? 0 : expected - (items > mostResults ? groups : items)
}

/** Whether only the summary shows that something is missing, and it may be one of the whole ledger. */
const mayCoverTheLedger = ({ firstPage, items }: Tally, extent: Extent): boolean => {
  if (!firstPage?.version) return false
  const { total, summary } = believed(extent, firstPage.version)
  if (!summary || summary.totalTransactions === total) return false
  return sizeOf(extent, firstPage.version) !== total || items === total
}

/** What is missing at the end, if anything is. */
export const shortAtEnd = (
  tally: Tally,
  extent: Extent,
  { first, isFiltered, numberOf }: Pick<PageRequests<PaginatedPage, unknown>, 'first' | 'isFiltered' | 'numberOf'>,
): Drift | undefined => {
  const { pass, firstPage, lastPage, items, mostResults } = tally
  if (isFiltered && mayCoverTheLedger(tally, extent) && !pass.isUnstable && !pass.hasGap) return undefined
  const missing = Math.max(0, shortfall(tally, extent, first))
  // Without a summary the total may count items where pages count groups: then nothing is missing.
  const countsAreOff = extent.isUndercounted || (items === mostResults && !(firstPage && summaryOf(extent, firstPage)))
  if (missing === 0 && (!pass.isContradicted || (countsAreOff && !pass.hasGap))) return undefined
  const page = lastPage?.number ?? numberOf(first)
  return { kind: 'short', page, lost: missing, rereadFrom: undefined, repaired: false }
}

import type { LedgerEntry } from '../contract/index.ts'
import type { Extent } from './extent.ts'
import type { Drift } from './options.ts'
import type { OrderedPage } from './ordered-pages.ts'
import type { PageResult, PaginatedPage } from './page-result.ts'
import { isShrinkage } from './result-version.ts'
import type { Seen } from './seen.ts'
import type { PageRequests } from './page-requests.ts'

const newPass = () => ({
  /** Whether something changed or came again. */
  isUnstable: false,
  /** Whether a page was requested before the one before it was received. */
  isUnordered: false,
  /** Whether a page was empty against its own totals. */
  isContradicted: false,
  /** Whether others with results followed such a page. */
  hasGap: false,
})

/** What was met and what changed: whether everything was met, and at the end, what is missing. */
export const createTally = (
  requests: Pick<PageRequests<PaginatedPage>, 'first' | 'isFiltered' | 'numberOf' | 'onDrift'>,
  extent: Extent,
  seen: Seen,
) => {
  let pass = newPass()
  let isFirstPass = true
  let firstPage: OrderedPage<unknown> | undefined
  /** The last one with results. */
  let lastPage: OrderedPage<unknown> | undefined
  /** Where pages count users: those who were met. A user is known by any of their transactions. */
  let users = 0
  let lost = 0
  let mostResults = 0
  /** Whether the total announces more pages of users than there are: it counts transactions. */
  let countsTransactions = false
  /** Whether something has vanished before it was known that pages count transactions. */
  let hasShrunk = false

  const isTransactions = () => extent.unit === 'transaction'
  const hasSummary = (page: OrderedPage<unknown> | undefined) =>
    page?.version !== undefined && extent.believed(page.version).summary !== undefined
  /** Whether as many were met as the service counts, so that there is nobody else. */
  const isComplete = (): boolean =>
    !isTransactions() && !hasShrunk && !extent.isUndercounted && (countsTransactions ? seen.size : users) >= mostResults
  /** How many results are missing that the first response counted: neither met nor reported as lost. */
  const shortfall = (): number => {
    if (!firstPage?.version) return 0
    const expected = extent.sizeOf(firstPage.version) - (requests.first - 1) * firstPage.limit - lost
    if (extent.unit !== 'group') return expected - seen.size
    if (hasSummary(firstPage)) return expected - users
    // A total below the number of transactions that announces no more pages than there are counts users.
    const countsUsers = !countsTransactions && seen.size > mostResults
    return requests.first > 1 || extent.isUndercounted ? 0 : expected - (countsUsers ? users : seen.size)
  }

  /** Whether only the summary shows a loss, and may be one of the whole ledger that has as many users as match. */
  const isChance = (): boolean => {
    if (!requests.isFiltered || !firstPage?.version) return false
    const { total, summary } = extent.believed(firstPage.version)
    if (!summary || summary.totalTransactions === total) return false
    return extent.sizeOf(firstPage.version) !== total || seen.size === total
  }

  return {
    /** Records a page, and returns what is new on it. */
    take({ groups, entries, version }: PageResult<unknown>): LedgerEntry[] {
      if (version) mostResults = Math.max(mostResults, extent.sizeOf(version))
      for (const { platformId, transactions } of groups) {
        const isKnown = transactions.some(({ transactionId }) => seen.has({ platformId, transactionId }))
        if (isKnown) pass.isUnstable ||= isFirstPass
        else users++
      }
      const fresh = entries.filter(seen.add)
      pass.isUnstable ||= !isFirstPass && fresh.length > 0
      return fresh
    },
    /** Records what happened to the result at a page. */
    observe(page: OrderedPage<unknown>): void {
      firstPage ??= page
      if (page.count > 0) lastPage = page
      pass.hasGap ||= pass.isContradicted && page.count > 0
      pass.isContradicted ||= page.isContradicted
      pass.isUnordered ||= page.isUnordered
      pass.isUnstable ||= page.change !== 'none'
      hasShrunk ||= isShrinkage(page.change) && !isTransactions()
    },
    /** Reports that something has vanished at a page, and from which one pages were read again. */
    report(page: OrderedPage<unknown>, repaired: boolean, from: number | undefined): void {
      lost += page.lost
      const rereadFrom = from && requests.numberOf(from)
      requests.onDrift({ kind: page.change as Drift['kind'], page: page.number, lost: page.lost, rereadFrom, repaired })
    },
    nextPass(): void {
      isFirstPass = false
      pass = newPass()
    },
    /** Whether another pass has to begin at once: this one may have missed what counts do not show. */
    isVoid: (): boolean => extent.isUndercounted && pass.isUnordered,
    isComplete,
    /** Whether nothing can have slipped past in this pass, or another one would not find it. */
    isDone(): boolean {
      if (lastPage?.version && !hasSummary(lastPage)) {
        countsTransactions ||= lastPage.page * lastPage.limit < lastPage.version.total
      }
      return isTransactions() || isComplete() || !(pass.isUnstable || pass.isContradicted)
    },
    /** Reports what is missing, if anything is. */
    end(): void {
      if (isChance() && !pass.isUnstable && !pass.hasGap) return
      const missing = Math.max(0, shortfall())
      // Without a summary the total may count transactions where pages count users: then nothing is missing.
      const isWrong = extent.isUndercounted || (seen.size === mostResults && !hasSummary(firstPage))
      const isExplained = !pass.isContradicted || (isWrong && !pass.hasGap)
      if (missing === 0 && isExplained) return
      const page = lastPage?.number ?? requests.numberOf(requests.first)
      requests.onDrift({ kind: 'short', page, lost: missing, rereadFrom: undefined, repaired: false })
    },
  }
}
export type Tally = ReturnType<typeof createTally>

import type { LedgerEntry } from '../contract/index.ts'
import type { Extent } from './extent.ts'
import type { Drift } from './options.ts'
import { isShrinkage, type OrderedPage } from './ordered-pages.ts'
import type { PageResult } from './page-result.ts'
import type { Seen } from './seen.ts'

/** What was met and what changed: whether everything was met, and at the end, what is missing. */
export const createTally = (
  { extent, seen }: { readonly extent: Extent; readonly seen: Seen },
  first: number,
  onDrift: (drift: Drift) => void = () => {},
) => {
  let firstPage: OrderedPage<unknown> | undefined
  let skipped = 0
  /** Where pages count users: those who were met. A user is known by any of their transactions. */
  let users = 0
  let lost = 0
  let lastPage = first
  /** Without a summary: whether the total counts transactions, because it announces more pages of users than there are. */
  let countsTransactions = false
  /** Whether the page read last would not be the last one if the total counted what pages do. */
  let endsEarly = false
  let mostResults = 0
  let isFirstPass = true
  /** Whether something has vanished before it was known that pages count transactions. */
  let hasShrunk = false
  let isUnordered = false
  /** Whether in this pass something changed or came again. */
  let isUnstable = false
  let isContradicted = false
  /** Whether a page stayed empty that others follow. */
  let hasGap = false

  const isTransactions = () => extent.unit === 'transaction'
  /** Results met, in what the service counts. */
  const met = () => (countsTransactions ? seen.size : users)
  /** Whether neither pages nor a summary say what the total counts. */
  const isUnclear = () => extent.unit === undefined && firstPage?.version?.isUnconfirmed === true
  /** Whether as many were met as the service counts, so that there is nobody else. */
  const isComplete = (): boolean =>
    !isTransactions() && !hasShrunk && !extent.isUndercounted && !isUnclear() && met() >= mostResults
  /** How many results are missing that the first response counted: neither met nor reported as lost. */
  const shortfall = (): number => {
    if (!firstPage?.version) return 0
    const { version } = firstPage
    const expected = extent.sizeOf(version) - skipped - lost
    if (extent.unit !== 'group') return Math.max(0, expected - seen.size)
    if (version.summary) return Math.max(0, expected - users)
    // A total below the number of transactions that announces no more pages than there are counts users.
    const countsUsers = !countsTransactions && seen.size > mostResults
    return first > 1 || extent.isUndercounted ? 0 : Math.max(0, expected - (countsUsers ? users : seen.size))
  }

  return {
    /** Records a page, and returns what is new on it. */
    take({ groups, entries }: PageResult<unknown>): LedgerEntry[] {
      for (const { platformId, transactions } of groups) {
        const isKnown = transactions.some(({ transactionId }) => seen.has({ platformId, transactionId }))
        if (isKnown) isUnstable ||= isFirstPass
        else users++
      }
      const fresh = entries.filter(seen.add)
      isUnstable ||= !isFirstPass && fresh.length > 0
      return fresh
    },
    /** Records what happened to the result at a page. */
    observe(page: OrderedPage<unknown>): void {
      if (!firstPage) {
        firstPage = page
        skipped = (first - 1) * page.limit
      }
      const { change, version, limit } = page
      if (page.count > 0) {
        lastPage = page.number
        endsEarly = version !== undefined && !version.summary && page.page * limit < extent.sizeOf(version)
      }
      if (version) mostResults = Math.max(mostResults, extent.sizeOf(version))
      hasGap ||= isContradicted && page.count > 0
      isContradicted ||= page.isContradicted
      isUnordered ||= page.isUnordered
      isUnstable ||= change !== 'none' || page.isContradicted
      hasShrunk ||= isShrinkage(change) && !isTransactions()
    },
    report(drift: Drift): void {
      lost += drift.lost
      onDrift(drift)
    },
    nextPass(): void {
      isFirstPass = false
      isUnordered = isUnstable = isContradicted = hasGap = false
    },
    /** Whether another pass has to begin at once: this one may have missed what counts do not show. */
    isVoid: (): boolean => extent.isUndercounted && isUnordered,
    isComplete,
    /** Whether nothing can have slipped past in this pass, or another one would not find it. */
    isDone(): boolean {
      countsTransactions ||= endsEarly
      return isTransactions() || isComplete() || !isUnstable
    },
    /** Reports what is missing, if anything is. */
    end(): void {
      const missing = shortfall()
      // Without a summary the total may count transactions where pages count users: then nothing is missing.
      const isWrong = extent.isUndercounted || (seen.size === mostResults && !firstPage?.version?.summary)
      const isExplained = !isContradicted || (isWrong && !hasGap)
      if (missing === 0 && isExplained) return
      onDrift({ kind: 'short', page: lastPage, lost: missing, rereadFrom: undefined, repaired: false })
    },
  }
}
export type Tally = ReturnType<typeof createTally>

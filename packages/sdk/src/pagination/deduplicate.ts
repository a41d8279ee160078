import type { LedgerEntry } from '../contract/index.ts'
import { sizeOf } from './extent.ts'
import { isShrinkage, type OrderedPage } from './ordered-pages.ts'
import { identityOf, unitOf, type Unit } from './page-result.ts'
import { createRecentWindow } from './recent-window.ts'
import { createUserTracker } from './user-tracker.ts'

/** Knows what was yielded, remembering as little as the way the service counts pages allows. */
export interface Deduplicator {
  /** What pages count; undefined as long as no page has shown it. */
  readonly unit: Unit | undefined
  /** Users met; only where pages do not count transactions. */
  readonly users: number
  /** Transactions that came again though nothing was added: as many others may have been missed. */
  readonly unexplained: number
  /** Learns from a page what pages count. */
  readonly observe: (page: OrderedPage<unknown>) => void
  /** What is new on a page. */
  readonly fresh: (page: OrderedPage<unknown>) => LedgerEntry[]
  /** What is new on pages that were read again. */
  readonly add: (entries: readonly LedgerEntry[]) => LedgerEntry[]
  readonly knows: (entry: LedgerEntry) => boolean
  readonly mayHaveForgotten: (page: number) => boolean
  /** What was held until the last page was read. */
  readonly flush: () => LedgerEntry[]
  /** Where pages count users: something has vanished, so another pass is due. */
  readonly invalidate: () => void
  /** Where pages count users: this pass has not seen everything. */
  readonly markChanged: () => void
  readonly nextPass: () => void
  /** Where pages count users: whether all of them were met, so that the rest of this pass has nobody else. */
  readonly isComplete: () => boolean
  /** Whether nothing can have slipped past in this pass, or another one would not find it. */
  readonly isDone: () => boolean
}

/** Pages whose transactions are remembered. */
const rememberedPages = 32

/** Of transactions that are the same the first. */
const distinct = (entries: readonly LedgerEntry[]): LedgerEntry[] => {
  const ids = new Set<string>()
  return entries.filter((entry) => ids.size < ids.add(identityOf(entry)).size)
}

/** As long as it is unknown what pages count, both users and transactions are remembered. */
export const createDeduplicator = (): Deduplicator => {
  const users = createUserTracker()
  /** Whether a transaction was met before it was known what pages count. */
  const isEarly = (entry: LedgerEntry) => users.remembers(entry)
  const recent = createRecentWindow(rememberedPages, isEarly)
  let unit: Unit | undefined
  let isFirstPass = true

  /** Whether a user comes again without what they had before: that user's transactions are on several pages. */
  const isSplitByPages = ({ groups, entries }: OrderedPage<unknown>) =>
    groups.some(
      ({ platformId }) =>
        users.knows(platformId) && entries.every((entry) => entry.platformId !== platformId || !isEarly(entry)),
    )

  const freshByUser = (page: OrderedPage<unknown>): LedgerEntry[] => {
    if (page.change !== 'none') users.markChanged()
    if (page.version) recent.observe(page.version)
    const isKnown = unit === 'group' ? ({ platformId }: LedgerEntry) => users.knows(platformId) : isEarly
    const fresh = distinct(page.entries.filter((entry) => !isKnown(entry)))
    users.add(page.groups, page.version ? sizeOf(page.version, 'group', 0) : 0)
    return fresh
  }

  return {
    get unit() {
      return unit
    },
    get users() {
      return users.count
    },
    get unexplained() {
      return isFirstPass ? recent.unexplained : 0
    },
    observe(page) {
      if (unit) return
      unit = unitOf(page) ?? (isSplitByPages(page) ? 'transaction' : undefined)
      if (unit === 'group') users.forgetTransactions()
    },
    fresh(page) {
      if (unit !== 'transaction') return freshByUser(page)
      if (!page.version) return []
      const { total, summary } = page.version
      return recent.take({ ...page, total, summary, isShrunk: isShrinkage(page.change) })
    },
    add: recent.add,
    knows: recent.knows,
    mayHaveForgotten: recent.mayHaveForgotten,
    flush: recent.flush,
    invalidate: users.invalidate,
    markChanged: users.markChanged,
    nextPass() {
      isFirstPass = false
      users.nextPass()
    },
    isComplete: () => unit === 'group' && users.isComplete(),
    isDone: () => unit === 'transaction' || users.isComplete() || users.isStable(),
  }
}

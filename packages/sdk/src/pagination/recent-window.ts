import type { LedgerEntry, Summary } from '../contract/index.ts'
import { identityOf } from './page-result.ts'

/** Remembers the transactions of the last pages, and knows which of a further page were yielded before. */
export interface RecentWindow {
  /** Transactions that came again though nothing was added meanwhile. */
  readonly unexplained: number
  readonly knows: (entry: LedgerEntry) => boolean
  /** Records the version of a page whose transactions are not of interest. */
  readonly observe: (version: Version) => void
  /** Transactions of the next page that are certainly new. Others may be released with a later page. */
  readonly take: (page: Page) => LedgerEntry[]
  /** The new ones among transactions of pages that were read again. */
  readonly add: (entries: readonly LedgerEntry[]) => LedgerEntry[]
  /** What is still held when there are no more pages. */
  readonly flush: () => LedgerEntry[]
  /** Whether transactions that were forgotten can be on a page by now. */
  readonly mayHaveForgotten: (page: number) => boolean
}

interface Version {
  readonly total: number
  /** Undefined where it does not describe the whole result. */
  readonly summary: Summary | undefined
}

interface Page extends Version {
  readonly page: number
  readonly limit: number
  /** Whether something has vanished since the page before. */
  readonly isShrunk: boolean
  readonly entries: readonly LedgerEntry[]
}

/** A remembered page. None of its transactions is further back than place `bound` + what was added so far. */
interface Remembered {
  readonly ids: Set<string>
  bound: number
}

interface Held {
  readonly page: number
  readonly entries: readonly LedgerEntry[]
  readonly bound: number
  readonly hasKnown: boolean
}

/** How many transactions were added at least. The total may count users; then the summary shows it. */
const growth = (before: Version, now: Version): number => {
  const transactions = before.summary && now.summary && now.summary.totalTransactions - before.summary.totalTransactions
  return Math.max(0, now.total - before.total, transactions ?? 0)
}

/**
 * For results in a stable order: each transaction that is added moves the others back by one place at most. So a
 * transaction of page 7 comes again on page 8 only if as much was added as lies between, and `remember` pages are
 * enough to recognise it.
 *
 * When more was added at once than is remembered, the transactions of the next pages are held until the last one that
 * was yielded has turned up, or cannot turn up any more: what precedes it was yielded or is new, what follows it was
 * not yielded. That costs as much memory as was added. Those that `isAlwaysKnown` accepts are never forgotten.
 */
export const createRecentWindow = (remember: number, isAlwaysKnown: (entry: LedgerEntry) => boolean): RecentWindow => {
  const pages: Remembered[] = []
  const known = new Map<string, Remembered>()
  let held: Held[] = []
  let previous: Version | undefined
  let added = 0
  let limit = 0
  let unexplained = 0
  /** Transactions that may come again, because as many were added. */
  let explained = 0
  /** The bound of everything that was forgotten. */
  let forgotten = -Infinity

  const knows = (entry: LedgerEntry) => known.has(identityOf(entry)) || isAlwaysKnown(entry)

  /** Records transactions as those of `page`, and returns the new ones. */
  const record = (entries: readonly LedgerEntry[], page: Remembered): LedgerEntry[] =>
    entries.filter((entry) => {
      const id = identityOf(entry)
      const isNew = !known.has(id) && !isAlwaysKnown(entry)
      page.ids.add(id)
      known.set(id, page)
      return isNew
    })

  const learn = (entries: readonly LedgerEntry[], bound: number): LedgerEntry[] => {
    const page: Remembered = { ids: new Set(), bound }
    pages.push(page)
    return record(entries, page)
  }

  const forget = (): void => {
    const newest = (pages.at(-1) as Remembered).bound
    // A page is forgotten only when it can never again share a page with the last transaction that was yielded.
    for (let [oldest] = pages; oldest && pages.length > remember && oldest.bound <= newest - limit; [oldest] = pages) {
      for (const id of oldest.ids) if (known.get(id) === oldest) known.delete(id)
      forgotten = Math.max(forgotten, oldest.bound)
      pages.shift()
    }
  }

  /** The last place that anything yielded so far can have moved to. */
  const lastPlace = () => added + pages.reduce((most, page) => Math.max(most, page.bound), forgotten)
  const mayHaveForgotten = (page: number) => forgotten + added > (page - 1) * limit

  const observe = (version: Version): void => {
    const grown = growth(previous ?? version, version)
    added += grown
    explained += grown
    previous = version
  }

  const flush = (): LedgerEntry[] => {
    const [first] = held
    if (!first) return []
    const lastYielded = (pages.at(-1) as Remembered).bound
    const sighting = held.findLast(({ hasKnown }) => hasKnown)
    // The last one yielded is here at most; the distances between those before it have not become smaller.
    const shift = (sighting?.page ?? first.page - 1) * limit - added - lastYielded
    for (const page of pages) page.bound += shift
    forgotten += shift
    const after = held.filter(({ page }) => page >= (sighting?.page ?? 0))
    held = []
    const fresh = after.flatMap(({ entries, bound }) => learn(entries, bound))
    forget()
    return fresh
  }

  return {
    get unexplained() {
      return unexplained
    },
    knows,
    observe,
    mayHaveForgotten,
    flush,
    take({ page, entries, isShrunk, ...version }) {
      observe(version)
      limit = version.limit
      const bound = page * limit - added
      if (held.length > 0 || mayHaveForgotten(page)) {
        held.push({ page, entries, bound, hasKnown: entries.some(knows) })
        return bound + added >= lastPlace() ? flush() : []
      }
      const fresh = learn(entries, bound)
      // In a stable order each transaction that is added makes one come again at most.
      explained -= entries.length - fresh.length
      if (!isShrunk) unexplained += Math.max(0, -explained)
      explained = Math.max(0, explained)
      forget()
      return fresh
    },
    add(entries) {
      const newest = pages.at(-1)
      return newest ? record(entries, newest) : learn(entries, 0)
    },
  }
}

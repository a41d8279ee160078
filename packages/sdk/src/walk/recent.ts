import type { LedgerEntry } from '../contract/index.ts'

/** Remembers the transactions of the last pages, and tells which of a further page were yielded before. */
export interface Recent {
  readonly knows: (id: string) => boolean
  /** Rows of the next page that are sure to be new. Others may come with a later page. */
  readonly take: (page: Page) => LedgerEntry[]
  /** Rows of a page read again that are new. */
  readonly add: (rows: readonly LedgerEntry[]) => LedgerEntry[]
  /** What is still held when there are no more pages. */
  readonly rest: () => LedgerEntry[]
  /** Whether transactions that are forgotten can stand on a page by now. */
  readonly mayHaveForgotten: (page: number) => boolean
}

interface Page {
  readonly page: number
  readonly limit: number
  readonly total: number
  readonly rows: readonly LedgerEntry[]
}

/** A page that is remembered. None of its rows stands further than at place `bound` + what was added so far. */
interface Remembered {
  readonly ids: string[]
  bound: number
}

interface Held {
  readonly page: number
  readonly rows: readonly LedgerEntry[]
  readonly bound: number
  readonly hasKnown: boolean
}

/**
 * For results in an order that stays: what is added moves the others on by one place at most. So a row of page 7 comes
 * again on page 8 only if as much was added as lies between, and a handful of pages is enough to recognise it.
 *
 * When more was added at once than is remembered, the rows of the next pages are held until the last row that was
 * yielded has turned up, or cannot turn up any more: what stands before it was yielded or is new, what stands after it
 * was not yielded. That costs as much memory as was added. What is in `always` is never forgotten.
 */
export const createRecent = (remember: number, hold: boolean, always: ReadonlySet<string>): Recent => {
  const pages: Remembered[] = []
  const known = new Map<string, Remembered>()
  let held: Held[] = []
  let total: number | undefined
  let grown = 0
  let limit = 0
  /** The bound of everything forgotten. */
  let forgotten = -Infinity

  const knows = (id: string) => known.has(id) || always.has(id)

  /** Writes rows down as those of `page`, and returns the new ones. */
  const note = (rows: readonly LedgerEntry[], page: Remembered): LedgerEntry[] =>
    rows.filter(({ transactionId }) => {
      const isNew = !knows(transactionId)
      if (known.get(transactionId) !== page) page.ids.push(transactionId)
      known.set(transactionId, page)
      return isNew
    })

  const learn = (rows: readonly LedgerEntry[], bound: number): LedgerEntry[] => {
    const page: Remembered = { ids: [], bound }
    pages.push(page)
    return note(rows, page)
  }

  const forget = (): void => {
    const newest = pages.at(-1)?.bound ?? 0
    // A page is forgotten only when it can never again meet the last yielded row on one page.
    for (let [oldest] = pages; oldest && pages.length > remember && oldest.bound <= newest - limit; [oldest] = pages) {
      for (const id of oldest.ids) if (known.get(id) === oldest) known.delete(id)
      forgotten = Math.max(forgotten, oldest.bound)
      pages.shift()
    }
  }

  const reach = () => grown + pages.reduce((most, page) => Math.max(most, page.bound), forgotten)
  const mayHaveForgotten = (page: number) => forgotten + grown > (page - 1) * limit

  const rest = (): LedgerEntry[] => {
    const [first] = held
    const frontier = pages.at(-1)?.bound
    if (!first || frontier === undefined) return []
    const sighting = held.findLast(({ hasKnown }) => hasKnown)
    // The last row yielded before stands here at most; the distances between those before it have not become smaller.
    const shift = (sighting?.page ?? first.page - 1) * limit - grown - frontier
    for (const page of pages) page.bound += shift
    forgotten += shift
    const after = held.filter(({ page }) => page >= (sighting?.page ?? 0))
    held = []
    const fresh = after.flatMap(({ rows, bound }) => learn(rows, bound))
    forget()
    return fresh
  }

  return {
    knows,
    mayHaveForgotten,
    rest,
    take({ page, rows, ...reading }) {
      grown += Math.max(0, reading.total - (total ?? reading.total))
      total = reading.total
      limit = reading.limit
      const bound = page * limit - grown
      if (held.length > 0 || (hold && mayHaveForgotten(page))) {
        held.push({ page, rows, bound, hasKnown: rows.some((row) => knows(row.transactionId)) })
        return bound + grown >= reach() ? rest() : []
      }
      const fresh = learn(rows, bound)
      forget()
      return fresh
    },
    add(rows) {
      const newest = pages.at(-1)
      return newest ? note(rows, newest) : learn(rows, 0)
    },
  }
}

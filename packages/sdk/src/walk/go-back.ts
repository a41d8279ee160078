import type { LedgerEntry } from '../contract/index.ts'
import { entriesOf, type Memory } from './memory.ts'
import type { Reading } from './reading.ts'
import type { Step } from './steps.ts'

/** What was found by going back. */
export interface Found {
  readonly rows: LedgerEntry[]
  /** The page that was read again last. */
  readonly from: number
  /** Whether it is sure that nothing else has slipped past. */
  readonly complete: boolean
}

/**
 * Something has vanished, so what stood on this page may have moved to one that is done with. Reads the pages before it
 * again, backwards, until one has a row yielded before: what was not yielded stands behind that row. Backwards, because what
 * vanishes meanwhile makes rows move the same way. With `toTheFirst` nothing but the first page stops it.
 */
export const goBack = async (
  step: Step<unknown>,
  toTheFirst: boolean,
  first: number,
  memory: Memory,
  again: (page: number) => Promise<Reading<unknown>>,
): Promise<Found> => {
  const rows: LedgerEntry[] = []
  const known = step.stamp ? step.lastPage : step.page
  for (let page = Math.min(step.page - 1, known); page >= first; page -= 1) {
    if (memory.mayHaveForgotten(page)) return { rows: memory.add(rows), from: page + 1, complete: false }
    const onPage = entriesOf((await again(page)).groups)
    rows.push(...onPage)
    if (!toTheFirst && onPage.some(({ transactionId }) => memory.knows(transactionId))) {
      return { rows: memory.add(rows), from: page, complete: true }
    }
  }
  return { rows: memory.add(rows), from: first, complete: true }
}

import type { LedgerEntry } from '../contract/index.ts'
import { backfill } from './backfill.ts'
import { createExtent } from './extent.ts'
import { isShrinkage, type OrderedPage } from './ordered-pages.ts'
import { createSeen } from './seen.ts'
import type { PaginationSession } from './session.ts'
import { createTally } from './tally.ts'

/** Where things keep changing, pages that count users never settle; after so many passes what is missing is reported. */
const maxPasses = 20
/** The same where things keep vanishing. */
const maxPassesAfterLoss = 10

/** How often pages are read again because counts have grown: by as much as a ledger that is read forwards grows meanwhile. */
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
export async function* batchesOf<Page>(session: PaginationSession<Page>): AsyncGenerator<Batch, void, void> {
  const { first, onDrift } = session
  const extent = createExtent()
  const seen = createSeen()
  const tally = createTally({ extent, seen }, first, onDrift)
  let mostPages = 0
  let reread = 0
  let checks = maxChecks
  /** Reads pages again, up to twice as many as there are and 100 more. */
  const readAgain = async (page: number) => (reread++ < 2 * mostPages + 100 ? session.again(page) : undefined)

  for (let pass = 1; ; pass++) {
    let loss: { kind: 'removed' | 'replaced'; page: number; lost: number } | undefined
    for await (const page of session.readPages(extent, seen, pass === 1)) {
      const { change: kind, number, lost, lastPage } = page
      mostPages = Math.max(mostPages, lastPage)
      tally.observe(page)
      // Counts that have grown may hide that something has vanished.
      const mayLack = kind === 'grown' ? checks > 0 : kind !== 'none'
      // Where pages count users, nothing moves to the page before in particular: another pass is due.
      const isMovable = mayLack && extent.unit !== 'group'
      const found = isMovable ? await backfill(page, session.source.first, seen, readAgain) : undefined
      if (kind === 'grown' && found && found.pages.length > 0) checks--
      if (isShrinkage(kind)) {
        const { from, isComplete } = found ?? { from: first, isComplete: first === 1 }
        loss = { kind, page: number, lost }
        tally.report({ ...loss, rereadFrom: from, repaired: isComplete })
      }
      if (found) yield { entries: found.pages.flatMap((one) => tally.take(one)), inOrder: true, page: undefined }
      yield { entries: tally.take(page), inOrder: extent.unit === 'transaction', page }
      if (tally.isVoid() || (pass > 1 && tally.isComplete())) break
    }
    if (!tally.isVoid() && (first > 1 || tally.isDone() || pass >= maxPasses)) return tally.end()
    if (loss && pass >= maxPassesAfterLoss) {
      return tally.report({ ...loss, rereadFrom: first, repaired: false })
    }
    tally.nextPass()
  }
}

import type { Deduplicator } from './deduplicate.ts'
import { sizeOf } from './extent.ts'
import type { Drift, PaginationOptions } from './options.ts'
import type { OrderedPage } from './ordered-pages.ts'

/** What a pagination has done. */
interface Done {
  readonly first: number
  /** Transactions. */
  readonly yielded: number
  /** By how many the total has grown. */
  readonly grown: number
  /** Results whose loss was reported, in what pages count. */
  readonly lost: number
}

/**
 * How many results are missing that the first response counted: neither yielded nor reported as lost. Where it cannot be
 * seen whether the total counts users or transactions, the unit with fewer missing results is assumed.
 */
const shortfall = (
  firstPage: OrderedPage<unknown> | undefined,
  { unit, users, unexplained }: Pick<Deduplicator, 'unit' | 'users' | 'unexplained'>,
  { first, yielded, grown, lost }: Done,
): number => {
  if (!firstPage?.version) return 0
  const { version, limit } = firstPage
  const expected = (size: number) => size - (first - 1) * limit - lost
  if (unit !== 'group') {
    return Math.max(0, expected(sizeOf(version, 'transaction', yielded - grown)) - yielded, unexplained)
  }
  const missingUsers = expected(sizeOf(version, 'group', yielded)) - users
  if (version.summary) return Math.max(0, missingUsers)
  return first === 1 ? Math.max(0, Math.min(missingUsers, expected(version.total) - yielded)) : 0
}

/** What was read, yielded and reported, for the report at the end. */
export interface Tally {
  readonly read: (page: OrderedPage<unknown>) => void
  readonly yielded: (count: number) => void
  readonly report: (drift: Drift) => void
  /** Contradictions of earlier passes do not matter: what they hid was met in the next one, or is missing. */
  readonly nextPass: () => void
  /** Reports what is missing, if anything is. */
  readonly end: () => void
}

export const createTally = (
  memory: Pick<Deduplicator, 'unit' | 'users' | 'unexplained'>,
  first: number,
  onDrift: PaginationOptions['onDrift'],
): Tally => {
  let firstPage: OrderedPage<unknown> | undefined
  let grown = 0
  let lastPage = first
  let isContradicted = false
  let yielded = 0
  let lost = 0
  return {
    read(page) {
      firstPage ??= page
      if (page.version && firstPage.version) grown = Math.max(grown, page.version.total - firstPage.version.total)
      lastPage = page.page
      isContradicted ||= page.isContradicted
    },
    yielded(count) {
      yielded += count
    },
    report(drift) {
      lost += drift.lost
      onDrift?.(drift)
    },
    nextPass() {
      isContradicted = false
    },
    end() {
      const missing = shortfall(firstPage, memory, { first, yielded, grown, lost })
      const { total, summary } = firstPage?.version ?? {}
      // Without a summary the total may count transactions where pages count users: then nothing is missing.
      const isExplained = !isContradicted || (yielded === total && !summary)
      if (missing === 0 && isExplained) return
      onDrift?.({ kind: 'short', page: lastPage, lost: missing, rereadFrom: undefined, repaired: false })
    },
  }
}

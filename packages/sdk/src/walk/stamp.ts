import type { Pagination, Summary } from '../contract/index.ts'

/** What a reply tells about the whole result: two equal ones are taken for the same version of it. */
export interface Stamp {
  readonly total: number
  /** Undefined where the summary does not speak of the whole result. */
  readonly summary: Summary | undefined
}

/**
 * Reads the stamp of a page with `count` transactions on it. What the summary covers is not shown; it is believed where
 * it covers more than the page and one of its counts is that of the pagination.
 */
export const stampOf = ({ total }: Pagination, summary: Summary | undefined, count: number): Stamp => {
  const covers =
    summary &&
    [summary.totalTransactions, summary.totalValue, summary.uniqueUsers].every(Number.isFinite) &&
    summary.totalTransactions > count &&
    (summary.totalTransactions === total || summary.uniqueUsers === total)
  return { total, summary: covers ? summary : undefined }
}

/** How one version of the result relates to another. */
export type Relation = 'same' | 'newer' | 'older' | 'replaced'

// A service may add up in another order each time, so the last digits of a sum say nothing.
const isSameValue = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))

/** Tells whether `next` is the same version as `previous`, one with more in it, or one that lacks something. */
export const compareStamps = (previous: Stamp, next: Stamp): Relation => {
  const [was, is] = [previous.summary, next.summary]
  const results = next.total - previous.total
  if (!was || !is) return results < 0 ? 'older' : results > 0 ? 'newer' : 'same'
  const transactions = is.totalTransactions - was.totalTransactions
  const users = is.uniqueUsers - was.uniqueUsers
  if (results < 0 || transactions < 0 || users < 0) return 'older'
  if (transactions > 0) return 'newer'
  return results === 0 && users === 0 && isSameValue(was.totalValue, is.totalValue) ? 'same' : 'replaced'
}

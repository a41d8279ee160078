import type { Summary } from '../contract/index.ts'

/** What a response says about the whole result: two equal versions are taken for the same state of it. */
export interface ResultVersion {
  readonly total: number
  readonly summary: Summary | undefined
}

/** How one version of the result relates to another. */
export type Relation = 'same' | 'newer' | 'older' | 'replaced'

// A service may add up in another order each time, so the last digits of a sum say nothing.
const isSameValue = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))

/** Whether `next` is the same version as `previous`, one with more in it, or one that lacks something. */
export const compareVersions = (previous: ResultVersion, next: ResultVersion): Relation => {
  const [was, is] = [previous.summary, next.summary]
  const results = next.total - previous.total
  if (!was || !is) return results < 0 ? 'older' : results > 0 ? 'newer' : 'same'
  const transactions = is.totalTransactions - was.totalTransactions
  const users = is.uniqueUsers - was.uniqueUsers
  if (results < 0 || transactions < 0 || users < 0) return 'older'
  if (transactions > 0) return 'newer'
  return results === 0 && users === 0 && isSameValue(was.totalValue, is.totalValue) ? 'same' : 'replaced'
}

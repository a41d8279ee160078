import type { Summary } from '../contract/index.ts'

/** What a response says about the whole result: two equal versions are taken for the same state of it. */
export interface ResultVersion {
  readonly total: number
  readonly summary: Summary | undefined
}

/** What happened to the result between one version and another. */
export type Change = 'none' | 'grown' | 'removed' | 'replaced'

/** Whether something has vanished. */
export const isShrinkage = (change: Change): change is 'removed' | 'replaced' =>
  change === 'removed' || change === 'replaced'

// A service may add up in another order each time, so the last digits of a sum say nothing.
const isSameValue = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))

/** What happened to the result between two versions; there may be more where it has grown. */
export const compareVersions = (previous: ResultVersion, next: ResultVersion): Change => {
  const [was, is] = [previous.summary, next.summary]
  const results = next.total - previous.total
  if (!was || !is) return results < 0 ? 'removed' : results > 0 ? 'grown' : 'none'
  const transactions = is.totalTransactions - was.totalTransactions
  const users = is.uniqueUsers - was.uniqueUsers
  if (results < 0 || transactions < 0 || users < 0) return 'removed'
  if (transactions > 0) return 'grown'
  return results === 0 && users === 0 && isSameValue(was.totalValue, is.totalValue) ? 'none' : 'replaced'
}

import type { Reading } from './reading.ts'

/** What pages count on a service. */
export type Unit = 'transaction' | 'group'

/**
 * Tells what a page counts, where it shows. A page holds as many results as its limit, the last one the rest; either
 * its transactions are as many as that, or its users. Where every user has one transaction, it does not show.
 */
export const unitOf = ({ page, groups, count, limit, stamp }: Reading<unknown>): Unit | undefined => {
  const expected = Math.min(limit, (stamp?.total ?? 0) - (page - 1) * limit)
  if (count === groups.length) return undefined
  if (count === expected) return 'transaction'
  return groups.length === expected ? 'group' : undefined
}

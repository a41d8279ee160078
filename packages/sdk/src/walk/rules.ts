import type { Reading } from './reading.ts'
import { compareStamps, type Relation, type Stamp } from './stamp.ts'
import { unitOf, type Unit } from './unit.ts'

/** The decisions of a walk that its promises rest on. Tests put a wrong one in place of each and must notice. */
export interface Rules {
  readonly compare: (previous: Stamp, next: Stamp) => Relation
  readonly isLast: (reading: Reading<unknown>) => boolean
  readonly unitOf: (reading: Reading<unknown>) => Unit | undefined
  /** Pages whose transactions are remembered. */
  readonly remember: number
  /** Whether rows are held until it is sure that they were not yielded on a page that is forgotten. */
  readonly hold: boolean
  /** Whether the walk goes back for what has slipped past. */
  readonly goBack: boolean
  /** Whether rows that are known are left out. */
  readonly once: boolean
}

/** The last page is the one the service calls so, or an empty one. A short page says nothing. */
const isLast = ({ page, lastPage, count }: Reading<unknown>) => count === 0 || lastPage === page

export const soundRules: Rules = {
  compare: compareStamps,
  isLast,
  unitOf,
  remember: 32,
  hold: true,
  goBack: true,
  once: true,
}

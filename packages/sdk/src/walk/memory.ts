import type { LedgerEntry, UserGroup } from '../contract/index.ts'
import { createRecent } from './recent.ts'
import type { Rules } from './rules.ts'
import type { Step } from './steps.ts'
import type { Unit } from './unit.ts'
import { createUsers } from './users.ts'

/** Knows what was yielded, by as little as the way the service counts pages allows. */
export interface Memory {
  /** What pages count; undefined as long as it has not shown. */
  readonly unit: Unit | undefined
  /** Looks what the page shows about the service. */
  readonly look: (step: Step<unknown>) => void
  /** What is new on a page. */
  readonly fresh: (step: Step<unknown>) => LedgerEntry[]
  /** What is new on pages that were read again. */
  readonly add: (rows: readonly LedgerEntry[]) => LedgerEntry[]
  readonly knows: (id: string) => boolean
  readonly mayHaveForgotten: (page: number) => boolean
  /** What was held until the last page was seen. */
  readonly rest: () => LedgerEntry[]
  /** Where pages count users: something has vanished, the pages have to be gone through again. */
  readonly spoil: () => void
  readonly nextPass: () => void
  /** Whether all users have been met. */
  readonly isComplete: () => boolean
  /** Whether nothing can have slipped past in this pass, or another one would not find it. */
  readonly isDone: () => boolean
}

export const entriesOf = (groups: readonly UserGroup[]): LedgerEntry[] =>
  groups.flatMap(({ platformId, transactions }) => transactions.map((row) => ({ ...row, platformId })))

/** Of rows with the same identifier the first. */
const distinct = (rows: readonly LedgerEntry[]): LedgerEntry[] =>
  [...new Map(rows.toReversed().map((row) => [row.transactionId, row])).values()].toReversed()

/** As long as it has not shown what pages count, both users and transactions are remembered. */
export const createMemory = ({ unitOf, once, ...rules }: Rules): Memory => {
  const early = new Set<string>()
  const recent = createRecent(rules.remember, rules.hold, early)
  const users = createUsers()
  let unit: Unit | undefined

  /** A user who comes again without what they had before can only stand on several pages. */
  const comesInParts = ({ groups }: Step<unknown>) =>
    groups.some(
      ({ platformId, transactions }) =>
        users.knows(platformId) && transactions.every(({ transactionId }) => !early.has(transactionId)),
    )

  const freshByUser = (step: Step<unknown>): LedgerEntry[] => {
    if (step.change !== 'none') users.disturb()
    const fresh = distinct(entriesOf(step.groups.filter(({ platformId }) => !users.knows(platformId))))
    users.add(step.groups, step.stamp?.total ?? 0)
    if (unit === undefined) for (const { transactionId } of fresh) early.add(transactionId)
    else early.clear()
    return fresh
  }

  return {
    get unit() {
      return unit
    },
    look(step) {
      unit ??= unitOf(step) ?? (comesInParts(step) ? 'transaction' : undefined)
    },
    fresh(step) {
      const { page, limit, stamp, groups } = step
      if (!once) return entriesOf(groups)
      if (unit !== 'transaction') return freshByUser(step)
      return stamp ? recent.take({ page, limit, total: stamp.total, rows: entriesOf(groups) }) : []
    },
    add: recent.add,
    knows: recent.knows,
    mayHaveForgotten: recent.mayHaveForgotten,
    rest: recent.rest,
    spoil: users.spoil,
    nextPass: users.nextPass,
    isComplete: () => unit !== 'transaction' && users.isComplete(),
    isDone: () => unit === 'transaction' || users.isComplete() || users.isQuiet(),
  }
}

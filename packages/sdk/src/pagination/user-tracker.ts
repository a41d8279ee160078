import type { LedgerEntry, UserGroup } from '../contract/index.ts'
import { toText } from './page-result.ts'

/** Remembers the users who were met, over several passes through the pages, and at first their transactions as well. */
export interface UserTracker {
  /** Users met. */
  readonly count: number
  readonly knows: (platformId: string) => boolean
  /** Whether a transaction is remembered. */
  readonly remembers: (entry: LedgerEntry) => boolean
  /** Records the users of a page, and how many there are in all. */
  readonly add: (groups: readonly UserGroup[], total: number) => void
  /** From now on only users are remembered: pages count them. */
  readonly forgetTransactions: () => void
  /** Starts the next pass. */
  readonly nextPass: () => void
  /** A user has vanished, so what was counted so far is void. */
  readonly invalidate: () => void
  /** The result has changed, without a user having vanished. */
  readonly markChanged: () => void
  /** Whether as many users were met as the service counts. */
  readonly isComplete: () => boolean
  /** Whether nothing changed in this pass and no user came twice: there is nobody else, whatever the total says. */
  readonly isStable: () => boolean
}

/**
 * What is remembered of a user: the last pass in which they were met and the identifiers of their transactions. Most
 * users take the least memory: the pass alone where transactions do not matter, the identifier alone if they were met
 * in the first pass with one transaction.
 */
type Met = number | string | { readonly pass: number; readonly ids: Set<string> }

const passOf = (met: Met | undefined): number => {
  if (typeof met === 'object') return met.pass
  return typeof met === 'string' ? 1 : (met ?? 0)
}

/** What is remembered of a user after a page with these transactions. */
const withTransactions = (met: Met | undefined, { transactions }: UserGroup, pass: number): Met => {
  const [first] = transactions
  if (met === undefined && pass === 1 && transactions.length === 1 && first) return toText(first.transactionId)
  const ids = typeof met === 'object' ? met.ids : new Set(typeof met === 'string' ? [met] : [])
  for (const { transactionId } of transactions) ids.add(toText(transactionId))
  return { pass, ids }
}

/**
 * For pages that count users. A user with a new transaction can move to any place, also to a page that was read before.
 * No version shows that for sure, but counting does: users do not vanish unnoticed, so all were met when as many were
 * met as the service counts.
 */
export const createUserTracker = (): UserTracker => {
  const users = new Map<string, Met>()
  let remembersTransactions = true
  let pass = 1
  let countedSince = 1
  let counted = 0
  let mostUsers = 0
  let isStable = true
  return {
    get count() {
      return users.size
    },
    knows: (platformId) => users.has(toText(platformId)),
    remembers({ platformId, transactionId }) {
      const met = users.get(toText(platformId))
      const id = toText(transactionId)
      return typeof met === 'object' ? met.ids.has(id) : met === id
    },
    add(groups, total) {
      mostUsers = Math.max(mostUsers, total)
      for (const group of groups) {
        const user = toText(group.platformId)
        const met = users.get(user)
        const before = passOf(met)
        if (before === pass) isStable = false
        if (before < countedSince && pass >= countedSince) counted++
        users.set(user, remembersTransactions ? withTransactions(met, group, pass) : pass)
      }
    },
    forgetTransactions() {
      remembersTransactions = false
      for (const [user, met] of users) users.set(user, passOf(met))
    },
    nextPass() {
      pass++
      isStable = true
    },
    invalidate() {
      countedSince = pass + 1
      counted = 0
      mostUsers = 0
      isStable = false
    },
    markChanged() {
      isStable = false
    },
    isComplete: () => pass >= countedSince && counted >= mostUsers,
    isStable: () => isStable,
  }
}

import type { LedgerEntry } from '@guild-ledger/sdk/contract'

/** A transaction of the copy. */
export interface Item {
  readonly entry: LedgerEntry
  /** `createdAt` in milliseconds since 1970, with a fraction where the service shows one. */
  readonly at: number
  /** Its position in the copy. */
  readonly index: number
}

/** The part of a ledger that is read if it is too large: its oldest transactions, up to a time at which there was none. */
export interface Window {
  /** This time, in milliseconds since 1970. */
  readonly end: number
  /** Later transactions of some users: all that these users have. */
  readonly later: readonly LedgerEntry[]
  /** These users. */
  readonly users: readonly string[]
  /** How many transactions, and how many users, the ledger has at least. */
  readonly least: { readonly transactions: number; readonly users: number }
}

/** What the service holds, as far as it was read. It never changes; a ledger that grows gets a new one. */
export interface LedgerCopy {
  /** All transactions, or those in the window. */
  readonly items: readonly Item[]
  /** Every transaction that was read. */
  readonly byId: ReadonlyMap<string, Item>
  /** The transactions of each user, in the order of the copy. */
  readonly byUser: ReadonlyMap<string, readonly Item[]>
  /** All transactions of those users for whom all are known. */
  readonly wholeUsers: ReadonlyMap<string, readonly Item[]>
  /** How many milliseconds of `createdAt` responses hide: 1000 where they show seconds, else 0. */
  readonly hiddenMs: number
  /** Set if it is only a part of the ledger. */
  readonly window: Window | undefined
}

/** `createdAt` in milliseconds since 1970; digits below a millisecond become a fraction. */
export const timeIn = (createdAt: string): number => {
  const micros = /\.\d{3}(\d+)/.exec(createdAt)?.[1]
  return Date.parse(createdAt) + (micros === undefined ? 0 : Number(`0.${micros}`))
}

const showsSeconds = ({ createdAt }: LedgerEntry): boolean => !createdAt.includes('.')

/** How many milliseconds of `createdAt` these transactions hide. */
export const hiddenMsIn = (entries: readonly LedgerEntry[]): number => (entries.some(showsSeconds) ? 1000 : 0)

const groupByUser = (items: readonly Item[]): Map<string, Item[]> => {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(item.entry.platformId)
    if (group) group.push(item)
    else groups.set(item.entry.platformId, [item])
  }
  return groups
}

/** Makes a copy of transactions, oldest first. */
export const createLedgerCopy = (entries: readonly LedgerEntry[], window?: Window): LedgerCopy => {
  const inOrder = (some: readonly LedgerEntry[]) =>
    some.map((entry) => ({ entry, at: timeIn(entry.createdAt) })).toSorted((a, b) => a.at - b.at)
  const all = [...inOrder(entries), ...inOrder(window?.later ?? [])].map((item, index) => ({ ...item, index }))
  const items = all.slice(0, entries.length)
  const byUser = groupByUser(items)
  const complete = new Set(window?.users)
  return {
    items,
    byId: new Map(all.map((item) => [item.entry.transactionId, item])),
    byUser,
    wholeUsers: window ? groupByUser(all.filter(({ entry }) => complete.has(entry.platformId))) : byUser,
    hiddenMs: hiddenMsIn(entries),
    window,
  }
}

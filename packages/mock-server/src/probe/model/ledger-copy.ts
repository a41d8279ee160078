import type { LedgerEntry } from '@guild-ledger/sdk/contract'

/** A transaction of the copy. */
export interface Item {
  readonly entry: LedgerEntry
  /** `createdAt` in milliseconds since 1970, with a fraction where the service shows one. */
  readonly at: number
  /** Its position in the copy. */
  readonly index: number
}

/** What the service holds, as far as it was read. It never changes; a ledger that grows gets a new one. */
export interface LedgerCopy {
  readonly items: readonly Item[]
  readonly byId: ReadonlyMap<string, Item>
  /** The transactions of each user, in the order of the copy. */
  readonly byUser: ReadonlyMap<string, readonly Item[]>
  /** How many milliseconds of `createdAt` responses hide: 1000 where they show seconds, else 0. */
  readonly hiddenMs: number
}

/** `createdAt` in milliseconds since 1970; digits below a millisecond become a fraction. */
export const timeIn = (createdAt: string): number => {
  const micros = /\.\d{3}(\d+)/.exec(createdAt)?.[1]
  return Date.parse(createdAt) + (micros === undefined ? 0 : Number(`0.${micros}`))
}

const showsSeconds = ({ createdAt }: LedgerEntry): boolean => !createdAt.includes('.')

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
export const createLedgerCopy = (entries: readonly LedgerEntry[]): LedgerCopy => {
  const timed = entries.map((entry) => ({ entry, at: timeIn(entry.createdAt) }))
  const items = timed.toSorted((a, b) => a.at - b.at).map((item, index) => ({ ...item, index }))
  return {
    items,
    byId: new Map(items.map((item) => [item.entry.transactionId, item])),
    byUser: groupByUser(items),
    hiddenMs: entries.some(showsSeconds) ? 1000 : 0,
  }
}

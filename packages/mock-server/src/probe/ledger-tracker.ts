import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { createLedgerCopy, type LedgerCopy } from './model/ledger-copy.ts'
import { readLedger, readNewer, type ReadLedger, type Send } from './read-ledger.ts'

/** The copy of a ledger that may change while it is probed. */
export interface LedgerTracker {
  /** The ledger as it was last read. */
  readonly copy: LedgerCopy
  /** Whether it lost transactions, or they changed. */
  readonly hasShrunk: boolean
  /** Reads the whole ledger. */
  start(): Promise<ReadLedger>
  /** Reads what changed since. Returns whether anything did. */
  update(): Promise<boolean>
  /** The same, but looks only for transactions that are newer than all. */
  updateNewest(): Promise<boolean>
}

const maxWholeReads = 2

const isEdited = (known: LedgerEntry | undefined, entry: LedgerEntry): boolean =>
  known !== undefined && JSON.stringify({ ...known }) !== JSON.stringify({ ...entry })

/** Creates a tracker that has read nothing yet. */
export const createLedgerTracker = (send: Send, most = Infinity): LedgerTracker => {
  let copy = createLedgerCopy([])
  let hasShrunk = false
  let wholeReads = 0
  let overlapMs = 1000

  /** Reads everything once more, with pages of another size: a log then shows no request twice. */
  const readAgain = async (): Promise<boolean> => {
    if (wholeReads++ >= maxWholeReads) return false
    const { entries, isComplete } = await readLedger(send, { limit: 100 - wholeReads, most })
    if (!isComplete) return false
    const ids = new Set(entries.map(({ transactionId }) => transactionId))
    const isGone = copy.items.some(({ entry }) => !ids.has(entry.transactionId))
    const isChanged = entries.some((entry) => isEdited(copy.byId.get(entry.transactionId)?.entry, entry))
    hasShrunk ||= isGone || isChanged
    if (entries.length === copy.items.length && !isChanged && !isGone) return false
    copy = createLedgerCopy(entries)
    return true
  }

  const updateNewest = async (): Promise<boolean> => {
    const entries = new Map(copy.items.map(({ entry }) => [entry.transactionId, entry]))
    const before = copy.items.length
    if (before > 0) await readNewer(send, entries, overlapMs++)
    if (entries.size === before) return false
    copy = createLedgerCopy([...entries.values()])
    return true
  }

  return {
    get copy() {
      return copy
    },
    get hasShrunk() {
      return hasShrunk
    },
    async start() {
      const read = await readLedger(send, { most })
      copy = createLedgerCopy(read.entries)
      return read
    },
    updateNewest,
    update: async () => (await updateNewest()) || readAgain(),
  }
}

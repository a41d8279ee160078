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
  /**
   * Reads what changed since. Returns the states that the ledger may have had meanwhile, the latest first; none if it is
   * still the same.
   */
  update(): Promise<LedgerCopy[]>
  /** States that the ledger may have had while it was first read: without its newest transactions. */
  earlier(): LedgerCopy[]
}

const maxStates = 12
const maxWholeReads = 2

const isEdited = (known: LedgerEntry | undefined, entry: LedgerEntry): boolean =>
  known !== undefined && JSON.stringify({ ...known }) !== JSON.stringify({ ...entry })

/** Creates a tracker that has read nothing yet. */
export const createLedgerTracker = (send: Send, most = Infinity): LedgerTracker => {
  let copy = createLedgerCopy([])
  let hasShrunk = false
  let wholeReads = 0
  let overlapMs = 1000

  const statesWithout = (all: readonly LedgerEntry[], kept: number): LedgerCopy[] => {
    const newest = createLedgerCopy(all).items.map(({ entry }) => entry)
    const counts = Array.from({ length: Math.min(maxStates, newest.length - kept) }, (_, i) => newest.length - 1 - i)
    return counts.map((count) => createLedgerCopy(newest.slice(0, count)))
  }

  /** Reads everything once more, with pages of another size: a log then shows no request twice. */
  const readAgain = async (): Promise<LedgerCopy[]> => {
    if (wholeReads++ >= maxWholeReads) return []
    const { entries, isComplete } = await readLedger(send, { limit: 100 - wholeReads, most })
    const ids = new Set(entries.map(({ transactionId }) => transactionId))
    const isGone = copy.items.some(({ entry }) => !ids.has(entry.transactionId))
    const isChanged = entries.some((entry) => isEdited(copy.byId.get(entry.transactionId)?.entry, entry))
    if (isComplete) hasShrunk ||= isGone || isChanged
    if (entries.length === copy.items.length && !isChanged && !isGone) return []
    copy = createLedgerCopy(entries)
    return [copy]
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
    async update() {
      const entries = new Map(copy.items.map(({ entry }) => [entry.transactionId, entry]))
      const before = copy.items.length
      if (before > 0) await readNewer(send, entries, overlapMs++)
      if (entries.size === before) return readAgain()
      copy = createLedgerCopy([...entries.values()])
      return [copy, ...statesWithout([...entries.values()], before)]
    },
    earlier: () =>
      statesWithout(
        copy.items.map(({ entry }) => entry),
        0,
      ),
  }
}

import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { createLedgerCopy, type LedgerCopy } from './model/ledger-copy.ts'
import { fieldIn, type RawResponse } from './model/observe.ts'
import { readLedger, type ReadLedger } from './read-ledger.ts'
import { readNewer, type Send } from './read-pages.ts'
import { readUser, readWindow } from './read-window.ts'

/** The copy of a ledger that may change while it is probed. */
export interface LedgerTracker {
  /** The ledger as it was last read. */
  readonly copy: LedgerCopy
  /** Whether it lost transactions, or they changed. */
  readonly hasShrunk: boolean
  /** Reads the whole ledger, or a window of one that is too large. */
  start(): Promise<ReadLedger>
  /** Reads what changed since. Returns whether anything did. */
  update(): Promise<boolean>
  /** The same, but looks only for transactions that are newer than all. */
  updateNewest(): Promise<boolean>
}

const maxWholeReads = 2
const maxWindow = 1000
const maxOverlap = 50
const maxOverlapMs = 1000

const isEdited = (known: LedgerEntry | undefined, entry: LedgerEntry): boolean =>
  known !== undefined && JSON.stringify({ ...known }) !== JSON.stringify({ ...entry })

/** Whether a response says that the ledger has more than `most` transactions, or users. */
const saysMoreThan =
  (most: number) =>
  ({ body }: RawResponse): boolean =>
    [fieldIn(body, 'pagination', 'total'), fieldIn(body, 'summary', 'totalTransactions')].some(
      (count) => typeof count === 'number' && count > most,
    )

/** For how long before the newest transaction to read again: what enters a ledger may be a little older. */
const overlapOf = ({ items }: LedgerCopy): number => {
  const [newest = 0, early = -Infinity] = [items.at(-1)?.at, items.at(-maxOverlap)?.at]
  return Math.max(1, Math.min(maxOverlapMs, Math.floor(newest - early)))
}

/** Creates a tracker that has read nothing yet. */
export const createLedgerTracker = (send: Send, most = Infinity): LedgerTracker => {
  let copy = createLedgerCopy([])
  let hasShrunk = false
  let [wholeReads, userReads] = [0, 0]
  let newestReads = 0

  /** Takes over what was read of the same transactions later. Returns whether anything changed. */
  const take = (entries: readonly LedgerEntry[], later?: readonly LedgerEntry[]): boolean => {
    const all = [...entries, ...(later ?? [])]
    const ids = new Set(all.map(({ transactionId }) => transactionId))
    const isGone = [...copy.byId.keys()].some((id) => !ids.has(id))
    const isChanged = all.some((entry) => isEdited(copy.byId.get(entry.transactionId)?.entry, entry))
    hasShrunk ||= isGone || isChanged
    if (all.length === copy.byId.size && !isChanged && !isGone) return false
    copy = createLedgerCopy(entries, copy.window && { ...copy.window, later: later ?? copy.window.later })
    return true
  }

  /** The later transactions of the users for whom all are known, with pages of another size. */
  const readLater = async (): Promise<LedgerEntry[]> => {
    const later: LedgerEntry[] = []
    userReads++
    for (const user of copy.window?.users ?? []) {
      const own = await readUser(send, user, { limit: 100 - (userReads % 50) })
      later.push(
        ...(own ?? []).filter(
          ({ transactionId }) => (copy.byId.get(transactionId)?.index ?? Infinity) >= copy.items.length,
        ),
      )
    }
    return later
  }

  /** Reads everything once more, with pages of another size: a log then shows no request twice. */
  const readAgain = async (): Promise<boolean> => {
    if (wholeReads++ >= maxWholeReads) return false
    const { window } = copy
    const range = window && { range: { endDate: new Date(window.end).toISOString() } }
    const { entries, isComplete } = await readLedger(send, { limit: 100 - wholeReads, most, ...range })
    if (!isComplete) return false
    return take(entries, window && (await readLater()))
  }

  const updateNewest = async (): Promise<boolean> => {
    if (copy.window)
      return take(
        copy.items.map(({ entry }) => entry),
        await readLater(),
      )
    const entries = new Map(copy.items.map(({ entry }) => [entry.transactionId, entry]))
    const before = copy.items.length
    if (before > 0) await readNewer(send, entries, overlapOf(copy) + newestReads++)
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
      const read = await readLedger(send, { most, isLarge: saysMoreThan(most) })
      const part = read.isTooLarge ? await readWindow(send, read, Math.min(maxWindow, Math.ceil(most / 2))) : undefined
      copy = createLedgerCopy((part ?? read).entries, part?.window)
      return part ?? read
    },
    updateNewest,
    update: async () => (await updateNewest()) || readAgain(),
  }
}

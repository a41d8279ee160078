import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { requestOf, withinWindow } from './candidate.ts'
import { createLedgerCopy, timeIn, type LedgerCopy } from './model/ledger-copy.ts'
import { fieldIn, groupsIn, type RawResponse } from './model/observe.ts'
import { readLedger, type ReadLedger } from './read-ledger.ts'
import { readNewer, type Send } from './read-pages.ts'
import { readUser, readWindow } from './read-window.ts'

/** The copy of a ledger that may change while it is probed. */
export interface LedgerTracker {
  /** The ledger as it was last read. */
  readonly copy: LedgerCopy
  /** Whether it lost transactions, or they changed. */
  readonly hasShrunk: boolean
  /** How often it was found to have transactions that were too old to be found by an earlier update. */
  readonly late: number
  /** Reads the whole ledger, or a window of one that is too large. */
  start(): Promise<ReadLedger>
  /** Reads what changed since. Returns whether anything did. */
  update(): Promise<boolean>
  /** The same, but looks only for transactions that are newer than all. */
  updateNewest(): Promise<boolean>
  /**
   * Takes note if the oldest transactions are gone: a ledger may remove one whenever another enters. With `isByUser`, only
   * those of one user are requested, as pages may count users.
   */
  checkOldest(send: Send, isByUser: boolean): Promise<void>
}

const maxWholeReads = 2
const maxWindow = 1000
const oldestLimit = 60
const maxOverlap = 60
const maxOverlapMs = 10_000

const isEdited = (known: LedgerEntry | undefined, entry: LedgerEntry): boolean =>
  known !== undefined && JSON.stringify({ ...known }) !== JSON.stringify({ ...entry })

/** Whether a response says that the ledger has more than `most` transactions, or users. */
const saysMoreThan =
  (most: number) =>
  ({ body }: RawResponse): boolean =>
    [fieldIn(body, 'pagination', 'total'), fieldIn(body, 'summary', 'totalTransactions')].some(
      (count) => typeof count === 'number' && count > most,
    )

/** For how long before the newest transaction to read again: what enters a ledger may be older. If it is small, all of it. */
const overlapOf = ({ items }: LedgerCopy): number => {
  const [newest = 0, oldest = 0, early] = [items.at(-1)?.at, items[0]?.at, items.at(-maxOverlap)?.at]
  if (early === undefined) return Math.ceil(newest - oldest) + 1
  return Math.max(1, Math.min(maxOverlapMs, Math.floor(newest - early)))
}

/** Creates a tracker that has read nothing yet. */
export const createLedgerTracker = (send: Send, most = Infinity): LedgerTracker => {
  let copy = createLedgerCopy([])
  let hasShrunk = false
  let [wholeReads, userReads] = [0, 0]
  let newestReads = 0
  let late = 0
  /** Since the whole ledger was read, only what is newer was looked for. */
  let lookedFrom = -Infinity

  /** Takes note of what is new but too old to have been found before. Returns how much is new. */
  const noteNew = (entries: Iterable<LedgerEntry>): number => {
    const added = [...entries].filter(({ transactionId }) => !copy.byId.has(transactionId))
    if (added.some(({ createdAt }) => timeIn(createdAt) <= lookedFrom)) late++
    return added.length
  }

  /** Takes over what was read of the same transactions later. Returns whether anything changed. */
  const take = (entries: readonly LedgerEntry[], later?: readonly LedgerEntry[]): boolean => {
    const all = [...entries, ...(later ?? [])]
    const ids = new Set(all.map(({ transactionId }) => transactionId))
    const isGone = [...copy.byId.keys()].some((id) => !ids.has(id))
    const isChanged = all.some((entry) => isEdited(copy.byId.get(entry.transactionId)?.entry, entry))
    hasShrunk ||= isGone || isChanged
    noteNew(all)
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
    const hasChanged = take(entries, window && (await readLater()))
    lookedFrom = -Infinity
    return hasChanged
  }

  const updateNewest = async (): Promise<boolean> => {
    if (copy.window)
      return take(
        copy.items.map(({ entry }) => entry),
        await readLater(),
      )
    const entries = new Map(copy.items.map(({ entry }) => [entry.transactionId, entry]))
    const before = copy.items.length
    if (before === 0) return false
    const overlapMs = overlapOf(copy) + newestReads++
    const from = Math.floor(copy.items[before - 1]?.at ?? 0) - overlapMs
    const { responses, isCut, isShort } = await readNewer(send, entries, overlapMs)
    const found = new Set(
      responses.flatMap(({ response: { body } }) =>
        (groupsIn(body) ?? []).flat().map(({ transactionId }) => transactionId),
      ),
    )
    const isLost = copy.items.some(({ at, entry }) => at > from && !found.has(entry.transactionId))
    const isNew = noteNew(entries.values()) > 0
    lookedFrom = Math.max(lookedFrom, from)
    if (isNew) copy = createLedgerCopy([...entries.values()])
    // Either transactions were removed, or the service takes the start for another time.
    const isSuspect = isLost && !isCut && !isShort && found.size > 0
    return (isSuspect && (await readAgain())) || isNew
  }

  const checkOldest = async (sendAny: Send, isByUser: boolean): Promise<void> => {
    const { items } = copy
    const [first] = items
    const all = items.filter(({ at }) => at === first?.at).map(({ entry }) => entry)
    // A page of users may begin with users who came later.
    const oldest = isByUser ? all.filter(({ platformId }) => platformId === first?.entry.platformId) : all
    const user = isByUser && first ? { platformId: first.entry.platformId } : {}
    const request = requestOf(null, { ...user, sortBy: 'createdAt', sortOrder: 'asc', limit: oldestLimit })
    const { status, body } = await sendAny(withinWindow(request, copy))
    const found = new Set((groupsIn(body) ?? []).flat().map(({ transactionId }) => transactionId))
    const hasResult = status === 200 || status === 404
    hasShrunk ||=
      hasResult && oldest.length <= oldestLimit && oldest.some(({ transactionId }) => !found.has(transactionId))
  }

  return {
    get copy() {
      return copy
    },
    get hasShrunk() {
      return hasShrunk
    },
    get late() {
      return late
    },
    async start() {
      const read = await readLedger(send, { most, isLarge: saysMoreThan(most) })
      const part = read.isTooLarge ? await readWindow(send, read, Math.min(maxWindow, Math.ceil(most / 2))) : undefined
      copy = createLedgerCopy((part ?? read).entries, part?.window)
      return part ?? read
    },
    updateNewest,
    checkOldest,
    update: async () => (await updateNewest()) || readAgain(),
  }
}

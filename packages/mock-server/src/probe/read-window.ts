import { limits, type LedgerEntry } from '@guild-ledger/sdk/contract'
import { requestOf } from './candidate.ts'
import { hiddenMsIn, timeIn, type Window } from './model/ledger-copy.ts'
import { fieldIn, groupsIn } from './model/observe.ts'
import { readLedger, type ReadLedger } from './read-ledger.ts'
import { pageOf, readPages, type Send } from './read-pages.ts'

/** A part of a ledger that is too large. */
export interface ReadWindow extends ReadLedger {
  readonly window: Window
}

const maxTries = 5
const maxUsersTried = 3
const usersNeeded = 2

const isoOf = (time: number): string => new Date(time).toISOString()

/** A time without transactions, so early that it leaves no more than `most` of these; the latest there is. */
const quietTime = (entries: readonly LedgerEntry[], most: number): number | undefined => {
  const times = entries.map(({ createdAt }) => timeIn(createdAt)).toSorted((a, b) => a - b)
  const hiddenMs = hiddenMsIn(entries)
  for (let i = Math.min(most, times.length) - 1; i >= 0; i--) {
    const end = Math.floor(times[i] ?? 0) + hiddenMs + 1
    if ((times[i + 1] ?? Infinity) > end + 1) return end
  }
  return undefined
}

/** All transactions of some users with few of them in the window. */
const readUsers = async (send: Send, entries: readonly LedgerEntry[], end: number, most: number) => {
  const counts = new Map<string, number>()
  for (const { platformId } of entries) counts.set(platformId, (counts.get(platformId) ?? 0) + 1)
  const inWindow = new Set(entries.map(({ transactionId }) => transactionId))
  const users: string[] = []
  const later: LedgerEntry[] = []
  const few = [...counts].filter(([, count]) => count > 1).toSorted(([, a], [, b]) => a - b)
  for (const [platformId, count] of few.slice(0, maxUsersTried)) {
    const found = await readUser(send, platformId, { most })
    if (!found) continue
    const own = found.filter(({ transactionId }) => inWindow.has(transactionId))
    const others = found.filter(({ transactionId }) => !inWindow.has(transactionId))
    if (own.length !== count || others.some(({ createdAt }) => timeIn(createdAt) <= end)) continue
    users.push(platformId)
    later.push(...others)
    if (users.length === usersNeeded) break
  }
  return { users, later }
}

/** All transactions of a user; `undefined` if there are too many. */
export const readUser = async (
  send: Send,
  platformId: string,
  options: { readonly limit?: number; readonly most?: number },
): Promise<LedgerEntry[] | undefined> => {
  const own = new Map<string, LedgerEntry>()
  const { isCut, isTooLarge, isShort } = await readPages(send, own, { range: { platformId }, ...options })
  return isCut || isTooLarge || isShort ? undefined : [...own.values()]
}

/** The end of a window of about `size` transactions. What totals count is not known: they are only a hint. */
const estimateEnd = async (send: Send, { entries, responses }: ReadLedger, size: number) => {
  const [first] = responses
  const groups = groupsIn(first?.response.body) ?? []
  const isPerUser = groups.flat().length > limits.maxLimit
  const total = fieldIn(first?.response.body, 'pagination', 'total')
  if (isPerUser) {
    const share = typeof total === 'number' ? Math.min(1, groups.length / Math.max(total, 1)) : 1
    return { known: entries, end: quietTime(entries, Math.ceil(size * share)) }
  }
  if (entries.length > size) return { known: entries, end: quietTime(entries, size) }
  const limit = Math.min(limits.maxLimit, Math.ceil(size / 10))
  const page = Math.ceil(size / limit)
  const response = await send(requestOf(null, { sortBy: 'createdAt', sortOrder: 'asc', limit, page }))
  const found = response.status === 200 && pageOf(response) === page ? (groupsIn(response.body) ?? []).flat() : []
  // The last of them has a neighbour that is not known.
  const end = quietTime(found, found.length - 1) ?? quietTime(entries, entries.length - 1)
  return { known: [...entries, ...found], end }
}

/**
 * Reads the oldest transactions of a ledger of which `first` is known: about `size`, up to a time without transactions.
 * What happens later in the ledger does not change them. Returns `undefined` if there is no such time.
 */
export const readWindow = async (send: Send, first: ReadLedger, size: number): Promise<ReadWindow | undefined> => {
  const { known, end: estimated } = await estimateEnd(send, first, size)
  let end = estimated
  let read: (ReadLedger & { readonly end: number }) | undefined
  for (let attempt = 0; attempt < maxTries && end !== undefined && end !== read?.end; attempt++) {
    const found: ReadLedger = await readLedger(send, { range: { endDate: isoOf(end) }, most: size * 2 })
    if (found.isTooLarge) {
      // Where pages count users, these are a part of what there is until then.
      end = quietTime(found.entries, Math.floor(size / (read ? 6 : 2)))
      continue
    }
    if (!read || found.entries.length > read.entries.length) read = { ...found, end }
    if (!found.isComplete || found.entries.length >= size / 2) break
    // Too few: in the part that is known, as many more as are lacking.
    const last = end
    const before = known.filter(({ createdAt }) => timeIn(createdAt) <= last).length
    end = quietTime(known, Math.ceil((Math.max(before, 1) * size) / Math.max(found.entries.length, 1)))
  }
  if (!read?.isComplete || read.entries.length === 0) return undefined
  const hiddenMs = hiddenMsIn(read.entries)
  const isQuiet = read.entries.every(({ createdAt }) => timeIn(createdAt) + hiddenMs < read.end)
  const quiet = isQuiet ? read.end : quietTime(read.entries, read.entries.length - 1)
  if (quiet === undefined) return undefined
  const entries = read.entries.filter(({ createdAt }) => timeIn(createdAt) <= quiet)
  const { users, later } = await readUsers(send, entries, quiet, size)
  const all = new Map([...known, ...read.entries, ...later].map((entry) => [entry.transactionId, entry]))
  const least = {
    transactions: all.size,
    users: new Set([...all.values()].map(({ platformId }) => platformId)).size,
  }
  return { ...read, entries, window: { end: quiet, later, users, least } }
}

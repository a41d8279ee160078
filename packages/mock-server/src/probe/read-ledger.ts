import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { fieldIn, groupsIn, type RawResponse } from './model/observe.ts'
import { readParts } from './read-parts.ts'
import { readNewer, readPages, type PageOptions, type PageResponse, type Send } from './read-pages.ts'

/** What was read. */
export interface ReadLedger {
  readonly entries: readonly LedgerEntry[]
  /** The requests that it took, with their responses. */
  readonly responses: readonly PageResponse[]
  /** The largest page that had data. */
  readonly knownPage: number
  /** Whether all of it could be read. */
  readonly isComplete: boolean
  /** Why not. */
  readonly reason?: string | undefined
  /** Whether there are more transactions than may be read. */
  readonly isTooLarge: boolean
}

const otherSorts = [
  { sortBy: 'createdAt', sortOrder: 'desc' },
  { sortBy: 'amount', sortOrder: 'asc' },
  { sortBy: 'amount', sortOrder: 'desc' },
  { sortBy: 'quantity', sortOrder: 'desc' },
]

/**
 * Reads what dates cannot separate, because too many transactions have the same: by other sorts, then user by user.
 * Returns whether the service counts as many transactions as were found.
 */
const readOtherwise = async (
  send: Send,
  entries: Map<string, LedgerEntry>,
  first: RawResponse | undefined,
  { range, ...options }: PageOptions,
) => {
  // The summary of a service may cover the page only.
  const onPage = (groupsIn(first?.body) ?? []).flat().length
  const isWhole = () => entries.size > onPage && fieldIn(first?.body, 'summary', 'totalTransactions') === entries.size
  const read = (more: Record<string, string>) => readPages(send, entries, { ...options, range: { ...range, ...more } })
  const users = new Set<string>()
  for (const sort of otherSorts) {
    if (isWhole()) return true
    if ((await read(sort)).isTooLarge) return false
  }
  for (const { platformId } of entries.values()) {
    if (isWhole()) return true
    if (users.has(platformId)) continue
    users.add(platformId)
    if ((await read({ platformId })).isTooLarge) return false
  }
  return isWhole()
}

/**
 * Reads the whole ledger, or a range of it. The totals of the service are not used: what they count is one of the
 * assumptions. Where pages end early, because the service has a largest page, it goes on by date.
 */
export const readLedger = async (send: Send, options: PageOptions = {}): Promise<ReadLedger> => {
  const { range = {}, most = Infinity } = options
  const more = { range, most }
  const entries = new Map<string, LedgerEntry>()
  const first = await readPages(send, entries, options)
  const { responses, isShort } = first
  let { isCut, isTooLarge } = first
  // Where pages count users, what is newer is not all that is lacking.
  if (isCut && first.isPerUser) ({ isCut, isTooLarge } = await readParts(send, entries, more))
  else {
    while (isCut) {
      const before = entries.size
      const newer = await readNewer(send, entries, 1, more)
      if (entries.size === before) break
      ;({ isCut, isTooLarge } = newer)
    }
  }
  if (isCut && (await readOtherwise(send, entries, responses[0]?.response, more))) isCut = false
  // A total that counts users is never larger.
  const hasHidden = first.isCut && Number(fieldIn(responses[0]?.response.body, 'pagination', 'total')) > entries.size
  return {
    entries: [...entries.values()],
    responses,
    knownPage: Math.max(1, first.pages),
    isComplete: !isCut && !isTooLarge && !isShort && !hasHidden,
    reason: isShort
      ? 'pages have fewer items than `limit`'
      : isTooLarge
        ? undefined
        : 'the largest page hides part of it',
    isTooLarge,
  }
}

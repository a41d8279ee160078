import { checkService } from './check-service.ts'
import { limits, type LedgerEntry } from '@guild-ledger/sdk/contract'
import { requestOf, type Candidate } from './candidate.ts'
import { timeIn } from './model/ledger-copy.ts'
import { fieldIn, groupsIn, type RawResponse } from './model/observe.ts'
import type { ProbeRequest } from './model/probe-request.ts'

/** Sends a request. */
export type Send = (request: ProbeRequest) => Promise<RawResponse>

/** What was read. */
export interface ReadLedger {
  readonly entries: readonly LedgerEntry[]
  /** The requests that it took, with their responses. */
  readonly responses: readonly { readonly candidate: Candidate; readonly response: RawResponse }[]
  /** The largest page that had data. */
  readonly knownPage: number
  /** Whether all of it could be read. */
  readonly isComplete: boolean
}

const pageOf = ({ body }: RawResponse): unknown => fieldIn(body, 'pagination', 'page')

/** Reads pages of list-all in the order of `createdAt`, from a time on. */
const readPages = async (
  send: Send,
  range: Record<string, string>,
  into: Map<string, LedgerEntry>,
  limit: number,
  most = Infinity,
) => {
  const responses: { candidate: Candidate; response: RawResponse }[] = []
  for (let page = 1; ; page++) {
    const request = requestOf(null, {
      sortBy: 'createdAt',
      sortOrder: 'asc',
      limit,
      ...range,
      ...(page > 1 && { page }),
    })
    const response = await send(request)
    if (page === 1 && Object.keys(range).length === 0) checkService(response)
    const groups = response.status === 200 ? (groupsIn(response.body) ?? []) : []
    const entries = groups.flat()
    responses.push({ candidate: { request, targets: [] }, response })
    const isFirst = page === 1
    if (entries.length === 0 || (!isFirst && pageOf(response) !== page)) {
      return {
        responses,
        pages: page - 1,
        isCut: !isFirst && (response.status === 400 || entries.length > 0),
        isTooLarge: false,
      }
    }
    for (const entry of entries) into.set(entry.transactionId, entry)
    if (into.size > most) return { responses, pages: page, isCut: false, isTooLarge: true }
    // More transactions than the limit: pages count users. As many as the limit: the next page tells.
    if (groups.length < limit && entries.length !== limit)
      return { responses, pages: page, isCut: false, isTooLarge: false }
  }
}

const newestIn = (entries: Iterable<LedgerEntry>): number => {
  let newest = -Infinity
  for (const entry of entries) newest = Math.max(newest, timeIn(entry.createdAt))
  return newest
}

/** Reads what is newer than the transactions at hand, and those at the end of them once more. */
export const readNewer = async (send: Send, into: Map<string, LedgerEntry>, overlapMs: number, most?: number) => {
  const startDate = new Date(Math.floor(newestIn(into.values())) - overlapMs).toISOString()
  return readPages(send, { startDate }, into, limits.maxLimit, most)
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
  most: number,
) => {
  // The summary of a service may cover the page only.
  const onPage = (groupsIn(first?.body) ?? []).flat().length
  const isWhole = () => entries.size > onPage && fieldIn(first?.body, 'summary', 'totalTransactions') === entries.size
  const users = new Set<string>()
  for (const range of otherSorts) {
    if (isWhole()) return true
    if ((await readPages(send, range, entries, limits.maxLimit, most)).isTooLarge) return false
  }
  for (const { platformId } of entries.values()) {
    if (isWhole()) return true
    if (users.has(platformId)) continue
    users.add(platformId)
    if ((await readPages(send, { platformId }, entries, limits.maxLimit, most)).isTooLarge) return false
  }
  return isWhole()
}

/**
 * Reads the whole ledger. The totals of the service are not used: what they count is one of the assumptions. Where pages
 * end early, because the service has a largest page, it goes on by date.
 */
export const readLedger = async (
  send: Send,
  { limit = limits.maxLimit, most = Infinity }: { readonly limit?: number; readonly most?: number } = {},
): Promise<ReadLedger> => {
  const entries = new Map<string, LedgerEntry>()
  const first = await readPages(send, {}, entries, limit, most)
  let { isCut, isTooLarge } = first
  const responses = [...first.responses]
  while (isCut) {
    const before = entries.size
    const more = await readNewer(send, entries, 1, most)
    if (entries.size === before) break
    ;({ isCut, isTooLarge } = more)
  }
  if (isCut && (await readOtherwise(send, entries, responses[0]?.response, most))) isCut = false
  return {
    entries: [...entries.values()],
    responses,
    knownPage: Math.max(1, first.pages),
    isComplete: !isCut && !isTooLarge,
  }
}

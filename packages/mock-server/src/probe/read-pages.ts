import { limits, type LedgerEntry } from '@guild-ledger/sdk/contract'
import { requestOf, type Candidate } from './candidate.ts'
import { checkService, checkTransactions } from './check-service.ts'
import { timeIn } from './model/ledger-copy.ts'
import { fieldIn, groupsIn, type RawResponse } from './model/observe.ts'
import type { ProbeRequest } from './model/probe-request.ts'

/** Sends a request. */
export type Send = (request: ProbeRequest) => Promise<RawResponse>

/** A request that read a part of the ledger, and its response. */
export interface PageResponse {
  readonly candidate: Candidate
  readonly response: RawResponse
}

/** Which pages to read. */
export interface PageOptions {
  /** Parameters besides `limit` and `page`, by which the ledger is not sorted otherwise. */
  readonly range?: Readonly<Record<string, string>>
  /** Size of a page. */
  readonly limit?: number
  /** Most transactions. */
  readonly most?: number
  /** Whether the first response says that there are more. */
  readonly isLarge?: (response: RawResponse) => boolean
}

/** The number of the page that a response shows. */
export const pageOf = ({ body }: RawResponse): unknown => fieldIn(body, 'pagination', 'page')

/** The pages that were read. */
interface ReadPages {
  readonly responses: PageResponse[]
  /** How many pages had data. */
  readonly pages: number
  /** Whether the service has a largest page, so that there may be more. */
  readonly isCut: boolean
  readonly isTooLarge: boolean
  /** Whether pages may count users: each has as many as the limit. */
  readonly isPerUser: boolean
  /** Whether a page had fewer items than the limit, although the next page has some. */
  readonly isShort: boolean
}

/** Reads pages of list-all in the order of `createdAt`. */
export const readPages = async (
  send: Send,
  into: Map<string, LedgerEntry>,
  { range = {}, limit = limits.maxLimit, most = Infinity, isLarge }: PageOptions = {},
): Promise<ReadPages> => {
  const responses: PageResponse[] = []
  let [count, isPerUser, isLast] = [0, true, false]
  const end = (pages: number, isCut: boolean, isTooLarge = false): ReadPages => ({
    responses,
    pages,
    isCut,
    isTooLarge,
    isPerUser,
    isShort: false,
  })
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
    checkTransactions(entries)
    const isFirst = page === 1
    if (isLast) return { ...end(page - 1, false), isShort: entries.length > 0 && pageOf(response) === page }
    responses.push({ candidate: { request, targets: [] }, response })
    if (entries.length === 0 || (!isFirst && pageOf(response) !== page)) {
      return end(page - 1, !isFirst && (response.status === 400 || entries.length > 0))
    }
    for (const entry of entries) into.set(entry.transactionId, entry)
    if (into.size > most || (isFirst && isLarge?.(response))) return end(page, false, true)
    // More transactions than the limit: pages count users. As many as the limit: the next page tells.
    isPerUser &&= groups.length === limit
    count += entries.length
    if (groups.length >= limit || entries.length === limit) continue
    // A total counts users or transactions. If it is larger than both, the next page tells.
    isLast = Number(fieldIn(response.body, 'pagination', 'total')) > count
    if (!isLast) return end(page, false)
  }
}

const newestIn = (entries: Iterable<LedgerEntry>): number => {
  let newest = -Infinity
  for (const entry of entries) newest = Math.max(newest, timeIn(entry.createdAt))
  return newest
}

/** Reads what is newer than the transactions at hand, and those at the end of them once more. */
export const readNewer = async (
  send: Send,
  into: Map<string, LedgerEntry>,
  overlapMs: number,
  { range, most = Infinity }: PageOptions = {},
) => {
  const startDate = new Date(Math.floor(newestIn(into.values())) - overlapMs).toISOString()
  return readPages(send, into, { range: { ...range, startDate }, most })
}

import type { Assumptions } from '../assumptions/index.ts'
import { noSuch, requestOf, withinWindow, type Candidate, type Parameters } from './candidate.ts'
import { gapAfter } from './gaps.ts'
import type { Item, LedgerCopy } from './model/ledger-copy.ts'
import { hugePage } from './model/parse-request.ts'
import { assumptionOf } from './model/variables.ts'
import { sourceChecks } from './source-checks.ts'

const hourMs = 3_600_000
const tooLate = Date.UTC(2999)

/**
 * Above the largest page on the other endpoint, and at it with another page size. Without a largest page, the last one that
 * has anything: a service may respond with an empty page above its largest one.
 */
const pageChecks = (user: string, most: number | null, last: number): Candidate[] => {
  const targets = ['maxPage', 'invalidParameter.pageAbove']
  if (most === null) {
    return [
      { request: requestOf(user, { page: hugePage, limit: 1 }), targets },
      ...(last > 1 ? [{ request: requestOf(null, { page: last, limit: 1 }), targets }] : []),
    ]
  }
  return [
    { request: requestOf(user, { page: most + 1, limit: 1 }), targets },
    { request: requestOf(null, { page: most + 1, limit: 2 }), targets },
    { request: requestOf(null, { page: most, limit: 100 }), targets },
  ]
}

/** A range that begins right after the first transaction and ends right before the last. */
const rangeInside = ({ items, hiddenMs }: LedgerCopy): Parameters => {
  const [low, high] = [items[0], items.at(-1)]
  if (!low || !high || high.at - low.at < hiddenMs + 3) return {}
  const [start, end] = [Math.floor(low.at) + hiddenMs + 1, Math.ceil(high.at) - 1]
  return { startDate: new Date(start).toISOString(), endDate: new Date(end).toISOString() }
}

const timeInMiddle = (items: readonly Item[]): string | undefined => {
  const item = items[items.length >> 1]
  return item && new Date(Math.floor(item.at)).toISOString()
}

/**
 * A range without the other end, at the time of a transaction: a service may treat it as no range. If only a part of the
 * ledger is known, one without an end is of a user of whom everything is known.
 */
const halfRanges = ({ items, wholeUsers, hiddenMs, window }: LedgerCopy): Candidate[] => {
  const [user, own] = [...wholeUsers].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? []
  const [start, end] = [timeInMiddle((window && own) ?? items), timeInMiddle(items)]
  if (start === undefined || end === undefined || hiddenMs > 0) return []
  const ofUser = window === undefined ? {} : { platformId: user ?? noSuch }
  return [
    ...(window && !user
      ? []
      : [{ request: requestOf(null, { ...ofUser, startDate: start, limit: 100 }), targets: ['startDateBound'] }]),
    { request: requestOf(null, { endDate: end, limit: 100 }), targets: ['endDateBound'] },
  ]
}

/** The page after the last. */
const pageAfter = (items: readonly Item[]): number => Math.max(1, Math.ceil(items.length / 100)) + 1

/** Each sort: only together do they show that equal values are in one order, which is that in which they entered. */
const tieChecks = ({ tieOrder }: Partial<Assumptions>): Candidate[] =>
  tieOrder === 'ledger'
    ? ['amount', 'quantity', 'total'].map((sortBy) => ({
        request: requestOf(null, { sortBy, sortOrder: 'asc', limit: 100 }),
        targets: ['tieOrder'],
      }))
    : []

/** An offset that has a plus, which some services take for a space, and does not end in full hours. */
const offsetChecks = ({ items, hiddenMs, window }: LedgerCopy): Candidate[] => {
  const gap = gapAfter(items, 0.5, hiddenMs)
  if (gap === undefined && window) return []
  const next = items.find(({ at }) => at > (gap ?? tooLate))?.at ?? tooLate
  // Right before a transaction: half an hour later, it is not in the range.
  const time = Math.max(gap ?? 0, Math.floor(next) - 1)
  const startDate = `${new Date(time + 5.5 * hourMs).toISOString().slice(0, -1)}+05:30`
  return [{ request: requestOf(null, { startDate, limit: 100 }), targets: ['dateTimeForms.offset'] }]
}

/** All filters of a user at once, none of which a summary may ignore, and a page that is shorter than what matches. */
const filtersCheck = (user: string, items: readonly Item[]): Candidate[] => {
  const amountsOf = (source: string): number[] =>
    [...new Set(items.filter(({ entry }) => entry.source === source).map(({ entry }) => entry.amount))].toSorted(
      (a, b) => a - b,
    )
  const sources = [...new Set(items.map(({ entry }) => entry.source))]
  const [{ from, amounts } = { from: '', amounts: [] }] = sources
    .map((source) => ({ from: source, amounts: amountsOf(source) }))
    .toSorted((a, b) => b.amounts.length - a.amounts.length)
  const [, minAmount = 0] = amounts
  const maxAmount = amounts.at(-2) ?? 0
  if (minAmount < 0 || minAmount >= maxAmount) return []
  const request = requestOf(null, { platformId: user, from, minAmount, maxAmount, limit: 1 })
  return [{ request, targets: ['summaryScope', 'pageUnit'] }]
}

/** What a service rejects or ignores, with other parameters or on the other endpoint. */
const unusualParameterChecks = (user: string, { window }: LedgerCopy): Candidate[] => [
  { request: requestOf(user, { limit: 101 }), targets: ['invalidParameter.limitAbove'] },
  { request: requestOf(user, { sortBy: 'name', limit: 4 }), targets: ['invalidParameter.sortBy'] },
  { request: requestOf(null, { sortOrder: 'bogus', limit: 4 }), targets: ['invalidParameter.sortBy'] },
  { request: requestOf(null, { limit: '5abc' }), targets: ['invalidParameter.number'] },
  { request: requestOf(null, { minAmount: 'abc', limit: 6 }), targets: ['invalidParameter.amount'] },
  // If a service ignores the end of a window, the response has transactions that are unknown.
  ...(window ? [] : [{ request: requestOf(null, { endDate: 'bogus', limit: 5 }), targets: ['invalidParameter.date'] }]),
  ...[null, user].map((one) => ({
    request: requestOf(one, { minAmount: 2, maxAmount: 1, limit: 9 }),
    targets: ['invertedRange.amount'],
  })),
  { request: requestOf(user, { 'x-probe': 1, limit: 3 }), targets: ['unlistedParameter.user'] },
  { request: requestOf(user, { limit: [2, 3] }), targets: ['repeatedParameter.limit'] },
  { request: requestOf(null, { sortBy: ['quantity', 'amount'], limit: 100 }), targets: ['repeatedParameter.limit'] },
]

/**
 * Requests that test decided values where they were not inferred: on the other endpoint, for another user, with other
 * values of the parameters. A service may behave differently there, and then no value describes it.
 */
export const checksFor = (copy: LedgerCopy, decided: Partial<Assumptions>): Candidate[] => {
  const users = [...copy.wholeUsers].toSorted(([, a], [, b]) => b.length - a.length)
  const [[user, items] = [noSuch, []]] = users
  const [other = user] = users.find(([, { length }]) => length !== items.length) ?? []
  const sorts = ['createdAt', 'amount', 'quantity', 'total'].filter((sortBy) => sortBy !== decided.userSortBy)
  const userDefaults = ['userLimit', 'userSortBy', 'userSortOrder']
  const all: Candidate[] = [
    { request: requestOf(null, { limit: 3 }), targets: [] },
    { request: requestOf(user, {}), targets: userDefaults },
    { request: requestOf(other, {}), targets: userDefaults },
    ...sorts.map((sortBy) => ({
      request: requestOf(user, { sortBy, limit: 100 }),
      targets: ['userSortOrder', 'tieOrder'],
    })),
    ...tieChecks(decided),
    ...sourceChecks(user, items, copy.items),
    { request: requestOf(user, { from: noSuch }), targets: ['notFoundWhen.match', 'emptyTotalPages'] },
    ...['from', 'platformId'].map((name) => ({
      request: requestOf(null, { [name]: noSuch, limit: 7 }),
      targets: ['notFoundWhen.match', 'emptyTotalPages'],
    })),
    { request: requestOf(user, { page: pageAfter(items), limit: 100 }), targets: ['notFoundWhen.page', 'maxPage'] },
    {
      request: requestOf(null, { page: pageAfter(copy.items), limit: 100 }),
      targets: ['notFoundWhen.page', 'maxPage'],
    },
    ...unusualParameterChecks(user, copy),
    ...offsetChecks(copy),
    ...filtersCheck(user, items),
    ...(decided.maxPage === undefined
      ? []
      : pageChecks(user, decided.maxPage, decided.pageUnit === 'transaction' ? copy.items.length : copy.byUser.size)),
  ]
  const halves = halfRanges(copy)
  const isDecided = (target: string): boolean => Object.hasOwn(decided, assumptionOf(target))
  const ranged = requestOf(null, { ...rangeInside(copy), limit: 100 })
  const windowed = [
    ...all.filter(({ targets }) => targets.length === 0 || targets.some(isDecided)),
    // It also shows what the summary covers, whatever is known of the bounds.
    { request: ranged, targets: ['startDateBound', 'endDateBound'] },
  ].map(({ request, targets }) => ({ request: withinWindow(request, copy), targets }))
  return [...windowed, ...halves.filter(({ targets }) => targets.some(isDecided))]
}

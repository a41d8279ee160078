import type { Item, LedgerCopy } from './model/ledger-copy.ts'
import { hugePage } from './model/parse-request.ts'
import { noSuch, requestOf, withinWindow, type Candidate, type Parameters } from './candidate.ts'
import { dateFormCandidates } from './date-forms.ts'
import { dateCandidates, sourceCandidates } from './filter-candidates.ts'

const tooLate = '2999-01-01T00:00:00.000Z'

/** A service that accepts an invalid value shows an order as well. */
const invalidKinds: Readonly<Record<string, Parameters>> = {
  limitAbove: { limit: 101, sortBy: 'quantity', sortOrder: 'asc' },
  limitBelow: { limit: 0, sortBy: 'total', sortOrder: 'asc' },
  pageBelow: { page: 0, limit: 100, sortBy: 'amount', sortOrder: 'asc' },
  number: { limit: 'abc', sortBy: 'amount', sortOrder: 'desc' },
  sortBy: { sortBy: 'bogus', limit: 4 },
  date: { startDate: 'bogus', limit: 100, sortBy: 'name', sortOrder: 'asc' },
  amount: { maxAmount: -1, limit: 100, sortBy: 'quantity', sortOrder: 'desc' },
}

const kindsOf = (...kinds: string[]): string[] => kinds.map((kind) => `invalidParameter.${kind}`)

/** Requests that show something whatever the ledger holds. */
const anyLedger = (): Candidate[] => [
  ...Object.entries(invalidKinds).map(([kind, parameters]) => ({
    request: requestOf(null, parameters),
    targets: kindsOf(kind),
  })),
  {
    request: requestOf(null, { limit: 101, page: 0, sortBy: 'bogus', startDate: 'bogus' }),
    targets: kindsOf('limitAbove', 'pageBelow', 'sortBy', 'date'),
  },
  {
    request: requestOf(null, { limit: 0, page: 'abc', sortBy: 'name', sortOrder: 'desc' }),
    targets: kindsOf('limitBelow', 'number'),
  },
  { request: requestOf(null, { minAmount: 2, maxAmount: 1, limit: 9 }), targets: ['invertedRange.amount'] },
  {
    request: requestOf(null, { startDate: tooLate, endDate: '2998-01-01T00:00:00.000Z', limit: 9 }),
    targets: ['invertedRange.date'],
  },
  {
    request: requestOf(null, { 'x-probe': 1, limit: 100, sortBy: 'name', sortOrder: 'desc' }),
    targets: ['unlistedParameter.guild'],
  },
  // The first, the last, the smallest and the largest are four values.
  {
    request: requestOf(null, { limit: [3, 5, 2, 4], sortBy: 'total', sortOrder: 'desc' }),
    targets: ['repeatedParameter.limit'],
  },
  { request: requestOf(null, { page: hugePage, limit: 1 }), targets: ['maxPage', 'invalidParameter.pageAbove'] },
  { request: requestOf(noSuch, { limit: 1 }), targets: ['notFoundWhen.unknown'] },
  { request: requestOf(null, { from: noSuch, limit: 7 }), targets: ['notFoundWhen.match', 'emptyTotalPages'] },
]

const userDefaults = ['userLimit', 'userSortBy', 'userSortOrder']

const userCandidates = (users: readonly (readonly [string, readonly Item[]])[]): Candidate[] =>
  users.flatMap(([user, items], rank) => {
    const last = Math.max(1, Math.ceil(items.length / 100))
    const amounts = items.map(({ entry }) => entry.amount).toSorted((a, b) => a - b)
    const [low = 0, high = 1] = [amounts[Math.floor(amounts.length / 3)], amounts[Math.ceil((amounts.length * 2) / 3)]]
    return [
      { request: requestOf(user, {}), targets: userDefaults },
      { request: requestOf(user, { startDate: tooLate }), targets: [...userDefaults, 'unlistedParameter.user'] },
      { request: requestOf(user, { limit: 100 }), targets: ['userSortBy', 'userSortOrder'] },
      {
        request: requestOf(null, { platformId: user, sortBy: 'name', sortOrder: 'asc', limit: 100 }),
        targets: ['nameOrder'],
      },
      ...(rank > 0
        ? []
        : [
            {
              request: requestOf(null, { platformId: user, limit: 1 }),
              targets: ['pageUnit', 'totalUnit', 'summaryScope'],
            },
            { request: requestOf(user, { startDate: tooLate, limit: 1 }), targets: ['unlistedParameter.user'] },
            { request: requestOf(user, { page: last + 1, limit: 100 }), targets: ['notFoundWhen.page', 'maxPage'] },
            { request: requestOf(user, { from: noSuch }), targets: ['notFoundWhen.match', 'emptyTotalPages'] },
            {
              request: requestOf(
                user,
                low < high ? { minAmount: high, maxAmount: low } : { minAmount: high + 2, maxAmount: high + 1 },
              ),
              targets: ['invertedRange.amount', 'notFoundWhen.match', 'emptyTotalPages'],
            },
          ]),
      ...(rank === 0 ? ['amount', 'quantity', 'total'] : []).flatMap((sortBy) =>
        ['asc', 'desc'].map((sortOrder) => ({
          request: requestOf(user, { sortBy, sortOrder, limit: 100 }),
          targets: ['tieOrder'],
        })),
      ),
    ]
  })

const guildCandidates = ({ items }: LedgerCopy): Candidate[] => {
  const last = Math.max(1, Math.ceil(items.length / 100))
  const amounts = items.map(({ entry }) => entry.amount).toSorted((a, b) => a - b)
  const median = amounts[amounts.length >> 1] ?? 0
  const units = ['pageUnit', 'totalUnit', 'summaryScope', 'totalValueOf']
  return [
    { request: requestOf(null, { limit: 1 }), targets: units },
    {
      request: requestOf(null, { limit: 2, minAmount: median, sortBy: 'createdAt', sortOrder: 'asc' }),
      targets: units,
    },
    { request: requestOf(null, { page: last + 1, limit: 100 }), targets: ['notFoundWhen.page', 'maxPage'] },
    // A largest page of 1 shows where there is a second one.
    { request: requestOf(null, { page: 2, limit: 1 }), targets: ['maxPage', 'invalidParameter.pageAbove'] },
    ...['quantity', 'name', 'amount', 'total', 'createdAt'].flatMap((sortBy) =>
      ['asc', 'desc'].map((sortOrder) => ({
        request: requestOf(null, { sortBy, sortOrder, limit: 100 }),
        targets: [
          'groupOrder',
          ...(sortBy === 'createdAt' ? [] : ['tieOrder']),
          ...(sortBy === 'name' ? ['nameOrder'] : []),
        ],
      })),
    ),
  ]
}

const sortedBy = (items: readonly Item[], keyOf: (item: Item) => number): string => {
  const keys = [...new Set(items.map(keyOf))].toSorted((a, b) => a - b)
  return items.map((item) => keys.indexOf(keyOf(item))).join()
}

/** In how many ways the sorts order the transactions of a user. */
const sortsOf = (items: readonly Item[]): number =>
  new Set([
    sortedBy(items, ({ at }) => at),
    sortedBy(items, ({ entry }) => entry.amount),
    sortedBy(items, ({ entry }) => entry.quantity),
    sortedBy(items, ({ entry }) => entry.total),
  ]).size

/** Users worth a request: those with most transactions, with few, and those whose transactions tell the sorts apart. */
const usersFor = ({ wholeUsers }: LedgerCopy): (readonly [string, readonly Item[]])[] => {
  const users = [...wholeUsers].toSorted(([, a], [, b]) => b.length - a.length)
  const several = users.filter(([, { length }]) => length > 1 && length <= 20)
  const best = several.slice(0, 30).toSorted(([, a], [, b]) => sortsOf(b) - sortsOf(a))
  return [...new Set([...users.slice(0, 2), ...best.slice(0, 3), ...several.slice(-1)])]
}

/** Every request that could show something about the service, for the ledger it has. */
export const createCandidates = (copy: LedgerCopy): Candidate[] => {
  const candidates = [
    ...anyLedger(),
    ...dateFormCandidates(copy),
    ...(copy.items.length === 0
      ? []
      : [
          ...guildCandidates(copy),
          ...userCandidates(usersFor(copy)),
          ...sourceCandidates(copy),
          ...dateCandidates(copy),
        ]),
  ]
  return candidates.map(({ request, targets }) => ({ request: withinWindow(request, copy), targets }))
}

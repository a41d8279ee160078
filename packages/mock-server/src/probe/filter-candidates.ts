import type { Item, LedgerCopy } from './model/ledger-copy.ts'
import { gapAfter } from './gaps.ts'
import { keyOf } from './model/context.ts'
import { fitsSource } from './model/select-items.ts'
import { valuesTried } from './model/variables.ts'
import { noSuch, requestOf, type Candidate } from './candidate.ts'

/** Forms of a source that some rule matches and another does not. */
const formsOf = (source: string): string[] => [
  source.toUpperCase(),
  source.toLowerCase(),
  source,
  source.slice(1),
  source.slice(0, -1),
  source.slice(1, -1),
  source.slice(1, -1).toUpperCase(),
  source.slice(0, Math.ceil(source.length / 2)),
  source.slice(Math.floor(source.length / 2)),
]

/** Requests with the sources whose matches differ most between the rules. */
export const sourceCandidates = ({ items }: LedgerCopy): Candidate[] => {
  const sources = [...new Set(items.map(({ entry }) => entry.source))].slice(0, 12)
  const forms = [...new Set(sources.flatMap(formsOf))].filter((form) => form !== '')
  const rules = valuesTried('sourceMatch')
  const scored = forms.map((form) => {
    const matches = rules.map((rule) => items.filter(fitsSource([form], rule)))
    return { form, kinds: new Set(matches.map(keyOf)).size }
  })
  const best = scored.filter(({ kinds }) => kinds > 1).toSorted((a, b) => b.kinds - a.kinds)
  const [first = noSuch, second = noSuch] = sources
  return [
    ...best.slice(0, 6).flatMap(({ form }) => [
      { request: requestOf(null, { from: form, limit: 100 }), targets: ['sourceMatch', 'summaryScope', 'totalUnit'] },
      {
        request: requestOf(null, { from: form, limit: 3, sortBy: 'name', sortOrder: 'asc', 'x-probe': 1 }),
        targets: ['sourceMatch', 'summaryScope', 'nameOrder', 'unlistedParameter.guild', 'pageUnit', 'totalUnit'],
      },
    ]),
    { request: requestOf(null, { from: [first, second], limit: 100 }), targets: ['repeatedParameter.from'] },
    {
      request: requestOf(null, { from: [second, first], limit: [3, 5, 2, 4] }),
      targets: ['repeatedParameter.from', 'repeatedParameter.limit'],
    },
  ]
}

const isoOf = ({ at }: Item): string => new Date(Math.floor(at)).toISOString()

/** How many transactions must agree on a bound: one of them may hide digits below a millisecond. */
export const boundsNeeded = 3

/** What else the requests with bounds show: how a sort orders what they match. */
const boundSorts = [
  { parameters: { sortBy: 'name', sortOrder: 'asc' }, targets: ['nameOrder'] },
  { parameters: { sortBy: 'amount', sortOrder: 'desc' }, targets: ['tieOrder'] },
  { parameters: { sortBy: 'quantity', sortOrder: 'asc' }, targets: ['tieOrder'] },
] as const

/** Requests whose bounds are the time of a transaction. */
const boundCandidates = ({ byUser, hiddenMs }: LedgerCopy): Candidate[] => {
  if (hiddenMs > 0) return []
  const users = [...byUser]
    .filter(([, items]) => items.length > 1 && items.length <= 100)
    .toSorted(([, a], [, b]) => b.length - a.length)
  const pairs = users.flatMap(([user, items]) => {
    const times = [...new Map(items.map((item) => [item.at, item])).values()]
    const half = times.length >> 1
    return times.slice(0, half).map((start, i) => ({ user, start, end: times[times.length - 1 - i] as Item }))
  })
  return pairs.slice(0, boundsNeeded * 2).map(({ user, start, end }, i) => {
    const { parameters, targets } = boundSorts[i % boundSorts.length] as (typeof boundSorts)[number]
    const range = { platformId: user, startDate: isoOf(start), endDate: isoOf(end), limit: 100 }
    return {
      request: requestOf(null, { ...range, ...parameters }),
      targets: ['startDateBound', 'endDateBound', ...targets, 'summaryScope', 'totalUnit', 'pageUnit'],
    }
  })
}

const invertedDates = ({ items, hiddenMs }: LedgerCopy): Candidate[] => {
  const [early, late] = [gapAfter(items, 0.2, hiddenMs), gapAfter(items, 0.7, hiddenMs)]
  const range =
    early === undefined || late === undefined || early >= late
      ? undefined
      : { startDate: new Date(late).toISOString(), endDate: new Date(early).toISOString() }
  return [
    {
      request: requestOf(null, {
        ...(range ?? { startDate: '2999-02-01T00:00:00.000Z', endDate: '2999-01-01T00:00:00.000Z' }),
        limit: 8,
      }),
      targets: ['invertedRange.date', 'notFoundWhen.match', 'emptyTotalPages'],
    },
  ]
}

/** Requests with dates. */
export const dateCandidates = (copy: LedgerCopy): Candidate[] => [...boundCandidates(copy), ...invertedDates(copy)]

import { requestOf, type Candidate } from './candidate.ts'
import { gapAfter } from './gaps.ts'
import type { Item, LedgerCopy } from './model/ledger-copy.ts'
import type { ProbeRequest } from './model/probe-request.ts'

const nearMs = 30 * 60_000
const maxInRange = 50
const tooLate = '2999-01-01T00:00:00.000Z'

/** The first position whose transaction is not before a time. */
const positionOf = (items: readonly Item[], time: number): number => {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle]?.at ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}

/** London, Dublin and Lisbon differ from UTC only in summer. */
const isSummer = (time: number): boolean => {
  const month = new Date(time).getUTCMonth()
  return month >= 3 && month <= 8
}

/**
 * Whether a time in another zone would be before or after another transaction: no zone that differs from UTC differs by
 * less than half an hour.
 */
const tellsZones = ({ items, hiddenMs }: LedgerCopy, time: number): boolean => {
  const next = positionOf(items, time)
  const [before = -Infinity, after = Infinity] = [items[next - 1]?.at, items[next]?.at]
  const inRange = positionOf(items, time + nearMs) - positionOf(items, time - nearMs)
  return (
    isSummer(time) &&
    before > time - nearMs &&
    before + hiddenMs < time &&
    after > time &&
    after + hiddenMs < time + nearMs &&
    inRange <= maxInRange
  )
}

const withoutZone = (time: number): string => new Date(time).toISOString().slice(0, -1)
const dayMs = 86_400_000

/** Times for each form. */
const timesFor: Readonly<Record<string, (copy: LedgerCopy) => number[]>> = {
  noOffset: ({ items, hiddenMs }) => items.map(({ at }) => Math.floor(at) + hiddenMs + 1),
  date: ({ items }) => [...new Set(items.map(({ at }) => Math.ceil(at / dayMs) * dayMs))],
}

const textOf = (form: string, time: number): string =>
  form === 'date' ? withoutZone(time).slice(0, 10) : withoutZone(time)

/** A time that does not tell zones: one that splits the ledger, if there is one. */
const untold = ({ items, hiddenMs }: LedgerCopy, form: string): number => {
  const late = Date.parse(tooLate)
  return form === 'date' ? late : (gapAfter(items, 0.4, hiddenMs) ?? late)
}

const hourMs = 3_600_000

/**
 * A start with an offset. Without the offset, the time would be before a transaction that it is after: this shows a service
 * that ignores the offset.
 */
const offsetCandidate = ({ items, hiddenMs }: LedgerCopy): Candidate => {
  const last = items.at(-1)
  const time = gapAfter(items, 0.4, hiddenMs) ?? (last ? Math.floor(last.at) + hiddenMs + 1 : Date.parse(tooLate))
  const startDate = `${withoutZone(time - hourMs)}-01:00`
  return {
    request: requestOf(null, { startDate, limit: 100, sortBy: 'createdAt', sortOrder: 'asc' }),
    targets: ['dateTimeForms.offset'],
  }
}

/** The first moments of days with transactions, if none is at the first or last moment: the middle one first. */
const daysOf = (items: readonly Item[], hiddenMs: number): number[] => {
  const days = [...new Set(items.map(({ at }) => Math.floor(at / dayMs) * dayMs))].filter((day) =>
    [day, day + dayMs].every((time) => items.every(({ at }) => at > time || at + hiddenMs < time - 1)),
  )
  return [...days.slice(days.length >> 1), ...days.slice(0, days.length >> 1)]
}

/**
 * An end that is the date of a transaction: a service may take it for the end of the day. If only a part of the ledger is
 * known, it is about a user of whom everything is known.
 */
const endCandidates = ({ items, wholeUsers, window, hiddenMs }: LedgerCopy): Candidate[] => {
  const users = window
    ? [...wholeUsers].toSorted(([, a], [, b]) => b.length - a.length).slice(0, 1)
    : ([[null, items]] as const)
  return users.flatMap(([user, own]) =>
    daysOf(own, hiddenMs)
      .slice(0, 1)
      .map((day) => ({
        request: requestOf(null, {
          ...(user !== null && { platformId: user }),
          endDate: textOf('date', day),
          limit: 100,
          sortBy: 'createdAt',
          sortOrder: 'desc',
        }),
        targets: ['dateTimeForms.endDate'],
      })),
  )
}

/** Requests whose start is a time without an offset, and a date alone. */
const startCandidates = (copy: LedgerCopy): Candidate[] =>
  Object.entries(timesFor).map(([form, times], i) => {
    const sortOrder = i === 0 ? 'asc' : 'desc'
    const time = times(copy).find((one) => tellsZones(copy, one))
    const range =
      time === undefined
        ? { startDate: textOf(form, untold(copy, form)), sortBy: 'amount', sortOrder }
        : { startDate: textOf(form, time), endDate: new Date(time + nearMs).toISOString() }
    return { request: requestOf(null, { ...range, limit: 100 }), targets: [`dateTimeForms.${form}`] }
  })

/** Requests with a time without an offset, with a date alone as the start and as the end, and with an offset. */
export const dateFormCandidates = (copy: LedgerCopy): Candidate[] => [
  ...startCandidates(copy),
  offsetCandidate(copy),
  ...endCandidates(copy),
]

/** Whether one of these requests would have shown that a form is taken for the time in another zone. */
export const showsZone = (copy: LedgerCopy, form: string, requests: readonly ProbeRequest[]): boolean =>
  requests.some(({ parameters }) =>
    parameters.some(([name, text]) => {
      const time = Date.parse(form === 'date' ? text : `${text}Z`)
      return name === 'startDate' && text === textOf(form, Number.isNaN(time) ? 0 : time) && tellsZones(copy, time)
    }),
  )

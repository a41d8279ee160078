import type { Item, LedgerCopy } from './ledger-copy.ts'
import type { Parsed, Read } from './parse-request.ts'
import { valuesTried, type Value } from './variables.ts'
import { keptFor } from './kept-results.ts'

const none: readonly Item[] = []

/** Transactions that match; `undefined` where hidden digits of `createdAt` decide, or what is outside of the window. */
export type Match = readonly Item[] | undefined

const sourceTests: Readonly<Record<string, (source: string, from: string) => boolean>> = {
  exact: (source, from) => source === from,
  'case-insensitive': (source, from) => source.toLowerCase() === from.toLowerCase(),
  contains: (source, from) => source.includes(from),
  prefix: (source, from) => source.startsWith(from),
  suffix: (source, from) => source.endsWith(from),
  'contains-any-case': (source, from) => source.toLowerCase().includes(from.toLowerCase()),
}

/** Whether a transaction's source matches by a rule. */
export const fitsSource = (from: readonly string[] | undefined, rule: Value) => {
  const test = sourceTests[String(rule)]
  // Few sources have many transactions.
  const known = new Map<string, boolean>()
  return ({ entry: { source } }: Item): boolean => {
    const fits = known.get(source) ?? (from === undefined || from.some((text) => test?.(source, text)))
    known.set(source, fits)
    return fits
  }
}

/** 1: after the start. 0: hidden digits decide. -1: before it. */
const sideOf = (at: number, bound: number, hiddenMs: number): number => {
  if (at > bound) return 1
  return at + hiddenMs > bound && hiddenMs > 0 ? 0 : at === bound ? 0 : -1
}

const isSame = (a: readonly Item[], b: readonly Item[]): boolean =>
  a.length === b.length && a.every((item, i) => item === b[i])

/** What each rule of `sourceMatch` matches; the same array where rules match the same. */
const byRules = (items: readonly Item[], from: readonly string[]): ReadonlyMap<Value, readonly Item[]> => {
  const found: (readonly Item[])[] = [items]
  return new Map(
    valuesTried('sourceMatch').map((rule) => {
      const matching = items.filter(fitsSource(from, rule))
      const same = found.find((one) => isSame(one, matching))
      if (!same) found.push(matching)
      return [rule, same ?? matching]
    }),
  )
}

const fromSource = (items: readonly Item[], from: readonly string[], read: Read): readonly Item[] => {
  const matches = keptFor(items, ['source', ...from], () => byRules(items, from))
  const [first] = matches.values()
  const isAlways = [...matches.values()].every((one) => one === first)
  return (isAlways ? first : matches.get(read('sourceMatch'))) ?? []
}

/** The transactions between two times, and those exactly at them; `undefined` where hidden digits decide. */
const between = ({ hiddenMs }: LedgerCopy, items: readonly Item[], start: number, end: number) => {
  const kept = items.filter(({ at }) => sideOf(at, start, hiddenMs) >= 0 && sideOf(at, end, hiddenMs) <= 0)
  const isAtStart = ({ at }: Item) => sideOf(at, start, hiddenMs) === 0
  const isAtEnd = ({ at }: Item) => sideOf(at, end, hiddenMs) === 0
  const [atStart, atEnd] = [kept.some(isAtStart), kept.some(isAtEnd)]
  if (hiddenMs > 0 && (atStart || atEnd)) return { atStart, atEnd, variant: undefined }
  const variants = [false, true].map((noStart) =>
    [false, true].map((noEnd) => kept.filter((item) => !(noStart && isAtStart(item)) && !(noEnd && isAtEnd(item)))),
  )
  return { atStart, atEnd, variant: (noStart: boolean, noEnd: boolean) => variants[Number(noStart)]?.[Number(noEnd)] }
}

const inDates = (copy: LedgerCopy, items: readonly Item[], { startDate, endDate }: Parsed, read: Read): Match => {
  if (startDate === undefined && endDate === undefined) return items
  const { atStart, atEnd, variant } = keptFor(items, ['dates', copy.hiddenMs, startDate, endDate], () =>
    between(copy, items, startDate ?? -Infinity, endDate ?? Infinity),
  )
  if (!variant) return undefined
  return variant(atStart && read('startDateBound') === 'exclusive', atEnd && read('endDateBound') === 'exclusive')
}

/** Whether a request asks for transactions that are outside of the window. */
const isBeyondWindow = ({ window }: LedgerCopy, { startDate = -Infinity, endDate = Infinity }: Parsed): boolean =>
  window !== undefined && endDate > window.end && startDate <= endDate

const plainly = (copy: LedgerCopy, user: string | null, parsed: Parsed): readonly Item[] => {
  const { platformId, minAmount = -Infinity, maxAmount = Infinity } = parsed
  const own = user ?? platformId
  const isInWindow = user === null && !isBeyondWindow(copy, parsed)
  const all = own === undefined ? copy.items : ((isInWindow ? copy.byUser : copy.wholeUsers).get(own) ?? none)
  if (minAmount === -Infinity && maxAmount === Infinity && (platformId === undefined || platformId === own)) return all
  return keptFor(all, ['plain', minAmount, maxAmount, platformId], () =>
    all.filter(
      ({ entry: { amount, platformId: id } }) =>
        amount >= minAmount && amount <= maxAmount && (platformId === undefined || id === platformId),
    ),
  )
}

/** Of the transactions that match, those in the window. */
export const selectInWindow = (copy: LedgerCopy, parsed: Parsed, read: Read): Match =>
  copy.window && selectItems(copy, null, { ...parsed, endDate: copy.window.end }, read)

/** The transactions that match the filters of a request. */
export const selectItems = (copy: LedgerCopy, user: string | null, parsed: Parsed, read: Read): Match => {
  // Of some users, all transactions are known.
  const isKnown = user !== null || copy.wholeUsers.has(parsed.platformId ?? '')
  if (!isKnown && isBeyondWindow(copy, parsed)) return undefined
  const plain = plainly(copy, user, parsed)
  return inDates(copy, parsed.from ? fromSource(plain, parsed.from, read) : plain, parsed, read)
}

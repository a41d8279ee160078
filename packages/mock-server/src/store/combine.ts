import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { compareNames } from './order.ts'
import type { TableSelection } from './select.ts'
import type { Selection, Sort, SumField } from './selection.ts'
import { commonScale, sumOf } from './sum.ts'
import { timestampOf } from './timestamp.ts'

type Slice = Selection['slice']

/** What a selection computes when it is first needed, for all pages of a query. */
interface Lazy {
  readonly total: number
  readonly slice: Slice
  countUsers(): number
  add(field: SumField): number
}

const chunk = 4096

/** Different users in the order of their first match. Most have one early, so not all matches are read. */
const firstUsers = (count: number, { total, slice }: Lazy): string[] => {
  const users = new Set<string>()
  for (let start = 0; start < total && users.size < count; start += chunk) {
    for (const { platformId } of slice(start, start + chunk)) users.add(platformId)
  }
  return [...users]
}

const selectionOf = (lazy: Lazy): Selection => {
  const sums = new Map<SumField, number>()
  let userCount: number | undefined
  let users: readonly string[] | undefined
  const selection: Selection = {
    total: lazy.total,
    slice: lazy.slice,
    get userCount() {
      return (userCount ??= lazy.countUsers())
    },
    get users() {
      return (users ??= firstUsers(selection.userCount, lazy))
    },
    sum(field) {
      const sum = sums.get(field) ?? lazy.add(field)
      sums.set(field, sum)
      return sum
    },
  }
  return selection
}

const sliceOf =
  ({ table: { entries }, page }: TableSelection): Slice =>
  (start, end) => {
    const indexes = page(start, end)
    const found: LedgerEntry[] = []
    for (let i = 0; i < indexes.length; i++) found.push(entries[indexes[i] as number] as LedgerEntry)
    return found
  }

const fromOne = (selected: TableSelection): Selection => {
  const { table, matches } = selected
  return selectionOf({
    total: matches.total,
    slice: sliceOf(selected),
    countUsers: () => selected.countUsers(),
    add(field) {
      const scale = table.scale(field)
      return scale ? matches.integerSum(field) / scale.factor : sumOf(matches.values(field))
    },
  })
}

const compareValues: Record<Sort['by'], (a: LedgerEntry, b: LedgerEntry, names: Sort['names']) => number> = {
  amount: (a, b) => a.amount - b.amount,
  quantity: (a, b) => a.quantity - b.quantity,
  total: (a, b) => a.total - b.total,
  createdAt: (a, b) => (timestampOf(a.createdAt) ?? 0) - (timestampOf(b.createdAt) ?? 0),
  name: (a, b, names) => compareNames[names](a.name, b.name),
}

/** Whether a transaction comes before one that entered the ledger earlier. */
const isBefore = (late: LedgerEntry, early: LedgerEntry, { by, order, names, ties }: Sort): boolean => {
  const difference = compareValues[by](late, early, names)
  if (difference !== 0) return difference < 0 === (order === 'asc')
  return ties === 'transaction-id' && late.transactionId < early.transactionId
}

/** How many of the first `start` matches are late ones, by halving. */
const countLate = (start: number, early: Selection, late: Selection, sort: Sort): number => {
  let low = Math.max(0, start - early.total)
  let high = Math.min(start, late.total)
  while (low < high) {
    const middle = (low + high) >>> 1
    const [next] = late.slice(middle, middle + 1)
    const [last] = early.slice(start - middle - 1, start - middle)
    if (isBefore(next as LedgerEntry, last as LedgerEntry, sort)) low = middle + 1
    else high = middle
  }
  return low
}

/** Merges the matches of both tables, from the first one that is needed. */
const mergedSlice =
  (early: Selection, late: Selection, sort: Sort): Slice =>
  (start, end) => {
    const count = Math.min(end, early.total + late.total) - start
    const skipped = countLate(start, early, late, sort)
    const fromEarly = early.slice(start - skipped, start - skipped + count)
    const fromLate = late.slice(skipped, skipped + count)
    const found: LedgerEntry[] = []
    let i = 0
    let j = 0
    while (found.length < count) {
      const first = fromEarly[i]
      const second = fromLate[j]
      const takeLate = second && (!first || isBefore(second, first, sort))
      found.push((takeLate ? second : first) as LedgerEntry)
      if (takeLate) j++
      else i++
    }
    return found
  }

const fromBoth = (earlyIn: TableSelection, lateIn: TableSelection, sort: Sort): Selection => {
  const [early, late] = [fromOne(earlyIn), fromOne(lateIn)]
  return selectionOf({
    total: early.total + late.total,
    slice: mergedSlice(early, late, sort),
    countUsers: () => early.userCount + earlyIn.countOthers(late.users),
    add(field) {
      const [a, b] = [earlyIn.table.scale(field), lateIn.table.scale(field)]
      const common = commonScale(a, b)
      if (!a || !b || !common) return sumOf([...earlyIn.matches.values(field), ...lateIn.matches.values(field)])
      const first = earlyIn.matches.integerSum(field) * (common.factor / a.factor)
      const second = lateIn.matches.integerSum(field) * (common.factor / b.factor)
      return (first + second) / common.factor
    },
  })
}

const empty: Selection = { total: 0, userCount: 0, users: [], slice: () => [], sum: () => 0 }

/** Makes one selection of those from two tables, of which the late one has what entered the ledger last. */
export const combined = (
  early: TableSelection | undefined,
  late: TableSelection | undefined,
  sort: Sort,
): Selection => {
  if (early && late) return fromBoth(early, late, sort)
  const only = early ?? late
  return only ? fromOne(only) : empty
}

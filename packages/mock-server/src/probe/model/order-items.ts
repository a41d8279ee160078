import type { Item, LedgerCopy } from './ledger-copy.ts'
import type { Read } from './parse-request.ts'
import type { Value } from './variables.ts'
import { keptFor } from './kept-results.ts'

/** Transactions in the order of a sort. */
export interface Ordered {
  readonly items: readonly Item[]
  /** Positions from `start` up to, but not including, `end` whose order cannot be known. */
  readonly blurs: readonly (readonly [start: number, end: number])[]
}

type Key = (item: Item) => string | number

const collators = new Map<Value, Intl.Collator>([
  ['locale', new Intl.Collator('en')],
  ['locale-any-case', new Intl.Collator('en', { sensitivity: 'base' })],
])
const compareText = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0)

const nameKeys: Readonly<Record<string, (name: string) => string>> = {
  'code-unit': (name) => name,
  'case-insensitive': (name) => name.toLowerCase(),
  locale: (name) => name,
  'locale-any-case': (name) => name,
  // As some C libraries order text: spaces and punctuation count only between equal letters.
  'letters-first': (name) => `${name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')}\0${name.toLowerCase()}`,
  'code-unit-trimmed': (name) => name.trim(),
  'case-last': (name) => `${name.toLowerCase()}\0${name}`,
}

const keyFor = (sortBy: string, names: Value): Key => {
  if (sortBy === 'createdAt') return ({ at }) => at
  if (sortBy === 'name') return ({ entry }) => nameKeys[String(names)]?.(entry.name) ?? ''
  return ({ entry }) => entry[sortBy as 'amount']
}

/** Transactions with equal sort values, smallest value first. */
const classesOf = (items: readonly Item[], sortBy: string, names: Value): Item[][] => {
  const keyOf = keyFor(sortBy, names)
  const collator = sortBy === 'name' ? collators.get(names) : undefined
  const compare = collator
    ? (a: string | number, b: string | number) => collator.compare(String(a), String(b))
    : compareText
  const keyed = items.map((item) => ({ item, key: keyOf(item) })).toSorted((a, b) => compare(a.key, b.key))
  const classes: Item[][] = []
  let last: string | number | undefined
  for (const { item, key } of keyed) {
    if (last !== undefined && compare(last, key) === 0) classes.at(-1)?.push(item)
    else classes.push([item])
    last = key
  }
  return classes
}

const compareIds = (a: Item, b: Item): number => compareText(a.entry.transactionId, b.entry.transactionId)

const tieOrders: Readonly<Record<string, (sortOrder: string) => (a: Item, b: Item) => number>> = {
  'transaction-id': () => compareIds,
  'id-descending': () => (a, b) => compareIds(b, a),
  'id-as-sort-order': (sortOrder) => (a, b) => (sortOrder === 'asc' ? compareIds(a, b) : compareIds(b, a)),
  'newest-first': () => (a, b) => b.at - a.at || compareIds(a, b),
}

const arrange = (classes: readonly Item[][], sortOrder: string, ties: Value, isBlurred: boolean): Ordered => {
  const items: Item[] = []
  const blurs: (readonly [number, number])[] = []
  const order = isBlurred ? undefined : tieOrders[String(ties)]?.(sortOrder)
  for (const one of sortOrder === 'asc' ? classes : classes.toReversed()) {
    if (one.length > 1 && !order) blurs.push([items.length, items.length + one.length])
    items.push(...(order && one.length > 1 ? one.toSorted(order) : one))
  }
  return { items, blurs }
}

/** Orders transactions, as far as the order can be known. */
export const orderItems = (
  copy: LedgerCopy,
  match: readonly Item[],
  { sortBy, sortOrder }: { readonly sortBy: string; readonly sortOrder: string },
  read: Read,
): Ordered => {
  const names = sortBy === 'name' && match.length > 1 ? read('nameOrder') : 'code-unit'
  const classes = keptFor(match, ['classes', sortBy, names], () => classesOf(match, sortBy, names))
  // Responses in whole seconds hide which transaction of a second is first.
  const isBlurred = sortBy === 'createdAt' && copy.hiddenMs > 0
  const ties = isBlurred || classes.length === match.length ? 'transaction-id' : read('tieOrder')
  return keptFor(classes, [sortOrder, ties, isBlurred], () => arrange(classes, sortOrder, ties, isBlurred))
}

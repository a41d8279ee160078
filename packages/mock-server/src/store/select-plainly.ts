import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Condition, Filter, NumberField, Sort } from './selection.ts'

type Match = Extract<Condition, { readonly text: string }>['match']

const asciiLower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

const isLike = (value: string, pattern: string): boolean => {
  if (pattern === '') return value === ''
  const [first, rest] = [pattern.charAt(0), pattern.slice(1)]
  if (first === '%') return isLike(value, rest) || (value !== '' && isLike(value.slice(1), pattern))
  return value !== '' && (first === '_' || first === value.charAt(0)) && isLike(value.slice(1), rest)
}

const fits: Record<Match, (value: string, text: string) => boolean> = {
  exact: (value, text) => value === text,
  'case-insensitive': (value, text) => value.toLowerCase() === text.toLowerCase(),
  contains: (value, text) => value.includes(text),
  'contains-case-insensitive': (value, text) => value.toLowerCase().includes(text.toLowerCase()),
  prefix: (value, text) => value.startsWith(text),
  like: (value, text) => isLike(asciiLower(value), asciiLower(text)),
  'like-contains': (value, text) => isLike(asciiLower(value), asciiLower(`%${text}%`)),
}

const numberOf = (entry: LedgerEntry, field: NumberField): number =>
  field === 'createdAt' ? Date.parse(entry.createdAt) : entry[field]

const meets = (entry: LedgerEntry, condition: Condition): boolean => {
  if ('text' in condition) return fits[condition.match](entry[condition.field], condition.text)
  const { field, min = -Infinity, max = Infinity } = condition
  return numberOf(entry, field) >= min && numberOf(entry, field) <= max
}

const compareValues = (a: LedgerEntry, b: LedgerEntry, { by, names }: Sort): number => {
  if (by === 'name' && names === 'language') return a.name.localeCompare(b.name, 'en')
  const valueOf = (entry: LedgerEntry) =>
    by === 'name' && names === 'case-insensitive' ? entry.name.toLowerCase() : entry[by]
  const [x, y] = [valueOf(a), valueOf(b)]
  return x < y ? -1 : Number(x > y)
}

/**
 * What the store selects, said in the plainest way: the matches of an array, sorted. It is what a reader needs to know
 * about the store, and what its tests compare with; the rest of the folder does the same without reading all transactions.
 */
export const selectPlainly = (entries: readonly LedgerEntry[], filter: Filter, sort: Sort): LedgerEntry[] => {
  const compare = (a: LedgerEntry, b: LedgerEntry): number => {
    const difference = compareValues(a, b, sort)
    if (difference !== 0) return sort.order === 'asc' ? difference : -difference
    return sort.ties === 'ledger' ? 0 : a.transactionId < b.transactionId ? -1 : 1
  }
  return entries.filter((entry) => filter.every((condition) => meets(entry, condition))).toSorted(compare)
}

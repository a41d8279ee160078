import type { Row } from './check-rows.ts'
import type { Sort } from './select.ts'

type Comparison = (a: Row, b: Row) => number

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

const byName: Record<Sort['names'], Comparison> = {
  'code-unit': (a, b) => byText(a.entry.name, b.entry.name),
  'case-insensitive': (a, b) => byText(a.entry.name.toLowerCase(), b.entry.name.toLowerCase()),
}

const byField = (sort: Sort): Comparison => {
  const { by } = sort
  if (by === 'name') return byName[sort.names]
  return by === 'createdAt' ? (a, b) => a.at - b.at : (a, b) => a.entry[by] - b.entry[by]
}

// Sorting is stable, so leaving ties alone keeps them as they entered the ledger.
const byTie: Record<Sort['ties'], Comparison> = {
  'transaction-id': (a, b) => byText(a.entry.transactionId, b.entry.transactionId),
  ledger: () => 0,
}

/** Orders rows. Ties stand the same way round in both directions, so that page borders do not move. */
export const inOrder = (sort: Sort): Comparison => {
  const compare = byField(sort)
  const settle = byTie[sort.ties]
  const sign = sort.order === 'asc' ? 1 : -1
  return (a, b) => sign * compare(a, b) || settle(a, b)
}

import type { Row } from './check-rows.ts'
import type { Filter } from './select.ts'

const sourceTests = {
  exact: (text: string) => (source: string) => source === text,
  'case-insensitive': (text: string) => {
    const folded = text.toLowerCase()
    return (source: string) => source.toLowerCase() === folded
  },
  contains: (text: string) => (source: string) => source.includes(text),
} satisfies Record<NonNullable<Filter['source']>['match'], (text: string) => (source: string) => boolean>

const anySource = () => true

/** Whether a row passes every part of the filter. */
export const matches = (filter: Filter): ((row: Row) => boolean) => {
  const { platformId, source, minAmount = -Infinity, maxAmount = Infinity } = filter
  const { minCreatedAt = -Infinity, maxCreatedAt = Infinity } = filter
  const hasSource = source ? sourceTests[source.match](source.text) : anySource
  return ({ entry, at }) =>
    (platformId === undefined || entry.platformId === platformId) &&
    entry.amount >= minAmount &&
    entry.amount <= maxAmount &&
    at >= minCreatedAt &&
    at <= maxCreatedAt &&
    hasSource(entry.source)
}

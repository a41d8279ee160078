import type { ValueAt } from './from-end.ts'
import { orderOf, postingOf, valueAtOf } from './order.ts'
import type { Filter, Sort } from './select.ts'
import type { Table } from './table.ts'

const nothing = new Uint32Array()

const sourceTests = {
  exact: (text: string) => (source: string) => source === text,
  'case-insensitive': (text: string) => {
    const folded = text.toLowerCase()
    return (source: string) => source.toLowerCase() === folded
  },
  contains: (text: string) => (source: string) => source.includes(text),
} satisfies Record<NonNullable<Filter['source']>['match'], (text: string) => (source: string) => boolean>

/** Codes of the sources that match. */
const sourceCodes = (table: Table, { text, match }: NonNullable<Filter['source']>): number[] => {
  const { texts, codeOf } = table.codes('source')
  if (match !== 'exact') return texts.flatMap((source, code) => (sourceTests[match](text)(source) ? [code] : []))
  const code = codeOf.get(text)
  return code === undefined ? [] : [code]
}

/** How many of the rows, in order, come before the first that passes. */
const firstWhere = (rows: Uint32Array, passes: (row: number) => boolean): number => {
  let from = 0
  let to = rows.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (passes(rows[middle] ?? 0)) to = middle
    else from = middle + 1
  }
  return from
}

/** The part of rows sorted by a value in which it lies in a range. */
const within = (rows: Uint32Array, valueAt: ValueAt, min: number, max: number): Uint32Array => {
  const from = firstWhere(rows, (row) => valueAt(row) >= min)
  return rows.subarray(
    from,
    Math.max(
      from,
      firstWhere(rows, (row) => valueAt(row) > max),
    ),
  )
}

/** Which rows pass, seen one by one: for what no order answers. */
const passing = (rows: Uint32Array, passes: (row: number) => boolean): Uint32Array => rows.filter(passes)

/** Rows in order before any range: all of them, one user's or one source's; and what is still to be looked at. */
const start = (table: Table, { platformId, source }: Filter, sort: Sort): Uint32Array => {
  const sources = source === undefined ? undefined : sourceCodes(table, source)
  if (sources?.length === 0) return nothing
  const bySource = table.codes('source').of
  const ofSources = (rows: Uint32Array): Uint32Array => {
    if (!sources) return rows
    const wanted = new Set(sources)
    return passing(rows, (row) => wanted.has(bySource[row] ?? 0))
  }
  if (platformId !== undefined) {
    const user = table.codes('platformId').codeOf.get(platformId)
    return user === undefined ? nothing : ofSources(postingOf(table, 'platformId', user, sort))
  }
  const [only, ...others] = sources ?? []
  if (only !== undefined && others.length === 0) return postingOf(table, 'source', only, sort)
  return ofSources(orderOf(table, sort))
}

/** The rows that pass a filter, as where they stand in the table: sorted upwards, whichever direction is asked for. */
export const find = (table: Table, filter: Filter, sort: Sort): Uint32Array => {
  const { minAmount = -Infinity, maxAmount = Infinity, minCreatedAt = -Infinity, maxCreatedAt = Infinity } = filter
  const ranges = [
    { field: 'amount', min: minAmount, max: maxAmount },
    { field: 'createdAt', min: minCreatedAt, max: maxCreatedAt },
  ] as const
  const asked = ranges.filter(({ min, max }) => min !== -Infinity || max !== Infinity)
  let rows = start(table, filter, sort)
  // The range that the order answers goes first: it leaves less for the other to look through.
  for (const { field, min, max } of asked) {
    if (field === sort.by) rows = within(rows, valueAtOf(table, sort), min, max)
  }
  for (const { field, min, max } of asked) {
    if (field === sort.by) continue
    const values = table.numbers(field)
    rows = passing(rows, (row) => (values[row] ?? 0) >= min && (values[row] ?? 0) <= max)
  }
  return rows
}

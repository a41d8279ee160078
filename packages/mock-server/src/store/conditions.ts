import { groupStarts, type GroupField } from './order.ts'
import type { Filter } from './selection.ts'
import type { Table } from './table.ts'

/** A field that can be filtered by a range. */
export interface Range {
  readonly field: 'amount' | 'createdAt'
  readonly min: number
  readonly max: number
}

/** A user or a source, by its code. */
export interface Group {
  readonly field: GroupField
  readonly code: number
}

/** Codes of a field that are wanted. */
interface CodeCheck {
  /** The code of each transaction. */
  readonly of: Uint32Array
  /** 1 for each code that is wanted. */
  readonly isWanted: Uint8Array
}

/** A filter in terms of a table. */
export interface Conditions {
  /** The smallest group that has all matches, if there is one. */
  readonly group: Group | undefined
  /** Ranges with at least one bound. */
  readonly ranges: readonly Range[]
  /** Whether user and source are more than the group says. */
  readonly hasChecks: boolean
  /** Checks of user and source, except of a field that is known to be right. */
  checks(except?: GroupField): readonly CodeCheck[]
}

type Source = NonNullable<Filter['source']>

const sourceTests = {
  'case-insensitive': (text: string) => {
    const folded = text.toLowerCase()
    return (source: string) => source.toLowerCase() === folded
  },
  contains: (text: string) => (source: string) => source.includes(text),
} satisfies Record<Exclude<Source['match'], 'exact'>, (text: string) => (source: string) => boolean>

/** The codes of the sources that match. */
const sourceCodes = (table: Table, { text, match }: Source): number[] => {
  const { texts, codeOf } = table.codes('source')
  if (match !== 'exact') return texts.flatMap((source, code) => (sourceTests[match](text)(source) ? [code] : []))
  const code = codeOf.get(text)
  return code === undefined ? [] : [code]
}

const rangesOf = ({ minAmount, maxAmount, minCreatedAt, maxCreatedAt }: Filter): Range[] =>
  [
    { field: 'amount', min: minAmount ?? -Infinity, max: maxAmount ?? Infinity } as const,
    { field: 'createdAt', min: minCreatedAt ?? -Infinity, max: maxCreatedAt ?? Infinity } as const,
  ].filter(({ min, max }) => min !== -Infinity || max !== Infinity)

const sizeOf = (table: Table, { field, code }: Group): number => {
  const starts = groupStarts(table, field)
  return (starts[code + 1] as number) - (starts[code] as number)
}

const checkOf = (table: Table, field: GroupField, codes: readonly number[]): CodeCheck => {
  const { of, texts } = table.codes(field)
  const isWanted = new Uint8Array(texts.length)
  for (const code of codes) isWanted[code] = 1
  return { of, isWanted }
}

/** What a filter asks of the transactions of a table; `undefined` if it names a user or a source that has none. */
export const conditionsOf = (table: Table, filter: Filter): Conditions | undefined => {
  const { platformId, source } = filter
  const wanted: { field: GroupField; codes: readonly number[] }[] = []
  if (platformId !== undefined) {
    const user = table.codes('platformId').codeOf.get(platformId)
    wanted.push({ field: 'platformId', codes: user === undefined ? [] : [user] })
  }
  if (source) wanted.push({ field: 'source', codes: sourceCodes(table, source) })
  if (wanted.some(({ codes }) => codes.length === 0)) return undefined
  const groups = wanted.flatMap(({ field, codes: [code = 0, ...more] }) => (more.length === 0 ? [{ field, code }] : []))
  const [group] = groups.toSorted((a, b) => sizeOf(table, a) - sizeOf(table, b))
  return {
    group,
    ranges: rangesOf(filter),
    hasChecks: wanted.length > (group ? 1 : 0),
    checks: (except) =>
      wanted.filter(({ field }) => field !== except).map(({ field, codes }) => checkOf(table, field, codes)),
  }
}

/** Tells whether a transaction meets some conditions. */
export const passOf = (table: Table, ranges: readonly Range[], checks: readonly CodeCheck[]) => {
  const tests = ranges.map(({ field, min, max }) => ({ values: table.numbers(field), min, max }))
  return (index: number): boolean => {
    for (const { values, min, max } of tests) {
      const value = values[index] as number
      if (!(value >= min && value <= max)) return false
    }
    for (const { of, isWanted } of checks) if (isWanted[of[index] as number] !== 1) return false
    return true
  }
}

const inRange = (indexes: Uint32Array, values: Float64Array, min: number, max: number): Uint32Array => {
  const found = new Uint32Array(indexes.length)
  let count = 0
  for (let i = 0; i < indexes.length; i++) {
    const index = indexes[i] as number
    const value = values[index] as number
    found[count] = index
    // Without a branch, which the processor would often predict wrongly: half the time.
    count += Number(value >= min) & Number(value <= max)
  }
  return found.subarray(0, count)
}

const inCodes = (indexes: Uint32Array, { of, isWanted }: CodeCheck): Uint32Array => {
  const found = new Uint32Array(indexes.length)
  let count = 0
  for (let i = 0; i < indexes.length; i++) {
    const index = indexes[i] as number
    found[count] = index
    count += isWanted[of[index] as number] as number
  }
  return found.subarray(0, count)
}

/** Those of some transactions that meet some conditions, in the same order. */
export const passing = (
  table: Table,
  indexes: Uint32Array,
  ranges: readonly Range[],
  checks: readonly CodeCheck[],
): Uint32Array => {
  let found = indexes
  for (const { field, min, max } of ranges) found = inRange(found, table.numbers(field), min, max)
  for (const check of checks) found = inCodes(found, check)
  return found
}

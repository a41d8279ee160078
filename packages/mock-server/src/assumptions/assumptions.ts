import { inWords } from '@guild-ledger/sdk/contract'
import { accessRows } from './access.ts'
import { dataRows } from './data.ts'
import { suggestion } from './suggestion.ts'
import { requestRows } from './request.ts'
import type { AssumptionRow, Choice } from './row.ts'

/** Everything the document leaves open and a client could trip over, one row each; the first value is the default. */
export const assumptionRows = { ...dataRows, ...requestRows, ...accessRows }

/** @internal */
type ValueOf<Row extends AssumptionRow> = Row extends Choice
  ? Row['readings'][number][0]
  : Row extends { readonly orNull: true }
    ? number | null
    : number

/** Name of a row. */
export type AssumptionKey = keyof typeof assumptionRows

/** One reading of everything the document leaves open. */
export type Assumptions = { readonly [Key in AssumptionKey]: ValueOf<(typeof assumptionRows)[Key]> }

const rows: Readonly<Record<string, AssumptionRow>> = assumptionRows
const keys = Object.keys(rows)

const defaultOf = (row: AssumptionRow) => ('readings' in row ? row.readings[0]?.[0] : row.default)
const defaults = Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, defaultOf(row)]))

const allows = (row: AssumptionRow, value: unknown): boolean => {
  if ('readings' in row) return row.readings.some(([allowed]) => allowed === value)
  if (value === null) return row.orNull
  return Number.isSafeInteger(value) && Number(value) >= row.min && Number(value) <= row.max
}

const allowedBy = (row: AssumptionRow): string => {
  if ('readings' in row) return `one of ${row.readings.map(([value]) => value).join(', ')}`
  const upTo = row.max === Number.MAX_SAFE_INTEGER ? `of at least ${row.min}` : `from ${row.min} to ${row.max}`
  return `a whole number ${upTo}${row.orNull ? ', or null' : ''}`
}

const rowOf = (key: string): AssumptionRow => {
  const row = Object.hasOwn(rows, key) ? rows[key] : undefined
  if (row) return row
  throw new TypeError(`Unknown assumption ${inWords(key)}: ${suggestion(key, keys)}`)
}

/**
 * Takes some readings if they are such; what is `undefined` is left out.
 *
 * @throws {TypeError} A key is unknown (the nearest is named) or a value is not allowed (those that are, are named).
 */
export const checkedReadings = (overrides: Partial<Assumptions>): Partial<Assumptions> => {
  if (typeof overrides !== 'object' || overrides === null || Array.isArray(overrides)) {
    throw new TypeError(`assumptions must be an object such as { pageUnit: 'group' }, not ${inWords(overrides)}.`)
  }
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined)
  for (const [key, value] of given) {
    const row = rowOf(key)
    if (!allows(row, value)) {
      throw new TypeError(`Assumption ${key} must be ${allowedBy(row)}, not ${inWords(value)}.`)
    }
  }
  return Object.fromEntries(given)
}

/**
 * The readings in force: those of `overrides`, else those of `base`.
 *
 * @throws {TypeError} As `checkedReadings`.
 */
export const assume = (overrides: Partial<Assumptions> = {}, base?: Assumptions): Assumptions =>
  Object.freeze({ ...defaults, ...base, ...checkedReadings(overrides) }) as Assumptions

/**
 * Reads `KEY=VALUE`, as on a command line: numbers, `true`, `false` and `null` are meant as such.
 *
 * @throws {TypeError} There is no `=`, the key is unknown or the value is not allowed.
 */
export const assumptionFrom = (text: string): Partial<Assumptions> => {
  const split = text.indexOf('=')
  if (split < 1)
    throw new TypeError(`An assumption is written KEY=VALUE, such as pageUnit=group, not ${inWords(text)}.`)
  const written = text.slice(split + 1)
  const value: unknown = /^(true|false|null|-?(0|[1-9]\d*))$/.test(written) ? JSON.parse(written) : written
  const one = { [text.slice(0, split)]: value } as Partial<Assumptions>
  assume(one)
  return one
}

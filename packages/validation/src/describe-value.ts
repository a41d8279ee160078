import { isDateObject } from './of-any-realm.ts'

const maxLength = 60

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const isRegExp = (value: object): value is RegExp => Object.prototype.toString.call(value) === '[object RegExp]'

const describeObject = (value: object): string => {
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (isRegExp(value)) return `the regular expression ${value.toString()}`
  if (isDateObject(value)) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date'
  return `an object with ${counted(Object.keys(value).length, 'field')}`
}

/**
 * Describes a value without showing it, for values that may be secrets or hold one: `a string of 40 characters`,
 * `a number`, `an array of 2`.
 */
export const describeType = (value: unknown): string => {
  if (value === undefined || value === null) return String(value)
  if (typeof value === 'string') return `a string of ${counted(value.length, 'character')}`
  return typeof value === 'object' ? describeObject(value) : `a ${typeof value}`
}

/**
 * Describes a value in a few words: strings quoted and cut at 60 characters, arrays and objects by their size,
 * `undefined` and `null` as such.
 */
export const describeValue = (value: unknown): string => {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > maxLength ? `${value.slice(0, maxLength)}…` : value)
  }
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value === 'boolean') return String(value)
  if (isDateObject(value) && !Number.isNaN(value.getTime())) return `the date ${value.toISOString()}`
  return describeType(value)
}

/** The service's keys are longer. */
const maxQuoted = 15

/**
 * Describes a value that a caller passed where it does not belong. A string may be the API key in the wrong place, so it
 * is quoted only where strings are expected (`quotes`), and only a short one.
 */
export const describeGiven = (value: unknown, quotes = false): string =>
  typeof value === 'string' && !(quotes && value.length <= maxQuoted) ? describeType(value) : describeValue(value)

import { isDateObject } from '@guild-ledger/validation'

/** A date or a date-time in ISO 8601. `Date` also parses "1" or "May", and not alike in every engine. */
const isoText = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/

/** A `Date` or such a string in milliseconds since 1970; `NaN` for anything else. */
export const timeOf = (given: unknown): number =>
  isDateObject(given) || (typeof given === 'string' && isoText.test(given)) ? new Date(given).getTime() : Number.NaN

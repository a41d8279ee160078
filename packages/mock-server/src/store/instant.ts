const utc = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?/

// The store's own spelling, which needs no taking apart.
const canonical = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** February has no 30th, but `Date.parse` reads it as the 2nd of March. */
const ifOnCalendar = (at: number, dayOfMonth: string): number | undefined =>
  Number.isNaN(at) || new Date(at).getUTCDate() !== Number(dayOfMonth) ? undefined : at

/**
 * The moment a `createdAt` names, in milliseconds since 1970; `undefined` if the calendar has no such day.
 *
 * Takes every spelling the contract takes; digits below a millisecond are dropped.
 */
export const instantOf = (createdAt: string): number | undefined => {
  if (canonical.test(createdAt)) return ifOnCalendar(Date.parse(createdAt), createdAt.slice(8, 10))
  const [, day = '', minutes = '', seconds = '00', fraction = ''] = utc.exec(createdAt) ?? []
  const at = Date.parse(`${day}T${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`)
  return ifOnCalendar(at, day.slice(8))
}

/** A day or a time in ISO 8601. `Date` reads more, such as "1" or "May", and not the same in every engine. */
export const isoText = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/

/** The time that a `Date` or such a text names, in milliseconds since 1970; `NaN` if it names none. */
export const timeOf = (given: unknown): number => {
  const names = given instanceof Date || (typeof given === 'string' && isoText.test(given))
  return names ? new Date(given).getTime() : Number.NaN
}

/** A `createdAt` as the store spells it. */
export const spelt = (createdAt: string): string =>
  canonical.test(createdAt) ? createdAt : new Date(instantOf(createdAt) ?? 0).toISOString()

const utc = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?/

// The format of the store, which `Date.parse` takes as it is: nothing else that the contract takes ends so.
const canonical = /\.\d{3}Z$/

/** February has no 30th, but `Date.parse` reads it as the 2nd of March. */
const ifOnCalendar = (at: number, dayOfMonth: string): number | undefined =>
  Number.isNaN(at) || new Date(at).getUTCDate() !== Number(dayOfMonth) ? undefined : at

/**
 * A `createdAt` in milliseconds since 1970; `undefined` if the calendar has no such day.
 *
 * Takes every format that the contract takes; digits below a millisecond are dropped.
 */
export const timestampOf = (createdAt: string): number | undefined => {
  if (canonical.test(createdAt)) return ifOnCalendar(Date.parse(createdAt), createdAt.slice(8, 10))
  const [, day = '', minutes = '', seconds = '00', fraction = ''] = utc.exec(createdAt) ?? []
  const at = Date.parse(`${day}T${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`)
  return ifOnCalendar(at, day.slice(8))
}

/** A `createdAt` in the format of the store, with milliseconds and `Z`. */
export const format = (createdAt: string): string =>
  canonical.test(createdAt) ? createdAt : new Date(timestampOf(createdAt) ?? 0).toISOString()

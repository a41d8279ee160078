const utc = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?/

/**
 * The moment a `createdAt` names, in milliseconds since 1970; `undefined` if the calendar has no such day.
 *
 * Takes every spelling the contract takes; digits below a millisecond are dropped.
 */
export const instantOf = (createdAt: string): number | undefined => {
  const [, day = '', minutes = '', seconds = '00', fraction = ''] = utc.exec(createdAt) ?? []
  const at = Date.parse(`${day}T${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`)
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(day) ? undefined : at
}

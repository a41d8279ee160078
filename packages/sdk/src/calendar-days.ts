import { check, describeValue, integer, isDateObject, required, validate, type Checks } from '@guild-ledger/validation'
import { invalidOption } from './errors/index.ts'

/** A calendar day in a time zone. */
export interface CalendarDay {
  /** The day as people write it: `2026-01-31`. */
  readonly date: string
  /** Its first moment. A parameter of the same name takes it. */
  readonly startDate: Date
  /** The first moment of the next day, which is not part of this one. */
  readonly endDate: Date
}

/** Options of `calendarDays`. */
export interface CalendarDaysOptions {
  /** How many whole days before today. */
  readonly last: number
  /** The moment whose day counts as today, for example of a report that is made again. @default the current time */
  readonly now?: Date | undefined
}

const dayMs = 24 * 60 * 60 * 1000

const isDate = (value: unknown) => isDateObject(value) && !Number.isNaN(value.getTime())
const checks: Checks = {
  last: required(integer(0, 36_500)),
  now: check(isDate, 'a valid Date'),
}

/** Tells the time that clocks show, as milliseconds since 1970 of a clock that shows UTC. */
const wallClock = (timeZone: string): ((at: number) => number) => {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    return (at) => {
      const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
      const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts
      return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1000) + 1000) % 1000)
    }
  } catch {
    return invalidOption(
      'timeZone',
      `\`timeZone\` must be a time zone such as Europe/Berlin, got ${describeValue(timeZone)}`,
    )
  }
}

/** The first moment at which clocks show `midnight`, or at which they are put forward from it. */
const startOf = (midnight: number, wall: (at: number) => number): number => {
  const offsets = [midnight - dayMs, midnight + dayMs].map((at) => wall(at) - at)
  const [earlier = midnight, later = midnight] = offsets.map((offset) => midnight - offset).toSorted((a, b) => a - b)
  return wall(earlier) === midnight ? earlier : later
}

/**
 * The last whole calendar days in a time zone and today, oldest first: for reports by day, and for the start of a query.
 * Days have 23 or 25 hours where clocks change; a day that a time zone skipped is left out.
 *
 * ```ts
 * const [yesterday] = calendarDays('Europe/Berlin', { last: 1 })
 * ```
 *
 * The service may or may not include the bounds of a date range (unspecified): compare `createdAt` where one transaction
 * more or less matters.
 *
 * @throws {ConfigurationError} The time zone is unknown, or an option is invalid.
 */
export const calendarDays = (timeZone: string, options: CalendarDaysOptions): CalendarDay[] => {
  const { last, now = new Date() } = validate(checks, options, invalidOption)
  const wall = wallClock(timeZone)
  const today = Math.floor(wall(now.getTime()) / dayMs) * dayMs
  const days: CalendarDay[] = []
  let end = startOf(today + dayMs, wall)
  for (let midnight = today; days.length <= last; midnight -= dayMs) {
    const start = startOf(midnight, wall)
    const date = new Date(midnight).toISOString().slice(0, 10)
    if (start < end) days.unshift({ date, startDate: new Date(start), endDate: new Date(end) })
    end = start
  }
  return days
}

import { expect, it } from 'vitest'
import { calendarDays } from './calendar-days.ts'

/** The last days as `date: start, hours`. */
const days = (timeZone: string, last: number, now: string) =>
  calendarDays(timeZone, { last, now: new Date(now) }).map(
    ({ date, startDate, endDate }) =>
      `${date}: ${startDate.toISOString()}, ${(endDate.getTime() - startDate.getTime()) / 3_600_000}`,
  )

it.each([
  [
    'a spring day of 23 hours',
    ['Europe/Berlin', '2026-03-30'],
    ['2026-03-28: 2026-03-27T23', '2026-03-29: 2026-03-28T23', '2026-03-30: 2026-03-29T22'],
    [24, 23, 24],
  ],
  [
    'an autumn day of 25 hours',
    ['Europe/Berlin', '2026-10-26'],
    ['2026-10-24: 2026-10-23T22', '2026-10-25: 2026-10-24T22', '2026-10-26: 2026-10-25T23'],
    [24, 25, 24],
  ],
  [
    'a day whose midnight is skipped',
    ['Africa/Cairo', '2026-04-25'],
    ['2026-04-23: 2026-04-22T22', '2026-04-24: 2026-04-23T22', '2026-04-25: 2026-04-24T21'],
    [24, 23, 24],
  ],
  [
    'a day whose midnight comes twice',
    ['America/Havana', '2026-11-02'],
    ['2026-10-31: 2026-10-31T04', '2026-11-01: 2026-11-01T04', '2026-11-02: 2026-11-02T05'],
    [24, 25, 24],
  ],
  [
    'no day that the zone skipped',
    ['Pacific/Apia', '2011-12-31'],
    ['2011-12-29: 2011-12-29T10', '2011-12-31: 2011-12-30T10', '2012-01-01: 2011-12-31T10'],
    [24, 24, 24],
  ],
] as const)('has %s', (_, [timeZone, today], starts, hours) => {
  const expected = starts.map((start, i) => `${start}:00:00.000Z, ${hours[i]}`)

  expect(days(timeZone, 2, `${today}T12:00:00Z`)).toEqual(expected)
})

it('has today only where no day before is asked for', () => {
  expect(days('UTC', 0, '2026-01-31T23:59:59.999Z')).toEqual(['2026-01-31: 2026-01-31T00:00:00.000Z, 24'])
})

it('knows today near midnight', () => {
  const today = (now: string) => days('Pacific/Kiritimati', 0, now)[0]?.slice(0, 10)

  expect([today('2026-01-30T09:59:59.999Z'), today('2026-01-30T10:00:00Z')]).toEqual(['2026-01-30', '2026-01-31'])
})

it('leaves no moment between two days, and none in both, in any zone over ten years', () => {
  for (const timeZone of ['Europe/London', 'Australia/Lord_Howe', 'Asia/Gaza']) {
    const all = calendarDays(timeZone, { last: 3_650, now: new Date('2026-06-01T00:00:00Z') })
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone })
    const wrong = all.filter(
      ({ date, startDate, endDate }, i) =>
        format.format(startDate) !== date ||
        format.format(startDate.getTime() - 1) >= date ||
        (all[i + 1]?.startDate ?? endDate).getTime() !== endDate.getTime(),
    )
    expect([timeZone, wrong]).toEqual([timeZone, []])
  }
})

it.each([
  ['Europe/Berln', 1, '`timeZone` must be a time zone such as Europe/Berlin, got "Europe/Berln"'],
  ['UTC', undefined, '`last` must be an integer from 0 to 36500, got undefined'],
  ['UTC', 1.5, '`last` must be an integer from 0 to 36500, got 1.5'],
])('rejects the time zone %s with the number of days %j', (timeZone, last, message) => {
  expect(() => calendarDays(timeZone, { last: last as number })).toThrow(
    expect.objectContaining({ code: 'configuration', message }),
  )
})

import { expect, it } from 'vitest'
import { timeOf } from '../date-time.ts'
import { format, timestampOf } from './timestamp.ts'

it.each([
  ['2026-01-31T10:00:00.000Z', Date.UTC(2026, 0, 31, 10)],
  ['2026-01-31T10:00:00Z', Date.UTC(2026, 0, 31, 10)],
  ['2026-01-31T10:00:07Z', Date.UTC(2026, 0, 31, 10, 0, 7)],
  ['2026-01-31T10:00:07.5Z', Date.UTC(2026, 0, 31, 10, 0, 7, 500)],
  ['2026-01-31T10:00Z', Date.UTC(2026, 0, 31, 10)],
  ['2026-01-31T10:00:00,25+00', Date.UTC(2026, 0, 31, 10) + 250],
  ['2026-01-31T10:00:00.123456-0000', Date.UTC(2026, 0, 31, 10) + 123],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ['2026-02-29T00:00:00Z', undefined],
  ['2026-04-31T00:00:00Z', undefined],
])('timestampOf parses the createdAt %s', (text, expected) => {
  expect(timestampOf(text)).toBe(expected)
})

it.each([
  ['2026-02-01', Date.UTC(2026, 1, 1)],
  ['2026-02-01T10:00Z', Date.UTC(2026, 1, 1, 10)],
  ['2026-02-01T10:00:00.5+02:00', Date.UTC(2026, 1, 1, 8, 0, 0, 500)],
  [new Date(5), 5],
  ['1', Number.NaN],
  ['May 2026', Number.NaN],
  ['2026-02-01T25:00Z', Number.NaN],
  [5, Number.NaN],
  [null, Number.NaN],
  [{ toString: 1 }, Number.NaN],
])('timeOf takes %j for the time %d', (given, expected) => {
  expect(timeOf(given)).toBe(expected)
})

it.each([
  ['2026-01-31T10:00:07.123Z', '2026-01-31T10:00:07.123Z'],
  ['2026-01-31T10:00:07.1Z', '2026-01-31T10:00:07.100Z'],
  ['2026-01-31T10:00:07.123456Z', '2026-01-31T10:00:07.123Z'],
  ['2026-01-31T10:00:07.123+00:00', '2026-01-31T10:00:07.123Z'],
  ['2026-01-31T10:00:07,123Z', '2026-01-31T10:00:07.123Z'],
  ['2026-01-31T10:00Z', '2026-01-31T10:00:00.000Z'],
])('format writes %s with milliseconds', (text, expected) => {
  expect(format(text)).toBe(expected)
})

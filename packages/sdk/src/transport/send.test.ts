import { expect, it } from 'vitest'
import { retryAfterOf } from './send.ts'

const now = Date.parse('2026-01-31T10:00:00Z')

it.each([
  ['0', 0],
  ['7', 7_000],
  ['1.5', 1_500],
  [' 3 ', 3_000],
  ['Sat, 31 Jan 2026 10:00:09 GMT', 9_000],
  ['Saturday, 31-Jan-26 10:00:09 GMT', 9_000],
  ['Sat, 31 Jan 2026 09:00:00 GMT', 0],
])('reads the Retry-After %j as %i ms', (value, expectedMs) => {
  expect(retryAfterOf(new Headers({ 'retry-after': value }), now)).toBe(expectedMs)
})

it.each(['', 'soon', '-1', '+5', '10, 10', '1,5', '1.', '1e3', '0x10', 'Soon, 5 GMT', '2026-01-31T10:00:09Z'])(
  'ignores the Retry-After %j',
  (value) => {
    expect(retryAfterOf(new Headers({ 'retry-after': value }), now)).toBeUndefined()
  },
)

it('reads no Retry-After from headers without one', () => {
  expect(retryAfterOf(new Headers(), now)).toBeUndefined()
})

import { expect, it } from 'vitest'
import { countArrivals } from './arrivals.ts'

it.each([
  ['nothing happened', 'ab', 'ab', 0],
  ['the first entries came', '', 'abc', 3],
  ['the log grew', 'ab', 'abcd', 2],
  ['the window moved on', 'abcd', 'bcde', 1],
  ['the window was full and as many came', 'abcd', 'efgh', 4],
  ['the window filled up and moved on', 'abc', 'cdef', 3],
  ['entries that look alike came', 'aa', 'aaa', 1],
  ['the log was emptied', 'abc', '', 0],
  ['the log was emptied, and others came', 'abc', 'xy', 2],
  ['the log was emptied, and as many others came', 'abc', 'xyz', 3],
])('%s', (_what, before, after, added) => {
  expect(countArrivals(before.split(''), after.split(''))).toBe(added)
})

import { expect, it } from 'vitest'
import { countAdded } from './count-added.ts'

it.each([
  ['the log is the same', 'ab', 'ab', 0],
  ['the log was empty', '', 'abc', 3],
  ['the log grew', 'ab', 'abcd', 2],
  ['the full window moved by one', 'abcd', 'bcde', 1],
  ['a whole window was added', 'abcd', 'efgh', 4],
  ['the window filled up and moved', 'abc', 'cdef', 3],
  ['an equal entry was added', 'aa', 'aaa', 1],
  ['the log was cleared', 'abc', '', 0],
  ['the log was cleared and fewer entries were added', 'abc', 'xy', 2],
  ['the log was cleared and as many entries were added', 'abc', 'xyz', 3],
])('the dashboard counts added log entries where %s', (_case, before, after, added) => {
  expect(countAdded(before.split(''), after.split(''))).toBe(added)
})

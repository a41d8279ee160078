import { expect, it } from 'vitest'
import { firstLine, isTimeout, locationIn } from './failure-text.ts'

it('finds the innermost frame that is not inside a library', () => {
  const stack = `Error: no
    at assert (node:internal/assert:1:1)
    at equal (/app/node_modules/chai/index.js:3:4)
    at helper (file:///app/src/helper.ts:5:6)
    at /app/src/bot.test.ts:7:8`

  expect(locationIn(stack)?.endsWith('app/src/helper.ts:5')).toBe(true)
})

it('prefers the frame in the test file', () => {
  const stack = 'at helper (/app/src/helper.ts:5:6)\nat /app/src/bot.test.ts:7:8'

  expect(locationIn(stack, '/app/src/bot.test.ts')?.endsWith('app/src/bot.test.ts:7')).toBe(true)
})

it('finds a frame of Python', () => {
  const trace = '  File "/usr/lib/python3.11/unittest/case.py", line 57, in x\n  File "test_bot.py", line 9, in test'

  expect(locationIn(trace)).toBe('test_bot.py:9')
  expect(locationIn('cannot reach http://127.0.0.1:4010')).toBe(undefined)
})

it('takes the first line with text, without colours', () => {
  expect(firstLine('\n \u001B[31mexpected 3\u001B[39m to be 4\nmore')).toBe('expected 3 to be 4')
})

it('takes the next line too when the first one ends with a colon', () => {
  expect(firstLine('Expected values to be strictly equal:\n\n34 !== 20\n')).toBe(
    'Expected values to be strictly equal: 34 !== 20',
  )
  expect(firstLine('No more:')).toBe('No more:')
})

it.each([
  'Test timed out in 5000ms.',
  'test timed out after 1000ms',
  'Failed: Timeout >10.0s',
  'Error: thrown: "Exceeded timeout of 100 ms for a test while waiting for `done()` to be called.',
  'Timeout of 100ms exceeded. For async tests and hooks, ensure "done()" is called',
  'test timed out\n    at /bot.test.js:3',
])('takes %j for a hang', (text) => {
  expect(isTimeout(text)).toBe(true)
})

it.each([
  'expected 408 request timeout',
  'AxiosError: timeout of 1000ms exceeded',
  'expected "the request in my test timed out" to be ""',
])('does not take %j for a hang', (text) => {
  expect(isTimeout(text)).toBe(false)
})

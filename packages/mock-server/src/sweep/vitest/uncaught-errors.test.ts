import { expect, it } from 'vitest'
import type { TestStatus } from '../types.ts'
import { checkOutsideErrors, withUncaughtErrors, type UncaughtError } from './uncaught-errors.ts'

const file = '/project/a.test.ts'

const failing = (error: UncaughtError, statuses: TestStatus[] = ['passed', 'passed', 'passed']) => {
  const results = statuses.map((status, at) => ({
    id: `${at}`,
    name: `a.test.ts > suite > ${at}`,
    status,
    durationMs: 1,
  }))
  return withUncaughtErrors(results, file, [error])
    .filter(({ status }) => status === 'failed')
    .map(({ id, message, location }) => [id, message, location])
}

const error = {
  message: 'the bot crashed',
  stack: `Error: the bot crashed\n    at ${file}:7:3`,
  VITEST_TEST_PATH: file,
}

it('takes an error that no test caught for a failure of the test that ran', () => {
  expect(failing({ ...error, VITEST_TEST_NAME: '1' })).toEqual([
    ['1', 'the bot crashed', expect.stringMatching(/a\.test\.ts:7$/)],
  ])
})

it('takes an error between tests for a failure of the last test of the file that passed', () => {
  expect(failing(error, ['passed', 'passed', 'not-run']).map(([id]) => id)).toEqual(['1'])
})

it('leaves the tests of other files, and those that failed anyway', () => {
  expect(failing({ ...error, VITEST_TEST_PATH: '/project/b.test.ts' })).toEqual([])
  expect(failing({ ...error, VITEST_TEST_NAME: '0' }, ['failed', 'passed'])).toEqual([['0', undefined, undefined]])
})

it('says where a process of Vitest ended, or did not start: not all tests ran', () => {
  const cause = { message: 'Worker exited unexpectedly.' }

  expect(() => checkOutsideErrors([error])).not.toThrow()
  expect(() => checkOutsideErrors([error, { message: 'Worker forks emitted error.', cause }])).toThrow(
    /^Vitest cannot run the tests: Worker forks emitted error: Worker exited unexpectedly\.$/,
  )
})

import type { Vitest } from 'vitest/node'
import { firstLine, locationIn } from '../failure-text.ts'
import type { TestResult } from '../types.ts'
import { vitestError } from './vitest-error.ts'

/** An error that no test caught, such as a rejected promise without a handler. */
export interface UncaughtError {
  readonly message?: string
  readonly stack?: string
  readonly cause?: unknown
  /** Path of the test file that ran. */
  readonly VITEST_TEST_PATH?: string
  /** Name of the test that ran, without those of its suites; absent between tests. */
  readonly VITEST_TEST_NAME?: string
}

/** The errors of the last run that no test caught, unless the project ignores them. */
export const uncaughtErrorsOf = ({ config, state }: Vitest): readonly UncaughtError[] =>
  config.dangerouslyIgnoreUnhandledErrors ? [] : (state.getUnhandledErrors() as UncaughtError[])

/**
 * Checks a run under the base values for errors outside of the test files: Vitest then did not run all tests.
 *
 * @throws {SweepInputError} There is one.
 */
export const checkOutsideErrors = (errors: readonly UncaughtError[]): void => {
  const outside = errors.find(({ VITEST_TEST_PATH }) => VITEST_TEST_PATH === undefined)
  if (outside) throw vitestError(outside)
}

/**
 * Results of the tests of a file, where a test that passed fails because of an error that no test caught: the one that
 * ran, or else the last one of the file.
 */
export const withUncaughtErrors = (
  results: readonly TestResult[],
  file: string,
  errors: readonly UncaughtError[],
): TestResult[] => {
  const failed = new Map<string, UncaughtError>()
  const passed = results.filter(({ status }) => status === 'passed')
  for (const error of errors.filter(({ VITEST_TEST_PATH }) => VITEST_TEST_PATH === file)) {
    const { VITEST_TEST_NAME: name } = error
    const test = name === undefined ? passed.at(-1) : passed.find((one) => one.name.endsWith(` > ${name}`))
    if (test) failed.set(test.id, error)
  }
  return results.map((result) => {
    const error = failed.get(result.id)
    if (!error) return result
    const { message = '', stack = '' } = error
    return { ...result, status: 'failed', message: firstLine(message), location: locationIn(stack, file) }
  })
}

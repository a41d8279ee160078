import { hasNoResult } from './test-results.ts'
import type { NotTried, TestResult } from './types.ts'

/** Why a test has no result. */
export type NotTriedReason = NotTried['reason']

/** Tests without a result, by id, and why. */
export type WithoutResult = ReadonlyMap<string, NotTriedReason>

/** The tests of a run that skipped themselves, or did not run because of another one. */
export const withoutResultIn = (results: readonly TestResult[]): WithoutResult =>
  new Map(
    results.filter(hasNoResult).map(({ id, status }) => [id, status === 'skipped' ? 'skips itself' : 'run ended']),
  )

/** An entry for each test and each reason, in the order of the tests. */
export const listNotTried = (
  tests: Iterable<Pick<TestResult, 'id' | 'name'>>,
  found: readonly { readonly id: string; readonly value: string; readonly reason: NotTriedReason }[],
): NotTried[] =>
  [...tests].flatMap(({ id, name }) => {
    const ofTest = found.filter((one) => one.id === id)
    return [...new Set(ofTest.map(({ reason }) => reason))].map((reason) => ({
      test: name,
      values: ofTest.filter((one) => one.reason === reason).map(({ value }) => value),
      reason,
    }))
  })

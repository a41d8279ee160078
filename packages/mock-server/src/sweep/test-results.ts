import type { TestResult } from './types.ts'

/** Whether a test did not do what it does under the base values. */
export const isFailure = ({ status }: TestResult): boolean => status === 'failed' || status === 'hung'

/** Whether a test skipped itself, or did not run because of another one. */
export const hasNoResult = ({ status }: TestResult): boolean => status === 'not-run' || status === 'skipped'

/** The ids of some tests. */
export const idsOf = (tests: readonly TestResult[]): ReadonlySet<string> => new Set(tests.map(({ id }) => id))

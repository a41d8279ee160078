import type { TestResult } from './types.ts'

/** Whether a test did not do what it does under the base values. */
export const isFailure = ({ status }: TestResult): boolean => status === 'failed' || status === 'hung'

/** The ids of some tests. */
export const idsOf = (tests: readonly TestResult[]): ReadonlySet<string> => new Set(tests.map(({ id }) => id))

import type { Alternative } from '../assumptions/index.ts'
import type { Baseline } from './baseline.ts'
import type { Schedule } from './schedule.ts'
import type { NotTried, Runner, SetAside, TestResult, Values } from './types.ts'

/** What a sweep works with. */
export interface Work {
  readonly runner: Runner
  readonly baseline: Baseline
  readonly base: Values
  readonly schedule: Schedule
}

/** The tests that fail under a value. */
export interface FailuresOfValue {
  readonly alternative: Alternative
  readonly failures: readonly TestResult[]
}

/** Failures that occurred again, and tests that passed this time. */
export interface Repeated {
  readonly found: readonly FailuresOfValue[]
  readonly setAside: readonly SetAside[]
}

/** What came of trying each value by itself. */
export interface Singles extends Repeated {
  /** Alternatives that were not tried with every test. */
  readonly late: ReadonlySet<Alternative>
  readonly notTriedAfterHang: readonly NotTried[]
}

import type { AssumptionKey, Assumptions, Variant } from '../assumptions/index.ts'

/** Values of some assumptions. */
export type Values = Partial<Assumptions>

/**
 * How one test ended in one run. `hung`: it, or its process, had to be stopped. `not-run`: the run ended before,
 * because another test hung or ended it.
 */
export type TestStatus = 'passed' | 'failed' | 'hung' | 'skipped' | 'not-run'

/** One test in one run. */
export interface TestResult {
  /** Unique in the suite and the same in every run. */
  readonly id: string
  /** File and full name, as people know the test. */
  readonly name: string
  /** How the test ended. */
  readonly status: TestStatus
  /** How long it ran, in milliseconds. */
  readonly durationMs: number
  /** First line of the failure. */
  readonly message?: string | undefined
  /** `file:line` of the failure. */
  readonly location?: string | undefined
  /** Other values, such as `pageUnit=group`, under which a response to this test would differ. Only in a traced run. */
  readonly touched?: readonly string[]
  /** Assumptions that responses to this test depend on and whose value it sets itself. Only in a traced run. */
  readonly pinned?: readonly AssumptionKey[]
  /**
   * Set where the test uses only mocks that it creates itself: it may run in one run with tests under other values.
   * Only in a traced run.
   */
  readonly usesOwnMocks?: boolean
  /** Set where a run ended early and this is the first test without a result: it or a later one is the cause. */
  readonly mayBeOther?: true
  /** Id of the suite, or of the file, whose set-up did not end, where that kept the test from running. */
  readonly hungSetUp?: string
  /** Set for the command as a whole, which is no test of the suite. */
  readonly isCommand?: true
}

/** Which tests to run, and how. */
export interface RunRequest {
  /** Values that every mock starts from. */
  readonly assumptions: Values
  /** Ids of the tests to run; all of them by default. A runner may run more. */
  readonly tests?: ReadonlySet<string>
  /** Values for single tests, by id, instead of `assumptions`. Only for tests that use mocks of their own. */
  readonly valuesByTest?: ReadonlyMap<string, Values>
  /**
   * Whether to report what each test touches.
   *
   * @default false
   */
  readonly trace?: boolean
  /**
   * What a traced run compares each response with. `touched` then has the variants under which a response differs.
   *
   * @default every other value of every assumption, one at a time
   */
  readonly variants?: readonly Variant[]
  /** Milliseconds after which the run is stopped; unlimited by default. */
  readonly timeoutMs?: number
  /** Milliseconds after which a test is stopped, where the runner can do that; the suite's own by default. */
  readonly testTimeoutMs?: number
}

/** Runs the tests of a bot. */
export interface Runner {
  /** Whether a run has only the requested tests; otherwise it has all of them. */
  readonly selectsTests: boolean
  /** Results of the tests that were requested, or of all. */
  run(request: RunRequest): Promise<readonly TestResult[]>
  /** A command line that repeats a test under some values. */
  replay(test: TestResult, values: Values): string
  /** Frees what the runner holds. */
  close(): Promise<void>
}

/** A test that passes under the base values and fails under others. */
export interface Break {
  /** File and full name of the test. */
  readonly test: string
  /** The values it fails under; more than one where only their combination makes it fail. */
  readonly values: Values
  /** Whether it fails, or does not end. */
  readonly kind: 'fails' | 'hangs'
  /** First line of the failure. */
  readonly message: string | undefined
  /** `file:line` of the failure. */
  readonly location: string | undefined
  /** A command line that repeats the failure. */
  readonly replay: string
}

/** A test that the sweep makes no statement about. */
export interface SetAside {
  /** File and full name of the test. */
  readonly test: string
  /**
   * - `fails`: fails under the base values.
   * - `flaky`: result differs between two runs under the same values.
   * - `skips itself`: gets responses under the base values, and then skips itself: under another value, it may fail.
   * - `needs other tests`: fails under the base values when the others do not run.
   * - `fails after others`: fails only where other tests fail, although responses to it do not change.
   */
  readonly reason: 'fails' | 'flaky' | 'skips itself' | 'needs other tests' | 'fails after others'
}

/** A test and the values, such as `pageUnit=group`, that concern it. */
export interface TestAndValues {
  /** File and full name of the test. */
  readonly test: string
  /** The values, or the names of assumptions. */
  readonly values: readonly string[]
}

/** A test that was not tried under some values, or has no result under them. */
export interface NotTried extends TestAndValues {
  /**
   * - `hung before`: the test hung under another value, and does not run again.
   * - `skips itself`: the test skips itself under these values.
   * - `run ended`: another test hung or ended the run.
   */
  readonly reason: 'hung before' | 'skips itself' | 'run ended'
}

/** What a sweep found. */
export interface SweepReport {
  /** Number of tests in the suite. */
  readonly tests: number
  /** Tests that fail under some values. */
  readonly breaks: readonly Break[]
  /** Tests that passed although responses to them changed. */
  readonly survives: readonly TestAndValues[]
  /** Assumptions that no response to any test depends on. */
  readonly untouched: readonly AssumptionKey[]
  /** Assumptions that tests set themselves. */
  readonly pinned: readonly TestAndValues[]
  /** Tests that the sweep makes no statement about. */
  readonly setAside: readonly SetAside[]
  /** Values that were not tried, or not with every test, because the time was up. */
  readonly notTried: readonly string[]
  /** Tests without a result under some values, each with the reason. */
  readonly notTriedAfterHang: readonly NotTried[]
  /** Values that were skipped as decided. */
  readonly skipped: readonly AssumptionKey[]
  /** What the sweep took. */
  readonly cost: {
    /** Runs of the suite, or of some of its tests. */
    readonly runs: number
    /** Number of tests under another value each that the trace selects, without those that confirm a failure. */
    readonly testRuns: number
    /** What `testRuns` would be if each test ran under each value. */
    readonly withoutTrace: number
    /** Duration of the sweep, in seconds. */
    readonly seconds: number
  }
}

import type { AssumptionKey, Assumptions } from '@guild-ledger/mock-server/assumptions'

/** Values of some assumptions. */
export type Values = Partial<Assumptions>

/** What the mocks tell about one test in one run. Values are texts such as `pageUnit=group`. */
export interface TestTrace {
  /** Responses that the test got from mocks whose values the sweep sets. */
  readonly responses: number
  /** Other values under which a response would differ. */
  readonly touched: readonly string[]
  /** Values in force for the responses that depend on them. */
  readonly inForce: readonly string[]
  /** Assumptions that responses depend on and whose value the test sets itself. */
  readonly pinned: readonly AssumptionKey[]
  /** Addresses that responded to requests without a trace: servers whose values the sweep does not set. */
  readonly untraced: readonly string[]
}

/**
 * How one test ended in one run. `hung`: it, or its process, had to be stopped. `not-run`: the run ended before, because
 * another test hung or ended it.
 */
export type TestStatus = 'passed' | 'failed' | 'hung' | 'skipped' | 'not-run'

/** One test in one run. */
export interface TestRun {
  /** File and full name; unique in the suite, and the same in every run. */
  readonly name: string
  /** The unit that can run without the rest of the suite, such as a file. */
  readonly file: string
  readonly status: TestStatus
  readonly durationMs: number
  /** First line of the failure. */
  readonly message?: string | undefined
  /** `file:line` of the failure. */
  readonly location?: string | undefined
  /** Set where it failed twice in the same way. Otherwise a failure has to be repeated. */
  readonly isRepeated?: boolean
  readonly trace?: TestTrace | undefined
  /** Set for a command as a whole, which is no test of the suite. */
  readonly isCommand?: true
}

/** What to run, and how. */
export interface RunRequest {
  /** Values that every mock starts from. */
  readonly values: Values
  /** The files to run; all of them by default. */
  readonly files?: ReadonlySet<string>
  /** Names of the tests to run; all tests of the files by default. */
  readonly tests?: ReadonlySet<string>
  /**
   * Milliseconds after which a test, and the run, are stopped; no limits of the sweep by default. With limits, a runner
   * that can do so repeats a test at once that fails.
   */
  readonly limits?: { readonly testMs: number; readonly runMs: number }
}

/** Runs the tests of a bot. */
export interface Runner {
  /** What the report calls it. */
  readonly name: string
  /** Whether it can run some files and tests only; otherwise each run has all of them. */
  readonly selects: boolean
  run(request: RunRequest): Promise<readonly TestRun[]>
  /** A command line that repeats a test under some values; with `file`, with the others of its file, which it needs. */
  replay(test: string, values: Values, unit?: 'test' | 'file'): string
  /** Frees what the runner holds. */
  close(): Promise<void>
}

/** A test that passes under the base values and fails under others. */
export interface Break {
  /** The values it fails under, such as `pageUnit=group`. */
  readonly values: string
  /** Whether it fails, or does not end. */
  readonly kind: 'fails' | 'hangs'
  /** First line of the failure. */
  readonly message?: string | undefined
  /** `file:line` of the failure. */
  readonly location?: string | undefined
  /** A command line that repeats the failure. */
  readonly replay: string
  /** Why it is accepted, where `sweep.lock` accepts it. */
  readonly accepted?: string
}

/** Why the sweep says nothing about a test. */
export const reasons = {
  fails: 'fails before any value is changed',
  flaky: 'its result differs between runs under the same values',
  'skips itself': 'gets responses, and then skips itself',
  'needs other tests': 'fails when it runs alone',
  'fails after others': 'fails only together with other tests of its file',
  'value not in force': 'a mock that responded had another value',
  'not repeated': 'no response depended on the value in that run',
  'server without a trace':
    'a server responded whose values the sweep cannot set; start it in the tests, or sweep the command',
  stopped: 'its run took too long and was stopped, also under the base values',
  'run ended': 'another test hung or ended the run',
} as const
export type Reason = keyof typeof reasons

/** What the sweep cannot say about a test. */
export interface NotJudged {
  readonly reason: Reason
  /** The value, where it is about one. */
  readonly values?: string
  /** What was seen. */
  readonly detail?: string | undefined
}

/** Results of a test, the first that applies. */
export type ResultKind = 'breaks' | 'not judged' | 'unreached' | 'passed under other values' | 'untouched'

/** What the sweep found out about one test. */
export interface TestResult {
  readonly test: string
  readonly result: ResultKind
  readonly breaks: readonly Break[]
  /** Values under which responses to it changed, and it passed. */
  readonly passed: readonly string[]
  readonly notJudged: readonly NotJudged[]
  /** Assumptions that it sets itself. */
  readonly pinned: readonly AssumptionKey[]
}

/** The sweep cannot start or go on; the message is one sentence for the user. */
export class SweepError extends Error {
  override readonly name = 'SweepError'
}

/** A sentence that may lack its full stop, as an error. */
export const toSweepError = (sentence: string, cause: unknown): SweepError =>
  new SweepError(sentence.replace(/[^.?)]$/, '$&.'), { cause })

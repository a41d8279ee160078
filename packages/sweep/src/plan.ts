import {
  alternativesTo,
  assume,
  formatAssumptions,
  type Alternative,
  type AssumptionKey,
} from '@guild-ledger/mock-server/assumptions'
import { SweepError, type Reason, type RunRequest, type TestRun, type Values } from './types.ts'

/** Assumptions whose other value is 1, under which hardly a client can work: they are tried only on request. */
const triedOnRequest: ReadonlySet<AssumptionKey> = new Set(['maxPage', 'maxKeysPerGuild'])

/** One run under another value, with what it touches. */
export interface Step {
  readonly alternative: Alternative
  /** Such as `pageUnit=group`. */
  readonly values: string
  /** Names of the tests to which a response would differ. */
  readonly tests: ReadonlySet<string>
  /** Their files. */
  readonly files: ReadonlySet<string>
}

/** A test as two runs under the base values show it. */
export interface PlannedTest {
  /** The second run, or the first one where the test is not stable. */
  readonly run: TestRun
  /** Other values under which a response to it would differ, in either run. */
  readonly touched: ReadonlySet<string>
  /** Why nothing can be said about it, where it did not pass in both. */
  readonly reason?: Reason
}

/** What two runs under the base values show, and what to run because of it. */
export interface Plan {
  /** By name, in the order of the suite; without those that are marked to be skipped. */
  readonly tests: ReadonlyMap<string, PlannedTest>
  readonly steps: readonly Step[]
  /** Values that some response depends on, and that are tried only on request. */
  readonly onRequest: readonly string[]
  /** Assumptions that no response to any test depends on. */
  readonly untouched: readonly AssumptionKey[]
  readonly limits: Limits
}

/** Milliseconds after which a test, and a run of all, are stopped. */
export type Limits = NonNullable<RunRequest['limits']>

/** The limits where tests took so long under the base values, and all of them `runMs`. */
export const limitsFrom = (runs: readonly TestRun[], runMs: number): Limits => ({
  testMs: Math.ceil(3 * Math.max(0, ...runs.map(({ durationMs }) => durationMs)) + 2000),
  runMs: Math.ceil(3 * runMs + 5000),
})

/** What to leave out, and what to try although it is left out by default. */
export interface PlanOptions {
  readonly base: Values
  /** Assumptions that are not changed: how the service behaves is known. */
  readonly known: readonly AssumptionKey[]
  /** Assumptions to try that are tried only on request. */
  readonly include: readonly AssumptionKey[]
  /** How long the longer of the two runs took, in milliseconds. */
  readonly longestMs: number
}

const isMarked = (run: TestRun | undefined): boolean => run?.status === 'skipped' && !run.trace?.responses

const plannedTest = (first: TestRun, second: TestRun | undefined): PlannedTest => {
  const touched = new Set([first, second].flatMap((run) => run?.trace?.touched ?? []))
  if (first.status !== second?.status) return { run: first, touched, reason: 'flaky' }
  if (second.status === 'passed') return { run: second, touched }
  return { run: first, touched, reason: first.status === 'skipped' ? 'skips itself' : 'fails' }
}

/** Says why there is nothing to sweep. */
const checkTests = (tests: readonly PlannedTest[], { base }: PlanOptions): void => {
  if (tests.length === 0) throw new SweepError('No test was found.')
  const [first] = tests
  if (tests.every(({ reason }) => reason) && Object.keys(base).length === 0) {
    const { name, message = 'no message' } = first?.run ?? {}
    throw new SweepError(`No test passes before any value is changed: ${name}: ${message.replace(/\.$/, '')}.`)
  }
  const traces = tests.flatMap(({ run }) => run.trace ?? [])
  if (traces.some(({ responses, touched }) => responses + touched.length > 0)) return
  const [server] = traces.flatMap(({ untraced }) => untraced)
  const why = server === undefined ? '' : `: ${server} responds, whose values the sweep cannot set`
  throw new SweepError(`No test gets a response from a mock that the tests start${why}.`)
}

/**
 * Plans the runs: one for each other value that changes a response to some test.
 *
 * @throws {SweepError} There is no test, none passes, or none reaches a mock.
 */
export const planOf = (first: readonly TestRun[], second: readonly TestRun[], options: PlanOptions): Plan => {
  const { base, known, include, longestMs } = options
  const later = new Map(second.map((run) => [run.name, run]))
  const tests = new Map(
    first
      .filter((run) => !isMarked(run) || !isMarked(later.get(run.name) ?? run))
      .map((run) => [run.name, plannedTest(run, later.get(run.name))]),
  )
  const all = [...tests.values()]
  checkTests(all, options)
  const candidates = alternativesTo(assume(base)).filter(({ key }) => !known.includes(key))
  const steps = candidates.flatMap((alternative): Step[] => {
    const values = formatAssumptions({ [alternative.key]: alternative.value })
    const runs = all.filter(({ touched, reason }) => !reason && touched.has(values)).map(({ run }) => run)
    const files = new Set(runs.map(({ file }) => file))
    return runs.length > 0 ? [{ alternative, values, tests: new Set(runs.map(({ name }) => name)), files }] : []
  })
  const isOnRequest = ({ alternative: { key } }: Step) => triedOnRequest.has(key) && !include.includes(key)
  const touched = steps.map(({ alternative }) => alternative.key)
  const seen = new Set([...touched, ...all.flatMap(({ run }) => run.trace?.pinned ?? [])])
  return {
    tests,
    steps: steps.filter((step) => !isOnRequest(step)),
    onRequest: steps.filter(isOnRequest).map(({ values }) => values),
    untouched: [...new Set(candidates.map(({ key }) => key))].filter((key) => !seen.has(key)),
    limits: limitsFrom([...first, ...second], longestMs),
  }
}

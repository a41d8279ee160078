import { formatAssumptions, type AssumptionKey } from '../assumptions/index.ts'
import { SweepInputError } from './input-error.ts'
import { idsOf, isFailure } from './test-results.ts'
import type { Runner, RunRequest, SetAside, TestResult, Values } from './types.ts'

/** What the tests do under the base values. */
export interface Baseline {
  /** Tests that passed each time, by their id. */
  readonly stable: ReadonlyMap<string, TestResult>
  readonly setAside: readonly SetAside[]
  /** Those set aside because they fail. */
  readonly failing: readonly TestResult[]
  /** Ids of the stable tests that each value, such as `pageUnit=group`, concerns. */
  readonly covering: ReadonlyMap<string, ReadonlySet<string>>
  readonly pinned: ReadonlyMap<string, readonly AssumptionKey[]>
  /** Ids of the tests that use only mocks that they create themselves. */
  readonly usingOwnMocks: ReadonlySet<string>
  /** Time limits for a run and for a test: three times what it took, plus 2 s. */
  readonly limits: { readonly timeoutMs: number; readonly testTimeoutMs: number }
}

const limitMs = (ms: number): number => Math.ceil(3 * ms + 2000)

const byId = (results: readonly TestResult[]): Map<string, TestResult> =>
  new Map(results.map((result) => [result.id, result]))

const ran = (results: readonly TestResult[]) =>
  results.filter(({ status, isCommand }) => status !== 'skipped' && !isCommand)

/** The tests that each of `values` concerns. A test that did not get through its traced run may touch anything. */
const coveringTests = (
  stable: ReadonlyMap<string, TestResult>,
  traced: ReadonlyMap<string, TestResult>,
  values: readonly string[],
) => {
  const covering = new Map<string, Set<string>>()
  for (const id of stable.keys()) {
    const { status, touched = [] } = traced.get(id) ?? {}
    for (const value of values.filter((one) => status !== 'passed' || touched.includes(one))) {
      covering.set(value, (covering.get(value) ?? new Set()).add(id))
    }
  }
  return covering
}

/** Whether a test got responses, and then skipped itself: under another value, it may go on. */
const skipsItself = ({ status, touched = [], pinned = [] }: Partial<TestResult> = {}): boolean =>
  status === 'skipped' && touched.length + pinned.length > 0

const failure = ({ name, message }: TestResult): string => `${name}${message === undefined ? '' : ` (${message})`}`

/**
 * Tests of `suspects` that pass two more runs: the first run was no accident, tracing is too slow for them. The others
 * are flaky.
 */
const passingTwice = async (
  runner: Runner,
  suspects: ReadonlySet<string>,
  request: RunRequest,
): Promise<ReadonlySet<string>> => {
  let passing = suspects
  for (let runs = 0; runs < 2 && passing.size > 0; runs++) {
    const results = byId(await runner.run({ ...request, tests: passing }))
    passing = new Set([...passing].filter((id) => results.get(id)?.status === 'passed'))
  }
  return passing
}

/**
 * Runs all tests twice, to set aside those that fail or are flaky. The second run is traced: it shows which of `values`
 * each test touches.
 *
 * @throws {SweepInputError} There is no test, or none that passes, or none that reaches a mock.
 */
export const measureBaseline = async (runner: Runner, base: Values, values: readonly string[]): Promise<Baseline> => {
  const start = performance.now()
  const first = await runner.run({ assumptions: base })
  const cleanMs = performance.now() - start
  const command = first.find(({ isCommand }) => isCommand)
  if (ran(first).length === 0 && !command) throw new SweepInputError('No test was found.')
  if (ran(first).length === 0 && first.length > 1) throw new SweepInputError('No test ran: all are skipped.')
  const failed = first.filter(isFailure)
  const fails = command ? command.status !== 'passed' : failed.length === ran(first).length
  if (failed[0] && (fails || failed.length === ran(first).length)) {
    const given = formatAssumptions(base)
    const when = given === '' ? 'before any assumption is changed' : `with the values to start from (${given})`
    throw new SweepInputError(`The tests fail ${when}: ${failure(failed[0])}.`)
  }
  const tests = first.filter(({ status }) => status !== 'skipped')
  const timeoutMs = limitMs(cleanMs)
  const testTimeoutMs = limitMs(Math.max(...tests.map(({ durationMs }) => durationMs)))
  // Tracing computes each response many times over: it gets more time.
  const slow = { timeoutMs: 20 * timeoutMs, testTimeoutMs: 20 * testTimeoutMs }
  const traced = byId(await runner.run({ assumptions: base, trace: true, ...slow }))
  if ([...traced.values()].every(({ touched = [], pinned = [] }) => touched.length + pinned.length === 0)) {
    throw new SweepInputError(
      'No test reached a mock: use createMockLedger in the tests, or --serve to start a mock for them.',
    )
  }

  const passesTraced = ({ id }: TestResult) => traced.get(id)?.status === 'passed'
  const suspects = idsOf(tests.filter((test) => !isFailure(test) && !passesTraced(test)))
  const slowTests = await passingTwice(runner, suspects, { assumptions: base, timeoutMs, testTimeoutMs })
  const isStable = (test: TestResult) => !isFailure(test) && (passesTraced(test) || slowTests.has(test.id))
  const stable = byId(tests.filter(isStable))
  const failsTwice = (test: TestResult) => isFailure(test) && !passesTraced(test)
  const reasonOf = (test: TestResult): SetAside['reason'] => {
    if (test.status === 'skipped') return 'skips itself'
    return failsTwice(test) ? 'fails' : 'flaky'
  }
  const isSetAside = (test: TestResult) =>
    test.status === 'skipped' ? skipsItself(traced.get(test.id)) : !isStable(test)
  return {
    stable,
    setAside: first.filter(isSetAside).map((test) => ({ test: test.name, reason: reasonOf(test) })),
    failing: tests.filter(failsTwice),
    covering: coveringTests(stable, traced, values),
    pinned: new Map([...traced].map(([id, { pinned = [] }]) => [id, pinned])),
    usingOwnMocks: idsOf([...stable.values()].filter(({ id }) => traced.get(id)?.usesOwnMocks)),
    limits: { timeoutMs, testTimeoutMs },
  }
}

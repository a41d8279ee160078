import type { AssumptionKey } from '../assumptions/index.ts'
import { SweepInputError } from './input-error.ts'
import type { Runner, SetAside, TestResult, Values } from './types.ts'

/** What the tests do under the base values. */
export interface Baseline {
  /** Tests that passed each time, by their id. */
  readonly stable: ReadonlyMap<string, TestResult>
  readonly setAside: readonly SetAside[]
  /** Ids of the stable tests that each value, such as `pageUnit=group`, concerns. */
  readonly covering: ReadonlyMap<string, ReadonlySet<string>>
  readonly pinned: ReadonlyMap<string, readonly AssumptionKey[]>
  /** Time limits for a run and for a test: three times what it took, plus 2 s. */
  readonly limits: { readonly timeoutMs: number; readonly testTimeoutMs: number }
}

const limitMs = (ms: number): number => 3 * ms + 2000

const byId = (results: readonly TestResult[]): Map<string, TestResult> =>
  new Map(results.map((result) => [result.id, result]))

const ran = (results: readonly TestResult[]) =>
  results.filter(({ status, isCommand }) => status !== 'skipped' && !isCommand)

const setAsideOf = (test: TestResult, again: TestResult | undefined): SetAside | undefined => {
  const statuses = [test.status, again?.status]
  if (statuses.every((status) => status === 'passed')) return undefined
  return { test: test.name, reason: statuses.includes('passed') ? 'flaky' : 'fails' }
}

/** A test that did not get through its traced run may touch anything. */
const coveringTests = (
  stable: ReadonlyMap<string, TestResult>,
  traced: ReadonlyMap<string, TestResult>,
  values: readonly string[],
) => {
  const covering = new Map<string, Set<string>>()
  for (const id of stable.keys()) {
    const { status, touched = [] } = traced.get(id) ?? {}
    for (const value of status === 'passed' ? touched : values) {
      covering.set(value, (covering.get(value) ?? new Set()).add(id))
    }
  }
  return covering
}

const failure = ({ name, message }: TestResult): string => `${name}${message === undefined ? '' : ` (${message})`}`

/**
 * Runs all tests three times: twice to set aside those that fail or are flaky, once to see which of `values` each test
 * touches.
 *
 * @throws {SweepInputError} There is no test, or none that passes, or none that reaches a mock.
 */
export const measureBaseline = async (runner: Runner, base: Values, values: readonly string[]): Promise<Baseline> => {
  const start = performance.now()
  const first = await runner.run({ assumptions: base })
  const cleanMs = performance.now() - start
  const command = first.find(({ isCommand }) => isCommand)
  if (ran(first).length === 0 && !command) throw new SweepInputError('No test was found.')
  const failed = first.filter(({ status }) => status === 'failed' || status === 'hung')
  const fails = command ? command.status !== 'passed' : failed.length === ran(first).length
  if (failed[0] && (fails || failed.length === ran(first).length)) {
    throw new SweepInputError(`The tests fail before any assumption is changed: ${failure(failed[0])}.`)
  }
  const timeoutMs = limitMs(cleanMs)
  const tests = first.filter(({ status }) => status !== 'skipped')
  const testTimeoutMs = limitMs(Math.max(...tests.map(({ durationMs }) => durationMs)))
  const second = byId(await runner.run({ assumptions: base, timeoutMs, testTimeoutMs }))
  // Tracing computes each response many times over: it gets more time.
  const slow = { timeoutMs: 20 * timeoutMs, testTimeoutMs: 20 * testTimeoutMs }
  const traced = await runner.run({ assumptions: base, trace: true, ...slow })

  const judged = tests.map((test) => ({ test, why: setAsideOf(test, second.get(test.id)) }))
  const stable = byId(judged.flatMap(({ test, why }) => (why ? [] : [test])))
  if (traced.every(({ touched = [], pinned = [] }) => touched.length + pinned.length === 0)) {
    throw new SweepInputError(
      'No test reached a mock: use createMockLedger in the tests, or --serve to start a mock for them.',
    )
  }
  return {
    stable,
    setAside: judged.flatMap(({ why }) => why ?? []),
    covering: coveringTests(stable, byId(traced), values),
    pinned: new Map(traced.map(({ id, pinned = [] }) => [id, pinned])),
    limits: { timeoutMs, testTimeoutMs },
  }
}

import type { TraceEvent } from '../../assumptions/index.ts'
import { idsOf } from '../test-results.ts'
import type { ReportedTest } from './junit-results.ts'

interface Options {
  /** The tests that were running at the end, as the report names them, where the test runner tells. */
  readonly running: readonly string[]
  readonly events: readonly TraceEvent[]
  /** The tests of the first run. */
  readonly known: readonly ReportedTest[]
  /** The tests with a result in this run. */
  readonly reported: readonly ReportedTest[]
}

/**
 * The tests that were running when a run ended early, by id: as the test runner tells, or else the one of those without a
 * result that got the last response in the trace. Empty where that is unknown.
 */
export const runningTests = ({ running, events, known, reported }: Options): ReadonlySet<string> => {
  const ended = idsOf(reported.map(({ result }) => result))
  const missing = known.filter(({ result }) => !ended.has(result.id))
  const named = (names: readonly string[]) =>
    missing.filter(({ traceNames }) => traceNames.some((one) => names.includes(one)))
  const byTrace = () => events.map(({ tests = [] }) => named(tests)).findLast(({ length }) => length > 0)
  const found = running.length > 0 ? named(running) : byTrace()
  return idsOf((found ?? []).map(({ result }) => result))
}

import type { TraceEvent } from '../../assumptions/index.ts'
import { idsOf } from '../test-results.ts'
import { summarize, type TraceSummary } from '../trace-summary.ts'
import type { ReportedTest } from './junit-results.ts'

/**
 * What each test touches, by its id. Events of unknown tests, such as of hooks and shared servers, concern all tests that
 * ran.
 */
export const traceByTest = (
  events: readonly TraceEvent[],
  tests: readonly ReportedTest[],
): ((id: string) => TraceSummary) => {
  const idsByName = new Map<string, string[]>()
  for (const { result, traceNames } of tests) {
    for (const name of traceNames) idsByName.set(name, [...(idsByName.get(name) ?? []), result.id])
  }
  // A hook of a suite has the name of the suite.
  for (const name of tests.flatMap(({ suiteNames }) => suiteNames)) idsByName.delete(name)
  const ofAll: TraceEvent[] = []
  const ofTest = new Map<string, TraceEvent[]>()
  for (const event of events) {
    const { tests: names = [] } = event
    const isKnown = names.length > 0 && names.every((name) => idsByName.has(name))
    if (!isKnown) ofAll.push(event)
    for (const id of isKnown ? new Set(names.flatMap((name) => idsByName.get(name) ?? [])) : []) {
      ofTest.set(id, [...(ofTest.get(id) ?? []), event])
    }
  }
  const skipped = idsOf(tests.map(({ result }) => result).filter(({ status }) => status === 'skipped'))
  return (id) => summarize([...(skipped.has(id) ? [] : ofAll), ...(ofTest.get(id) ?? [])])
}

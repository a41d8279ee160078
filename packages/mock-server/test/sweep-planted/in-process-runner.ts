import type { Runner, TestResult } from '@guild-ledger/mock-server/sweep'
import { setProcessWide, type TraceEvent } from '../../src/assumptions/index.ts'
import { summarize } from '../../src/sweep/trace-summary.ts'
import { happens, planted, type Probe } from './planted.ts'

/** Each planted test, and whether it passes. */
const plantedTests = (): Map<string, () => boolean> => {
  const [pageUnit] = planted.singles
  const together = (probes: readonly Probe[]) => !probes.map((probe) => happens(probe)).every(Boolean)
  let runs = 0
  return new Map([
    ...planted.singles.map((probe) => [`depends on ${probe.value}`, () => !happens(probe)] as const),
    ...planted.robust.map((probe) => [`is ${probe.name}`, () => !happens(probe)] as const),
    ...planted.pairs.map(({ values, all }) => [`depends on ${values.join(' and ')}`, () => together(all)] as const),
    ['is pinned', () => !happens({ ...(pageUnit as Probe), assumptions: { pageUnit: 'transaction' } })],
    ['is flaky', () => runs++ % 2 === 0],
    ['fails', () => false],
  ])
}

/** Runs the planted tests in this process, without a test runner: the whole matrix takes a second. */
export const createInProcessRunner = (): Runner => {
  const tests = plantedTests()
  return {
    selectsTests: true,
    async run({ assumptions, tests: requested, valuesByTest, trace = false, variants }) {
      return [...tests].flatMap(([name, passes]): TestResult[] => {
        if (requested && !requested.has(name)) return []
        const events: TraceEvent[] = []
        const values = valuesByTest?.get(name) ?? assumptions
        setProcessWide({
          assumptions: values,
          ...(trace && { onTrace: (event: TraceEvent) => void events.push(event) }),
          ...(variants && { variants }),
        })
        const status = passes() ? 'passed' : 'failed'
        setProcessWide(undefined)
        return [{ id: name, name, status, durationMs: 1, ...(trace && { ...summarize(events), usesOwnMocks: true }) }]
      })
    },
    replay: ({ name }, values) => `${JSON.stringify(values)} ${name}`,
    async close() {},
  }
}

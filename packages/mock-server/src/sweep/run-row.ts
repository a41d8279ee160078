import { assume, type Alternative, type Assumptions, type Variant } from '../assumptions/index.ts'
import { textOf } from './alternative-text.ts'
import type { Baseline } from './baseline.ts'
import { attemptResults } from './confirm.ts'
import { valuesOf } from './pairs.ts'
import { idsOf, isFailure } from './test-results.ts'
import type { SetAside, TestResult, TestStatus, Values } from './types.ts'
import type { Trial } from './value-rows.ts'
import type { FailuresOfValue, Work } from './work.ts'

/** What a run shows about its values. */
export interface RowOutcome {
  readonly found: readonly FailuresOfValue[]
  /** Trials to repeat with no other value: another one affected their tests after all, or tests did not run. */
  readonly unclear: readonly Trial[]
  /** Whether a test hung, and the others ended: requests that it sends after its end make other values unclear. */
  readonly hasHung: boolean
  /** Tests that did not run because another one hung or ended the run. */
  readonly notRun: ReadonlySet<string>
  /** Tests that passed. */
  readonly passed: ReadonlySet<string>
  /** Whether a test failed that none of several values affects by its trace: each value has to be tried alone. */
  readonly hasStrays: boolean
  /** Tests that failed after others, and that the value does not affect by their trace. */
  readonly setAside: readonly SetAside[]
}

/** Each value of a row, with the changes that make the run one under that value alone. */
export const variantsOf = (row: readonly Alternative[], base: Values): Variant[] => {
  const assumptions = assume(base)
  const without = Object.fromEntries(row.map(({ key }) => [key, assumptions[key]])) as Partial<Assumptions>
  return row.map((alternative) => ({ alternative, changes: { ...without, ...valuesOf([alternative]) } }))
}

const hasEnded: ReadonlySet<TestStatus> = new Set(['passed', 'failed', 'hung'])

/** A command that fails as a whole, or a test without a result, says nothing about single values. */
const isComplete = (results: ReadonlyMap<string, TestResult>, row: readonly Trial[]): boolean =>
  [...results.values()].every((result) => !result.isCommand || !isFailure(result)) &&
  row.every(({ tests }) => [...tests].every((id) => hasEnded.has(results.get(id)?.status ?? 'not-run')))

/** Failed tests whose result is not wanted, and whose trace none of the values affects. */
const straysIn = (results: readonly TestResult[], row: readonly Trial[], { stable, covering }: Baseline) =>
  results.filter(
    (result) =>
      isFailure(result) &&
      !result.isCommand &&
      stable.has(result.id) &&
      row.every(
        ({ alternative, tests }) => !tests.has(result.id) && !covering.get(textOf(alternative))?.has(result.id),
      ),
  )

const nothing = { found: [], unclear: [], hasHung: false, hasStrays: false, notRun: new Set<string>(), setAside: [] }

/**
 * Tries a value by itself. A test that fails although the value does not affect its trace uses what another test
 * received or left. It counts if no other test fails: the others may have left it what a failure left undone.
 */
const runAlone = async ({ runner, baseline, base }: Work, trial: Trial): Promise<RowOutcome> => {
  const { stable } = baseline
  const { alternative, tests } = trial
  const assumptions = { ...base, ...valuesOf([alternative]) }
  const attempt = { assumptions, tests: new Set(stable.keys()) }
  const { failures, passed, notRun } = await attemptResults(runner, baseline, attempt)
  const strays = straysIn(failures, [trial], baseline)
  const own = failures.filter(({ id }) => tests.has(id) || stable.get(id)?.isCommand)
  const counts = own.length === 0
  return {
    ...nothing,
    found: [{ alternative, failures: counts ? strays : own }],
    notRun: new Set([...notRun].filter((id) => tests.has(id))),
    passed,
    setAside: counts ? [] : strays.map(({ name }) => ({ test: name, reason: 'fails after others' })),
  }
}

/**
 * Tries several values in one run. The run is traced: the result of a test counts for its value only if each response
 * to the test is the one it would get under that value alone.
 */
export const runRow = async (work: Work, row: readonly Trial[]): Promise<RowOutcome> => {
  const [only] = row
  if (only && row.length === 1) return runAlone(work, only)
  const { runner, baseline, base } = work
  const alternatives = row.map(({ alternative }) => alternative)
  const assumptions = { ...base, ...valuesOf(alternatives) }
  const variants = variantsOf(alternatives, base)
  const run = await runner.run({ assumptions, trace: true, variants, ...baseline.limits })
  const results = new Map(run.map((result) => [result.id, result]))
  const passed = idsOf(run.filter(({ status }) => status === 'passed'))
  const hasStrays = straysIn(run, row, baseline).length > 0
  if (hasStrays || !isComplete(results, row)) return { ...nothing, unclear: row, passed, hasStrays }
  const isUnclear = ({ alternative, tests }: Trial) =>
    [...tests].some((id) => results.get(id)?.touched?.includes(textOf(alternative)))
  const failuresOf = ({ alternative, tests }: Trial): { alternative: Alternative; failures: TestResult[] } => ({
    alternative,
    failures: run.filter((result) => isFailure(result) && tests.has(result.id)),
  })
  const clear = row.filter((trial) => !isUnclear(trial))
  const hasHung = run.some(({ status }) => status === 'hung')
  return { ...nothing, found: clear.map(failuresOf), unclear: row.filter(isUnclear), hasHung, passed }
}

import { assume, type Alternative, type Assumptions, type Variant } from '../assumptions/index.ts'
import { textOf } from './alternative-text.ts'
import { attemptResults } from './confirm.ts'
import { valuesOf } from './pairs.ts'
import { idsOf, isFailure } from './test-results.ts'
import type { TestResult, TestStatus, Values } from './types.ts'
import type { Trial } from './value-rows.ts'
import type { FailuresOfValue, Work } from './work.ts'

/** What a run shows about its values. */
export interface RowOutcome {
  readonly found: readonly FailuresOfValue[]
  /** Trials to repeat with no other value: another one affected their tests after all, or tests did not run. */
  readonly unclear: readonly Trial[]
  /** Whether a test hung, and the others ended: requests that it sends after its end make other values unclear. */
  readonly hasHung: boolean
  /** Tests that did not run because another one hung. */
  readonly notRun: ReadonlySet<string>
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

/**
 * Tries several values in one run. The run is traced: the result of a test counts for its value only if each response
 * to the test is the one it would get under that value alone.
 */
export const runRow = async ({ runner, baseline, base }: Work, row: readonly Trial[]): Promise<RowOutcome> => {
  const alternatives = row.map(({ alternative }) => alternative)
  const assumptions = { ...base, ...valuesOf(alternatives) }
  const [only] = row
  if (only && row.length === 1) {
    const commands = idsOf([...baseline.stable.values()].filter(({ isCommand }) => isCommand))
    const tests = new Set([...only.tests, ...commands])
    const { failures, notRun } = await attemptResults(runner, baseline, { assumptions, tests })
    return { found: [{ alternative: only.alternative, failures }], unclear: [], hasHung: false, notRun }
  }
  const variants = variantsOf(alternatives, base)
  const run = await runner.run({ assumptions, trace: true, variants, ...baseline.limits })
  const results = new Map(run.map((result) => [result.id, result]))
  if (!isComplete(results, row)) return { found: [], unclear: row, hasHung: false, notRun: new Set() }
  const isUnclear = ({ alternative, tests }: Trial) =>
    [...tests].some((id) => results.get(id)?.touched?.includes(textOf(alternative)))
  const failuresOf = ({ alternative, tests }: Trial): { alternative: Alternative; failures: TestResult[] } => ({
    alternative,
    failures: run.filter((result) => isFailure(result) && tests.has(result.id)),
  })
  const clear = row.filter((trial) => !isUnclear(trial))
  const hasHung = run.some(({ status }) => status === 'hung')
  return { found: clear.map(failuresOf), unclear: row.filter(isUnclear), hasHung, notRun: new Set() }
}

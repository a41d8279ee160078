import { assume, type Alternative, type Assumptions, type Variant } from '../assumptions/index.ts'
import { textOf } from './alternative-text.ts'
import type { Baseline } from './baseline.ts'
import { attemptResults } from './confirm.ts'
import { valuesOf } from './pairs.ts'
import { withoutResultIn, type WithoutResult } from './not-tried.ts'
import { idsOf, isFailure } from './test-results.ts'
import type { SetAside, TestResult, Values } from './types.ts'
import type { Trial } from './value-rows.ts'
import type { FailuresOfValue, Work } from './work.ts'

/** What a run shows about its values. */
export interface RowOutcome {
  readonly found: readonly FailuresOfValue[]
  /** Trials to repeat with no other value: another one affected their tests after all, or tests did not run. */
  readonly unclear: readonly Trial[]
  /** Whether a test hung: requests that it sends after its end, or tests that did not run, make other values unclear. */
  readonly hasHung: boolean
  /** How many attempts to try the unclear values together this was. */
  readonly attempts: number
  /** Tests that skipped themselves, or did not run because another one hung or ended the run. */
  readonly notRun: WithoutResult
  /** Tests that passed. */
  readonly passed: ReadonlySet<string>
  /** Tests that failed after others, and that the value does not affect by their trace. */
  readonly setAside: readonly SetAside[]
}

/** Each value of a row, with the changes that make the run one under that value alone. */
export const variantsOf = (row: readonly Alternative[], base: Values): Variant[] => {
  const assumptions = assume(base)
  const without = Object.fromEntries(row.map(({ key }) => [key, assumptions[key]])) as Partial<Assumptions>
  return row.map((alternative) => ({ alternative, changes: { ...without, ...valuesOf([alternative]) } }))
}

/** A command that fails as a whole, or a test without a result, says nothing about single values. */
const isComplete = (results: ReadonlyMap<string, TestResult>, row: readonly Trial[]): boolean =>
  [...results.values()].every((result) => !result.isCommand || !isFailure(result)) &&
  row.every(({ tests }) => [...tests].every((id) => (results.get(id)?.status ?? 'not-run') !== 'not-run'))

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

const nothing = { found: [], unclear: [], hasHung: false, attempts: 1, notRun: new Map(), setAside: [] }

const alone = (trial: Trial): Trial => ({ ...trial, isAlone: true })

/**
 * Tries a value by itself. A test that fails although the value does not affect its trace uses what another test
 * received or left. It counts if no other test fails: the others may have left it what a failure left undone.
 */
const runAlone = async ({ runner, baseline, base }: Work, trial: Trial): Promise<RowOutcome> => {
  const { stable } = baseline
  const { alternative, tests } = trial
  const assumptions = { ...base, ...valuesOf([alternative]) }
  // The trace shows which test got the last response that differs, if the run ends early.
  const variants = [{ alternative, changes: { [alternative.key]: assume(base)[alternative.key] } }]
  const attempt = { assumptions, tests: new Set(stable.keys()), trace: true, variants }
  const { failures, passed, notRun } = await attemptResults(runner, baseline, attempt)
  const strays = straysIn(failures, [trial], baseline)
  const own = failures.filter(({ id }) => tests.has(id) || stable.get(id)?.isCommand)
  const counts = own.length === 0
  return {
    ...nothing,
    found: [{ alternative, failures: counts ? strays : own }],
    notRun: new Map([...notRun].filter(([id]) => tests.has(id))),
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
  const outcome = { ...nothing, passed: idsOf(run.filter(({ status }) => status === 'passed')) }
  if (straysIn(run, row, baseline).length > 0) return { ...outcome, unclear: row.map(alone) }
  const isClear = ({ alternative, tests, isRepeat = false }: Trial) =>
    [...tests]
      .map((id) => results.get(id))
      // A test that fails again counts even if other values change responses to it: it passes under each of them.
      .every((one) => !one?.touched?.includes(textOf(alternative)) || (isRepeat && one.status === 'failed'))
  const hung = idsOf(run.filter(({ id, status }) => status === 'hung' && row.some(({ tests }) => tests.has(id))))
  const hangs = ({ tests }: Trial) => [...tests].some((id) => hung.has(id))
  const ended = isComplete(results, row)
  // If a test that hangs ended the run, it did so for its own value only.
  const endsRun = ({ tests }: Trial) =>
    hung.size > 0 && [...hung].every((id) => tests.has(id) && !results.get(id)?.mayBeOther)
  const clear = row.filter((trial) => isClear(trial) && (ended || endsRun(trial)))
  const failuresOf = ({ alternative, tests }: Trial): FailuresOfValue => ({
    alternative,
    failures: run.filter((result) => isFailure(result) && tests.has(result.id)),
  })
  return {
    ...outcome,
    found: clear.map(failuresOf),
    unclear: row.filter((trial) => !clear.includes(trial)).map((trial) => (hangs(trial) ? alone(trial) : trial)),
    hasHung: hung.size > 0,
    attempts: hung.size > 0 ? 0 : ended ? 1 : 2,
    notRun: withoutResultIn(run),
  }
}

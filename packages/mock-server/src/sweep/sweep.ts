import {
  alternativesTo,
  assume,
  assumptionDefinitions,
  formatAssumptions,
  type Alternative,
  type AssumptionKey,
} from '../assumptions/index.ts'
import { textOf } from './alternative-text.ts'
import { breakOf } from './break-of.ts'
import { breaksUnderBase } from './breaks-under-base.ts'
import { measureBaseline, type Baseline } from './baseline.ts'
import { testsThatNeedOthers } from './confirm.ts'
import { createCountingRunner } from './counting-runner.ts'
import { combinationsOf, failuresUnderCombination, valuesOf, type Combination } from './pairs.ts'
import { createSchedule, type SweepProgress } from './schedule.ts'
import { trySingles } from './singles.ts'
import { idsOf } from './test-results.ts'
import type { Work } from './work.ts'
import type { Break, NotTried, Runner, SetAside, SweepReport, TestResult, Values } from './types.ts'

/** What to sweep, and for how long. */
export interface SweepOptions {
  /** Runs the tests. It is not closed. */
  readonly runner: Runner
  /**
   * Values that every mock starts from, such as those that `probe` decided.
   *
   * @default {} the default of every assumption
   */
  readonly base?: Values
  /**
   * Assumptions that are not changed.
   *
   * @default [] none
   */
  readonly skip?: readonly AssumptionKey[]
  /**
   * Whether to try pairs of values too.
   *
   * @default false
   */
  readonly pairs?: boolean
  /** Seconds after which no further value is tried; unlimited by default. */
  readonly maxSeconds?: number
  /** Called before each value. */
  readonly onProgress?: (progress: SweepProgress) => void
}

interface Findings {
  readonly breaks: Break[]
  readonly setAside: SetAside[]
  readonly notTried: string[]
  readonly notTriedAfterHang: readonly NotTried[]
}

const withoutRepeats = (setAside: readonly SetAside[]): SetAside[] => [
  ...new Map(setAside.map((one) => [`${one.test} ${one.reason}`, one])).values(),
]

const tryAllSingles = async (work: Work, alternatives: readonly Alternative[]): Promise<Findings> => {
  const { found, setAside, late, notTriedAfterHang } = await trySingles(work, alternatives)
  return {
    breaks: found.flatMap(({ alternative, failures }) =>
      failures.map((result) => breakOf(work, result, valuesOf([alternative]))),
    ),
    setAside: [...work.baseline.setAside, ...setAside],
    notTried: [...late].map(textOf),
    notTriedAfterHang,
  }
}

/** Tests that break under a single value are left out: what else they depend on shows once that is fixed. */
const tryPairs = async (work: Work, alternatives: readonly Alternative[], found: Findings): Promise<void> => {
  const { runner, baseline, base, schedule } = work
  const known = new Set([...found.breaks, ...found.setAside].map(({ test }) => test))
  const candidates = [...baseline.stable.values()].filter(({ name }) => !known.has(name))
  const testsOf = (combination: Combination) =>
    new Set(
      candidates
        .map(({ id }) => id)
        .filter((id) => combination.some((alternative) => baseline.covering.get(textOf(alternative))?.has(id))),
    )
  const label = (combination: Combination) => formatAssumptions(valuesOf(combination))
  const late = await schedule.each(combinationsOf(alternatives), label, async (combination) => {
    const tests = testsOf(combination)
    if (tests.size === 0) return
    const verdict = await failuresUnderCombination(runner, baseline, { combination, base, tests })
    const fresh = verdict.failures.map((failure) => breakOf(work, failure.result, valuesOf(failure.combination)))
    for (const one of fresh) {
      const isFound = found.breaks.some(
        ({ test, values }) => test === one.test && formatAssumptions(values) === formatAssumptions(one.values),
      )
      if (!isFound) found.breaks.push(one)
    }
    found.setAside.push(...verdict.setAside)
  })
  found.notTried.push(...late.map(label))
}

/** Sets tests aside that fail under the base values when others do not run; where all tests run, there are none. */
const setAsideDependent = async ({ runner, baseline, base }: Work, found: Findings): Promise<void> => {
  if (!runner.selectsTests) return
  const names = new Set(found.breaks.map(({ test }) => test))
  const suspects = [...baseline.stable.values()].filter(({ name }) => names.has(name))
  const dependent = await testsThatNeedOthers(runner, baseline, base, idsOf(suspects))
  for (const { name } of suspects.filter(({ id }) => dependent.has(id))) {
    found.setAside.push({ test: name, reason: 'needs other tests' })
    found.breaks.splice(0, Infinity, ...found.breaks.filter(({ test }) => test !== name))
  }
}

/** The tests; the command as a whole counts only where there is nothing else. */
const testsOf = (stable: Baseline['stable']): TestResult[] => {
  const tests = [...stable.values()].filter(({ isCommand }) => !isCommand)
  return tests.length > 0 ? tests : [...stable.values()]
}

/** The values that each test survives. Of a test that is set aside, the sweep says nothing. */
const survivorsOf = ({ stable, covering }: Baseline, { breaks, setAside, notTried, notTriedAfterHang }: Findings) => {
  const bad = new Set([
    ...breaks.map(({ test, values }) => `${test} ${formatAssumptions(values)}`),
    ...notTriedAfterHang.flatMap(({ test, values }) => values.map((value) => `${test} ${value}`)),
  ])
  const late = new Set(notTried)
  const isSetAside = (name: string) => setAside.some(({ test }) => test === name)
  return testsOf(stable)
    .filter(({ name }) => !isSetAside(name))
    .map(({ id, name }) => ({
      test: name,
      values: [...covering].flatMap(([value, ids]) =>
        ids.has(id) && !late.has(value) && !bad.has(`${name} ${value}`) ? [value] : [],
      ),
    }))
    .filter(({ values }) => values.length > 0)
}

/**
 * Finds out which tests of a bot depend on which unspecified behaviour: runs each test under every other value that
 * changes a response to it.
 *
 * @throws {SweepInputError} There is no test, or none that passes, or none that reaches a mock.
 */
export const sweep = async (options: SweepOptions): Promise<SweepReport> => {
  const { base = {}, skip = [], pairs = false, maxSeconds, onProgress } = options
  const schedule = createSchedule(maxSeconds, onProgress)
  const runner = createCountingRunner(options.runner)
  const all = alternativesTo(assume(base)).filter(({ key }) => !skip.includes(key))
  const baseline = await measureBaseline(runner, base, all.map(textOf))
  const touched = all.filter((alternative) => baseline.covering.has(textOf(alternative)))
  const work: Work = { runner, baseline, base, schedule }
  const known = await breaksUnderBase(work)
  const found = await tryAllSingles(work, touched)
  await setAsideDependent(work, found)
  if (pairs) {
    await tryPairs(work, all, found)
    await setAsideDependent(work, found)
  }

  const touchedKeys = new Set(touched.map(({ key }) => key))
  const tests = testsOf(baseline.stable)
  const pinned = tests.flatMap(({ id, name }) => {
    const values = baseline.pinned.get(id) ?? []
    return values.length > 0 ? [{ test: name, values }] : []
  })
  const testRuns = touched.flatMap((alternative) => {
    const concerned = baseline.covering.get(textOf(alternative))
    return tests.filter(({ id }) => concerned?.has(id))
  }).length
  const seen = new Set([...touchedKeys, ...[...baseline.pinned.values()].flat(), ...skip])
  return {
    tests: tests.length + baseline.setAside.length,
    breaks: [...known, ...found.breaks],
    survives: survivorsOf(baseline, found),
    untouched: (Object.keys(assumptionDefinitions) as AssumptionKey[]).filter((key) => !seen.has(key)),
    pinned,
    setAside: withoutRepeats(found.setAside).filter(
      ({ test, reason }) => reason !== 'fails' || !known.some((one) => one.test === test),
    ),
    notTried: found.notTried,
    notTriedAfterHang: found.notTriedAfterHang,
    skipped: skip,
    cost: {
      runs: runner.counts.runs,
      testRuns,
      withoutTrace: tests.length * all.length,
      seconds: schedule.seconds(),
    },
  }
}

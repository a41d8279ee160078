import type { Alternative } from '../assumptions/index.ts'
import type { Baseline } from './baseline.ts'
import { confirmed, failuresIn } from './confirm.ts'
import { shrink } from './ddmin.ts'
import { pairRows } from './pair-rows.ts'
import { isFailure } from './test-results.ts'
import type { Runner, SetAside, TestResult, Values } from './types.ts'

/** Several alternatives at once, one for each assumption at most. */
export type Combination = readonly Alternative[]

export const valuesOf = (combination: Combination): Values =>
  Object.fromEntries(combination.map(({ key, value }) => [key, value]))

const rowLength = 8

/** Combinations in which every two values of different assumptions occur together. */
export const combinationsOf = (alternatives: readonly Alternative[]): Combination[] => pairRows(alternatives, rowLength)

/** A test and the smallest combinations it fails under. */
export interface PairFailure {
  readonly result: TestResult
  readonly combination: Combination
}

/** The smallest combinations in a failing one: after each, the search goes on without the first of its values. */
const smallestIn = async (
  combination: Combination,
  fails: (part: Combination) => Promise<boolean>,
): Promise<Combination[]> => {
  const found: Combination[] = []
  for (let rest = combination; rest.length > 1 && (found.length === 0 || (await fails(rest)));) {
    const smallest = await shrink(rest, fails)
    found.push(smallest)
    rest = rest.filter((alternative) => alternative !== smallest[0])
  }
  return found
}

/** Runs tests under a combination, and finds the smallest parts of it that make them fail. */
export const failuresUnderCombination = async (
  runner: Runner,
  baseline: Baseline,
  { combination, base, tests }: { combination: Combination; base: Values; tests: ReadonlySet<string> },
): Promise<{ failures: PairFailure[]; setAside: readonly SetAside[] }> => {
  const assumptions = { ...base, ...valuesOf(combination) }
  const verdict = await confirmed(
    runner,
    baseline,
    await failuresIn(runner, baseline, { assumptions, tests }),
    assumptions,
  )
  const failures: PairFailure[] = []
  for (const { id } of verdict.failures) {
    const results = new Map<Combination, TestResult>()
    const fails = async (part: Combination): Promise<boolean> => {
      const run = await runner.run({
        assumptions: { ...base, ...valuesOf(part) },
        tests: new Set([id]),
        ...baseline.limits,
      })
      const result = run.find((one) => one.id === id)
      if (!result || !isFailure(result)) return false
      results.set(part, result)
      return true
    }
    const byItself = verdict.failures.find((result) => result.id === id)
    for (const smallest of await smallestIn(combination, fails)) {
      const result = results.get(smallest) ?? byItself
      if (result) failures.push({ result, combination: smallest })
    }
  }
  return { failures, setAside: verdict.setAside }
}

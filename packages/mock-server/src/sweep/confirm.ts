import type { Baseline } from './baseline.ts'
import { withoutResultIn, type WithoutResult } from './not-tried.ts'
import { idsOf, isFailure } from './test-results.ts'
import type { Runner, RunRequest, SetAside, TestResult, Values } from './types.ts'

/** Failures under some values, and what turned out to be none. */
export interface Verdict {
  readonly failures: readonly TestResult[]
  readonly setAside: readonly SetAside[]
}

/** Tests that should have run, but have no result: their file could not be loaded. */
const missingIn = (
  results: readonly TestResult[],
  ids: ReadonlySet<string>,
  stable: Baseline['stable'],
): TestResult[] => {
  const known = new Set(results.map(({ id }) => id))
  const cause = results.find((result) => isFailure(result) && !stable.has(result.id))
  return [...ids].flatMap((id) => {
    const test = stable.get(id)
    if (!test || known.has(id)) return []
    const { message = 'The test did not run.', location } = cause ?? {}
    return [{ ...test, status: 'failed' as const, message, location }]
  })
}

/** What a run needs to know, besides the time limits of the baseline. */
export type Attempt = Required<Pick<RunRequest, 'assumptions' | 'tests'>> &
  Pick<RunRequest, 'valuesByTest' | 'trace' | 'variants'>

/** The results of tests; those that did not run because another one hung run again without that one. */
const resultsOf = async (runner: Runner, limits: Baseline['limits'], attempt: Attempt): Promise<TestResult[]> => {
  const results: TestResult[] = []
  for (let { tests } = attempt; ;) {
    const run = await runner.run({ ...attempt, tests, ...limits })
    const notRun = run.filter(({ id, status }) => status === 'not-run' && tests.has(id))
    const isLast = !runner.selectsTests || notRun.length === 0 || notRun.length === tests.size
    results.push(...run.filter((result) => isLast || !notRun.includes(result)))
    if (isLast) return results
    tests = idsOf(notRun)
  }
}

/** Runs some of the stable tests, and returns those that fail, that pass, and that have no result. */
export const attemptResults = async (
  runner: Runner,
  { stable, limits }: Pick<Baseline, 'stable' | 'limits'>,
  attempt: Attempt,
): Promise<{ failures: TestResult[]; passed: ReadonlySet<string>; notRun: WithoutResult }> => {
  const { tests } = attempt
  const results = await resultsOf(runner, limits, attempt)
  const relevant = results.filter(({ id }) => tests.has(id) && stable.has(id))
  return {
    failures: [...relevant.filter(isFailure), ...missingIn(results, tests, stable)],
    passed: idsOf(relevant.filter(({ status }) => status === 'passed')),
    notRun: withoutResultIn(relevant),
  }
}

/** Runs some of the stable tests, and returns those that fail. */
export const failuresIn = async (...args: Parameters<typeof attemptResults>): Promise<TestResult[]> =>
  (await attemptResults(...args)).failures

/** Runs tests that failed once more under the same values; one that passes now is flaky. */
export const confirmed = async (
  runner: Runner,
  baseline: Pick<Baseline, 'stable' | 'limits'>,
  failures: readonly TestResult[],
  assumptions: Values,
): Promise<Verdict> => {
  if (failures.length === 0) return { failures, setAside: [] }
  const again = idsOf(await failuresIn(runner, baseline, { assumptions, tests: idsOf(failures) }))
  return {
    failures: failures.filter(({ id }) => again.has(id)),
    setAside: failures.filter(({ id }) => !again.has(id)).map(({ name }) => ({ test: name, reason: 'flaky' })),
  }
}

/** The binary numbers of `length` digits of which half are 1, each as the places of these digits. */
const halfFilled = (length: number): number[][] => {
  const places = Array.from({ length }, (_, place) => place)
  return Array.from({ length: 2 ** length }, (_, number) =>
    places.filter((place) => Math.floor(number / 2 ** place) % 2 === 1),
  ).filter((chosen) => chosen.length === Math.ceil(length / 2))
}

/**
 * Parts of some tests. For any two of them, there is a part with the first and without the second: each test is in half
 * of the parts, and no two tests in the same ones. No smaller number of parts can do that (Sperner's theorem).
 */
export const separatingParts = (tests: Iterable<string>): ReadonlySet<string>[] => {
  const ids = [...tests]
  let length = 1
  while (halfFilled(length).length < ids.length) length++
  const places = halfFilled(length)
  const parts = Array.from({ length }, (_, part) => new Set(ids.filter((_id, at) => places[at]?.includes(part))))
  return parts.filter(({ size }) => size > 0)
}

/** Tests that fail under the base values when some of the other tests do not run. */
export const testsThatNeedOthers = async (
  runner: Runner,
  baseline: Pick<Baseline, 'stable' | 'limits'>,
  base: Values,
  tests: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>()
  for (const part of separatingParts(tests)) {
    for (const { id } of await failuresIn(runner, baseline, { assumptions: base, tests: part })) found.add(id)
  }
  return found
}

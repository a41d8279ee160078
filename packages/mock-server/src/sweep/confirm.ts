import type { Baseline } from './baseline.ts'
import type { Runner, SetAside, TestResult, Values } from './types.ts'

/** Whether a test did not do what it does under the base values. */
export const isFailure = ({ status }: TestResult): boolean => status === 'failed' || status === 'hung'

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

const idsOf = (tests: readonly TestResult[]): ReadonlySet<string> => new Set(tests.map(({ id }) => id))

/**
 * Runs tests under some values, and confirms each failure: once under the same values, once under the base values. The
 * latter shows whether they need other tests, so it is left out where a run always has all tests.
 */
export const failuresUnder = async (
  runner: Runner,
  { stable, limits }: Pick<Baseline, 'stable' | 'limits'>,
  { values, base, tests }: { readonly values: Values; readonly base: Values; readonly tests: ReadonlySet<string> },
): Promise<Verdict> => {
  const failuresOf = async (assumptions: Values, ids: ReadonlySet<string>): Promise<TestResult[]> => {
    const results = await runner.run({ assumptions, tests: ids, ...limits })
    return [...results, ...missingIn(results, ids, stable)].filter(
      (result) => isFailure(result) && ids.has(result.id) && stable.has(result.id),
    )
  }
  const first = await failuresOf({ ...base, ...values }, tests)
  if (first.length === 0) return { failures: [], setAside: [] }
  const again = idsOf(await failuresOf({ ...base, ...values }, idsOf(first)))
  const confirmed = first.filter(({ id }) => again.has(id))
  const suspects = runner.selectsTests ? confirmed : []
  const alone = suspects.length === 0 ? new Set<string>() : idsOf(await failuresOf(base, idsOf(suspects)))
  return {
    failures: confirmed.filter(({ id }) => !alone.has(id)),
    setAside: first
      .filter(({ id }) => !again.has(id) || alone.has(id))
      .map(({ id, name }) => ({ test: name, reason: again.has(id) ? 'needs other tests' : 'flaky' })),
  }
}

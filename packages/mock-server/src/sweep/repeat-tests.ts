import type { Alternative } from '../assumptions/index.ts'
import { textOf } from './alternative-text.ts'
import { failuresIn, separatingParts } from './confirm.ts'
import { attemptOf, roundsOf, type Round } from './rounds.ts'
import { idsOf } from './test-results.ts'
import type { TestResult } from './types.ts'
import type { FailuresOfValue, Repeated, Work } from './work.ts'

type HangOf = (id: string, alternative: Alternative) => TestResult | undefined

/**
 * A run for each separating part. A test that hangs runs once, because it takes a whole time limit; tests whose common
 * set-up hangs run together, because none of them starts.
 */
const partsOf = ({ shared, tests }: Round, hangOf: HangOf): Round[] => {
  const others = new Map([...tests].filter(([id, alternative]) => !hangOf(id, alternative)))
  const parts = separatingParts(others.keys()).map((ids) => new Map([...others].filter(([id]) => ids.has(id))))
  const hanging = new Map<string, Map<string, Alternative>>()
  for (const [id, alternative] of tests) {
    const hang = hangOf(id, alternative)
    const cause = `${hang?.hungSetUp ?? id} ${textOf(alternative)}`
    if (hang) hanging.set(cause, (hanging.get(cause) ?? new Map<string, Alternative>()).set(id, alternative))
  }
  return [...parts, ...hanging.values()].filter(({ size }) => size > 0).map((part) => ({ shared, tests: part }))
}

/**
 * Repeats failures where single tests can run. A test has to fail in each run, with and without each other test: then
 * the cause is not what another test left under another value.
 */
export const repeatTests = async (work: Work, found: readonly FailuresOfValue[]): Promise<Repeated> => {
  const { runner, baseline, base, schedule } = work
  const failing = new Map(found.map(({ alternative, failures }) => [alternative, failures]))
  const rounds = roundsOf({
    alternatives: [...failing.keys()],
    testsOf: (alternative) => idsOf(failing.get(alternative) ?? []),
    usesOwnMocks: (id) => baseline.usingOwnMocks.has(id),
  })
  const hangOf: HangOf = (id, alternative) =>
    failing.get(alternative)?.find((result) => result.id === id && result.status === 'hung')
  const passing = new Map<Alternative, Set<string>>()
  const runAgain = async (round: Round) => {
    const failures = idsOf(await failuresIn(runner, baseline, attemptOf(round, base)))
    for (const [id, alternative] of round.tests) {
      if (!failures.has(id)) passing.set(alternative, (passing.get(alternative) ?? new Set()).add(id))
    }
  }
  const labelOf = ({ tests }: Round) => `again ${[...new Set([...tests.values()].map(textOf))].join(' ')}`
  const steps = rounds.flatMap((round) => partsOf(round, hangOf))
  await schedule.each(steps, labelOf, runAgain, Number.POSITIVE_INFINITY)
  const passes = ({ id }: TestResult, alternative: Alternative) => passing.get(alternative)?.has(id) ?? false
  return {
    found: found.map(({ alternative, failures }) => ({
      alternative,
      failures: failures.filter((failure) => !passes(failure, alternative)),
    })),
    setAside: found.flatMap(({ alternative, failures }) =>
      failures
        .filter((failure) => passes(failure, alternative))
        .map(({ name }) => ({ test: name, reason: 'flaky' as const })),
    ),
  }
}

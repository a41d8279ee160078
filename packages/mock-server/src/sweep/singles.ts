import type { Alternative } from '../assumptions/index.ts'
import { textOf } from './alternative-text.ts'
import { attemptResults } from './confirm.ts'
import { listNotTried, type NotTriedReason } from './not-tried.ts'
import { repeatTests } from './repeat-tests.ts'
import { attemptOf, roundsOf, type Round } from './rounds.ts'
import { tryRows } from './try-rows.ts'
import type { FailuresOfValue, Singles, Work } from './work.ts'

const labelOfRound = ({ tests }: Round): string => [...new Set([...tests.values()].map(textOf))].join(' ')

/** Runs each test once under each value that concerns it. A test that hung does not run under further values. */
const firstFailures = async ({ runner, baseline, base, schedule }: Work, alternatives: readonly Alternative[]) => {
  const failures = new Map<Alternative, FailuresOfValue['failures']>()
  const hung = new Set<string>()
  const notTried: { id: string; value: string; reason: NotTriedReason }[] = []
  const rounds = roundsOf({
    alternatives,
    testsOf: (alternative) => baseline.covering.get(textOf(alternative)) ?? new Set(),
    usesOwnMocks: (id) => baseline.usingOwnMocks.has(id),
  })
  const late = await schedule.each(rounds, labelOfRound, async ({ shared, tests }) => {
    for (const [id, alternative] of [...tests].filter(([test]) => hung.has(test))) {
      notTried.push({ id, value: textOf(alternative), reason: 'hung before' })
    }
    const remaining = [...tests].filter(([id]) => !hung.has(id))
    if (remaining.length === 0) return
    const attempt = attemptOf({ shared, tests: new Map(remaining) }, base)
    const { failures: results, notRun } = await attemptResults(runner, baseline, attempt)
    for (const [id, alternative] of remaining) {
      const reason = notRun.get(id)
      if (reason) notTried.push({ id, value: textOf(alternative), reason })
    }
    for (const result of results) {
      const alternative = tests.get(result.id)
      if (alternative) failures.set(alternative, [...(failures.get(alternative) ?? []), result])
      if (result.status === 'hung') hung.add(result.id)
    }
  })
  return {
    notTried,
    found: alternatives.flatMap((alternative) => {
      const ofValue = failures.get(alternative)
      return ofValue ? [{ alternative, failures: ofValue }] : []
    }),
    late: new Set(late.flatMap(({ tests }) => [...tests.values()])),
  }
}

/** Tries each value by itself, and repeats the failures. */
export const trySingles = async (work: Work, alternatives: readonly Alternative[]): Promise<Singles> => {
  if (!work.runner.selectsTests) return tryRows(work, alternatives)
  const { found, notTried, late } = await firstFailures(work, alternatives)
  return {
    ...(await repeatTests(work, found)),
    late,
    notTriedAfterHang: listNotTried(work.baseline.stable.values(), notTried),
  }
}

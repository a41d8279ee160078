import type { Alternative } from '../assumptions/index.ts'
import { textOf } from './alternative-text.ts'
import { failuresIn } from './confirm.ts'
import { listNotTried } from './not-tried.ts'
import { runRow } from './run-row.ts'
import { idsOf } from './test-results.ts'
import { createTrialPool } from './trial-pool.ts'
import type { SetAside, TestResult } from './types.ts'
import type { Trial } from './value-rows.ts'
import type { FailuresOfValue, Singles, Work } from './work.ts'

const labelOf = (row: readonly Trial[]): string =>
  (row.every(({ isRepeat }) => isRepeat) ? 'again ' : '') + row.map(({ alternative }) => textOf(alternative)).join(' ')

/** Tests that fail under the base values now, although they did not before. */
const failingUnderBase = async (work: Work, found: readonly FailuresOfValue[]): Promise<ReadonlySet<string>> => {
  const tests = idsOf(found.flatMap(({ failures }) => failures))
  if (tests.size === 0) return tests
  return idsOf(await failuresIn(work.runner, work.baseline, { assumptions: work.base, tests }))
}

/**
 * Tries values where a run has all tests, several in one run, and repeats the failures with other values beside each
 * one. One run under the base values is for all failures.
 */
export const tryRows = async (work: Work, alternatives: readonly Alternative[]): Promise<Singles> => {
  const { baseline, schedule } = work
  const pool = createTrialPool(baseline, alternatives)
  await schedule.drain(
    (isTimeUp) => pool.rowsLeft(isTimeUp),
    labelOf,
    async (row) => pool.record(row, await runRow(work, row)),
  )
  const repeatedFailures = pool.repeated()
  const failsUnderBase = await failingUnderBase(work, repeatedFailures)
  const repeated = new Map(repeatedFailures.map(({ alternative, failures }) => [alternative, idsOf(failures)]))
  const isConfirmed = (alternative: Alternative, { id }: TestResult) =>
    repeated.get(alternative)?.has(id) === true && !failsUnderBase.has(id)
  const failAfterOthers = new Set(pool.setAside.map(({ test }) => test))
  const failing = pool.failing()
  const reasonFor = (alternative: Alternative, id: string): SetAside['reason'] =>
    pool.failedWithOthers(alternative, id) && !failsUnderBase.has(id) ? 'fails after others' : 'flaky'
  return {
    found: failing.map(({ alternative, failures }) => ({
      alternative,
      failures: failures.filter((failure) => isConfirmed(alternative, failure)),
    })),
    setAside: [
      ...failing.flatMap(({ alternative, failures }) =>
        failures
          .filter((failure) => !isConfirmed(alternative, failure) && !failAfterOthers.has(failure.name))
          .map(({ id, name }): SetAside => ({ test: name, reason: reasonFor(alternative, id) })),
      ),
      ...pool.setAside,
    ],
    late: pool.late,
    notTriedAfterHang: listNotTried(
      baseline.stable.values(),
      alternatives.flatMap((alternative) =>
        [...pool.notRun(alternative)].map(([id, reason]) => ({ id, reason, value: textOf(alternative) })),
      ),
    ),
  }
}

import type { Alternative } from '../assumptions/index.ts'
import { textOf } from './alternative-text.ts'
import type { Baseline } from './baseline.ts'
import type { WithoutResult } from './not-tried.ts'
import { createRowEvidence } from './row-evidence.ts'
import type { RowOutcome } from './run-row.ts'
import { idsOf } from './test-results.ts'
import type { SetAside } from './types.ts'
import { valueRows, type Trial } from './value-rows.ts'
import type { FailuresOfValue } from './work.ts'

/** Failures that occurred again, and the other values in the run. */
interface Repeat extends FailuresOfValue {
  readonly others: readonly Alternative[]
}

/** The trials that are left to run, and what came of the others. */
export interface TrialPool {
  /** The trials that are left, in rows. When the time is up, only failures are repeated. */
  rowsLeft(isTimeUp: boolean): readonly (readonly Trial[])[]
  /** Takes what a run of a row showed. */
  record(row: readonly Trial[], outcome: RowOutcome): void
  /** The tests that failed at first. */
  failing(): readonly FailuresOfValue[]
  /** The tests that failed again. */
  repeated(): readonly FailuresOfValue[]
  /** Whether a test failed in each run of a value with others, before the value was tried alone. */
  failedWithOthers(alternative: Alternative, test: string): boolean
  /** Tests that skipped themselves under a value, or did not run because another one hung or ended the run. */
  notRun(alternative: Alternative): WithoutResult
  /** Values for which there was no time. */
  readonly late: ReadonlySet<Alternative>
  /** Tests that failed after others. */
  readonly setAside: readonly SetAside[]
}

/** Attempts to try a value together with others. What is unclear after that is tried alone. */
const attemptsTogether = 4

/** The command as a whole depends on everything: it counts only where there is nothing else. */
const withoutCommand = (tests: ReadonlySet<string>, { stable }: Baseline): ReadonlySet<string> => {
  const others = new Set([...tests].filter((id) => !stable.get(id)?.isCommand))
  return others.size > 0 ? others : tests
}

/**
 * A pool with a trial for each value. A failure is repeated with other values beside each one, as soon as there is a
 * place for it in a row.
 */
export const createTrialPool = (baseline: Baseline, alternatives: readonly Alternative[]): TrialPool => {
  const coveredBy = (alternative: Alternative) => baseline.covering.get(textOf(alternative)) ?? new Set<string>()
  const affects = (alternative: Alternative, test: string) => coveredBy(alternative).has(test)
  const { add, areApart, hasPassed } = createRowEvidence()
  const first = new Map<Alternative, FailuresOfValue>()
  const repeats = new Map<Alternative, Repeat>()
  const withOthers = new Map<Alternative, ReadonlySet<string>>()
  const notRun = new Map<Alternative, WithoutResult>()
  const late = new Set<Alternative>()
  const setAside: SetAside[] = []
  const unclearAttempts = new Map<Alternative, number>()
  let open: readonly Trial[] = alternatives.map((alternative) => ({
    alternative,
    tests: withoutCommand(coveredBy(alternative), baseline),
  }))

  // A run that hangs or fails as a whole says little about other values, as does a test whose trace does not show why.
  const needsOwnRun = ({ alternative, failures }: FailuresOfValue) =>
    failures.some(({ id, status, isCommand }) => status === 'hung' || isCommand || !affects(alternative, id))
  const repeatOf = (found: FailuresOfValue, isAlone: boolean): Trial => ({
    alternative: found.alternative,
    tests: withoutCommand(idsOf(found.failures), baseline),
    isRepeat: true,
    isAlone,
  })
  /** Repeats in which another value may be the cause: their tests passed in no run with that value. */
  const takeDoubtful = (): Trial[] => {
    const doubtful = [...repeats.values()].filter(({ failures, others }) =>
      others.some((other) => failures.some(({ id }) => !hasPassed(id, other))),
    )
    for (const { alternative, failures } of doubtful) {
      repeats.delete(alternative)
      withOthers.set(alternative, idsOf(failures))
    }
    return doubtful.map((found) => repeatOf(found, true))
  }
  const passes = (alternative: Alternative, test: string) => {
    const found = first.get(alternative)
    return found !== undefined && !idsOf(found.failures).has(test)
  }
  const isUnclearAgain = (alternative: Alternative, attempts: number) => {
    const count = (unclearAttempts.get(alternative) ?? 0) + attempts
    unclearAttempts.set(alternative, count)
    return count >= attemptsTogether
  }

  return {
    late,
    setAside,
    failing: () => alternatives.flatMap((one) => first.get(one) ?? []).filter(({ failures }) => failures.length > 0),
    repeated: () => [...repeats.values()],
    failedWithOthers: (alternative, test) => withOthers.get(alternative)?.has(test) ?? false,
    notRun: (alternative) => notRun.get(alternative) ?? new Map(),
    rowsLeft(isTimeUp) {
      if (isTimeUp) {
        for (const { alternative } of open.filter(({ isRepeat }) => !isRepeat)) late.add(alternative)
        open = open.filter(({ isRepeat }) => isRepeat)
      }
      if (open.length === 0) open = takeDoubtful()
      return valueRows({ trials: open, affects, passes, areApart })
    },
    record(row, { found, unclear, passed, hasHung, ...outcome }) {
      const values = row.map(({ alternative }) => alternative)
      // Where a test hung, the values that it made unclear may share a run again, without its own value.
      add(values, passed, hasHung ? found.map(({ alternative }) => alternative) : values)
      setAside.push(...(row.some(({ isRepeat }) => isRepeat) ? [] : outcome.setAside))
      const again: Trial[] = []
      for (const trial of row) {
        const { alternative, tests, isRepeat } = trial
        const one = found.find((each) => each.alternative === alternative)
        if (one && isRepeat) {
          repeats.set(alternative, { ...one, others: values.filter((other) => other !== alternative) })
        } else if (one) {
          first.set(alternative, one)
          notRun.set(alternative, new Map([...outcome.notRun].filter(([id]) => tests.has(id))))
          if (one.failures.length > 0) again.push(repeatOf(one, needsOwnRun(one)))
        }
      }
      for (const trial of unclear) {
        const isAlone = isUnclearAgain(trial.alternative, outcome.attempts) || (trial.isAlone ?? false)
        again.push({ ...trial, isAlone })
      }
      open = [...open.filter(({ alternative }) => !values.includes(alternative)), ...again]
    },
  }
}

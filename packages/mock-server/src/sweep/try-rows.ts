import type { Alternative } from '../assumptions/index.ts'
import { textOf } from './alternative-text.ts'
import type { Baseline } from './baseline.ts'
import { failuresIn } from './confirm.ts'
import { runRow } from './run-row.ts'
import { idsOf } from './test-results.ts'
import type { SetAside, TestResult } from './types.ts'
import { valueRows, type Trial } from './value-rows.ts'
import type { FailuresOfValue, Singles, Work } from './work.ts'

/** Values that were in one run. They are never put together again, so that a repeat has other values beside each one. */
type Met = Map<Alternative, Set<Alternative>>

/** The tests that passed in some run with a value: the value does not make them fail, whatever else it changes. */
type Passed = Map<Alternative, Set<string>>

interface Options {
  readonly trials: readonly Trial[]
  readonly met: Met
  readonly passed: Passed
  /** Whether a failure counts only if its test passed in other runs with each of the other values. */
  readonly isRepeat?: boolean
  /** Values that get runs of their own. */
  readonly alone?: ReadonlySet<Alternative>
  readonly label?: string
  readonly untilSeconds?: number
}

/** Attempts to try a value together with others. What is unclear after that is tried alone. */
const attemptsTogether = 2

const tryTrials = async (work: Work, options: Options) => {
  const { trials, met, passed, isRepeat = false, label = '', untilSeconds } = options
  const alone = new Set(options.alone)
  const { baseline, schedule } = work
  const affects = (alternative: Alternative, test: string) =>
    baseline.covering.get(textOf(alternative))?.has(test) ?? false
  const areApart = (one: Alternative, other: Alternative) =>
    alone.has(one) || alone.has(other) || met.get(one)?.has(other) === true || met.get(other)?.has(one) === true
  const labelOf = (row: readonly Trial[]) => label + row.map(({ alternative }) => textOf(alternative)).join(' ')
  const mayHaveOtherCause = ({ alternative, failures }: FailuresOfValue, row: readonly Trial[]) =>
    row.some(
      (other) =>
        other.alternative !== alternative && failures.some(({ id }) => !passed.get(other.alternative)?.has(id)),
    )
  const found = new Map<Alternative, FailuresOfValue>()
  const notRun = new Map<Alternative, ReadonlySet<string>>()
  const late: Alternative[] = []
  const setAside: SetAside[] = []
  let open = trials
  for (let attempt = 1; open.length > 0; attempt++) {
    const unclear: Trial[] = []
    const rows =
      attempt > attemptsTogether ? open.map((trial) => [trial]) : valueRows({ trials: open, affects, areApart })
    const rest = await schedule.each(
      rows,
      labelOf,
      async (row) => {
        const outcome = await runRow(work, row)
        for (const { alternative } of row) {
          passed.set(alternative, new Set([...(passed.get(alternative) ?? []), ...outcome.passed]))
        }
        const doubtful = outcome.found.filter((one) => isRepeat && mayHaveOtherCause(one, row))
        for (const one of outcome.found) if (!doubtful.includes(one)) found.set(one.alternative, one)
        for (const { alternative } of outcome.hasStrays ? row : doubtful) alone.add(alternative)
        const again = row.filter((trial) => doubtful.some(({ alternative }) => alternative === trial.alternative))
        unclear.push(...outcome.unclear, ...again)
        setAside.push(...outcome.setAside)
        // Where a test hung, the values that it made unclear may share a run again, without its own value.
        const apart = outcome.hasHung ? outcome.found : row
        for (const { alternative } of row) {
          notRun.set(alternative, outcome.notRun)
          const others = apart.map((other) => other.alternative)
          met.set(alternative, new Set([...(met.get(alternative) ?? []), ...others]))
        }
      },
      untilSeconds,
    )
    late.push(...rest.flatMap((row) => row.map(({ alternative }) => alternative)))
    open = unclear
  }
  return { found: trials.flatMap(({ alternative }) => found.get(alternative) ?? []), late, notRun, setAside }
}

/** Tests that fail under the base values now, although they did not before. */
const failingUnderBase = async (work: Work, found: readonly FailuresOfValue[]): Promise<ReadonlySet<string>> => {
  const tests = idsOf(found.flatMap(({ failures }) => failures))
  if (tests.size === 0) return tests
  return idsOf(await failuresIn(work.runner, work.baseline, { assumptions: work.base, tests }))
}

/** The command as a whole depends on everything: it counts only where there is nothing else. */
const withoutCommand = (tests: ReadonlySet<string>, { stable }: Baseline): ReadonlySet<string> => {
  const others = new Set([...tests].filter((id) => !stable.get(id)?.isCommand))
  return others.size > 0 ? others : tests
}

/**
 * Tries values where a run has all tests, several in one run, then repeats the failures with other values beside each
 * one. One run under the base values is for all failures.
 */
export const tryRows = async (work: Work, alternatives: readonly Alternative[]): Promise<Singles> => {
  const { baseline } = work
  const trialOf = (alternative: Alternative, tests: ReadonlySet<string> = new Set()): Trial => ({
    alternative,
    tests: withoutCommand(tests, baseline),
  })
  const met: Met = new Map()
  const passed: Passed = new Map()
  const first = await tryTrials(work, {
    trials: alternatives.map((alternative) => trialOf(alternative, baseline.covering.get(textOf(alternative)))),
    met,
    passed,
  })
  const failing = first.found.filter(({ failures }) => failures.length > 0)
  // A run that hangs or fails as a whole says little about other values, as does a test whose trace does not show why.
  const needsOwnRun = ({ alternative, failures }: FailuresOfValue) =>
    failures.some(
      ({ id, status, isCommand }) =>
        status === 'hung' || isCommand || !baseline.covering.get(textOf(alternative))?.has(id),
    )
  const again = await tryTrials(work, {
    trials: failing.map(({ alternative, failures }) => trialOf(alternative, idsOf(failures))),
    met,
    passed,
    isRepeat: true,
    alone: new Set(failing.filter(needsOwnRun).map(({ alternative }) => alternative)),
    label: 'again ',
    untilSeconds: Number.POSITIVE_INFINITY,
  })
  const failsUnderBase = await failingUnderBase(work, again.found)
  const repeated = new Map(again.found.map(({ alternative, failures }) => [alternative, idsOf(failures)]))
  const isConfirmed = (alternative: Alternative, { id }: TestResult) =>
    repeated.get(alternative)?.has(id) === true && !failsUnderBase.has(id)
  const failAfterOthers = new Set(first.setAside.map(({ test }) => test))
  return {
    found: failing.map(({ alternative, failures }) => ({
      alternative,
      failures: failures.filter((failure) => isConfirmed(alternative, failure)),
    })),
    setAside: [
      ...failing.flatMap(({ alternative, failures }) =>
        failures
          .filter((failure) => !isConfirmed(alternative, failure) && !failAfterOthers.has(failure.name))
          .map(({ name }): SetAside => ({ test: name, reason: 'flaky' })),
      ),
      ...first.setAside,
    ],
    late: new Set(first.late),
    notTriedAfterHang: [...baseline.stable.values()].flatMap(({ id, name }) => {
      const values = alternatives.filter((alternative) => first.notRun.get(alternative)?.has(id)).map(textOf)
      return values.length > 0 ? [{ test: name, values }] : []
    }),
  }
}

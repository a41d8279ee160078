import type { Alternative } from '../assumptions/index.ts'
import { textOf } from './alternative-text.ts'
import type { Baseline } from './baseline.ts'
import { confirmationRows, type FailuresOfValue } from './confirmation-rows.ts'
import { confirmed, failuresIn } from './confirm.ts'
import { valuesOf } from './pairs.ts'
import { roundsOf, type Round } from './rounds.ts'
import type { Schedule } from './schedule.ts'
import type { Runner, SetAside, TestAndValues, Values } from './types.ts'

/** What a sweep works with. */
export interface Work {
  readonly runner: Runner
  readonly baseline: Baseline
  readonly base: Values
  readonly schedule: Schedule
}

interface Singles {
  readonly found: readonly FailuresOfValue[]
  readonly setAside: readonly SetAside[]
  /** Alternatives that were not tried with every test. */
  readonly late: ReadonlySet<Alternative>
  readonly notTriedAfterHang: readonly TestAndValues[]
}

const labelOfRound = ({ tests }: Round): string => [...new Set([...tests.values()].map(textOf))].join(' ')

/** Runs each test once under each value that concerns it. A test that hung does not run under further values. */
const firstFailures = async ({ runner, baseline, base, schedule }: Work, alternatives: readonly Alternative[]) => {
  const failures = new Map<Alternative, FailuresOfValue['failures']>()
  const hung = new Map<string, string[]>()
  const rounds = roundsOf({
    alternatives,
    testsOf: (alternative) => baseline.covering.get(textOf(alternative)) ?? new Set(),
    usesOwnMocks: (id) => baseline.usingOwnMocks.has(id),
  })
  const late = await schedule.each(rounds, labelOfRound, async ({ shared, tests }) => {
    for (const [id, alternative] of tests) hung.get(id)?.push(textOf(alternative))
    const remaining = [...tests].filter(([id]) => !hung.has(id))
    if (remaining.length === 0) return
    const results = await failuresIn(runner, baseline, {
      assumptions: { ...base, ...(shared && valuesOf([shared])) },
      tests: new Set(remaining.map(([id]) => id)),
      valuesByTest: new Map(remaining.map(([id, alternative]) => [id, { ...base, ...valuesOf([alternative]) }])),
    })
    for (const result of results) {
      const alternative = tests.get(result.id)
      if (alternative) failures.set(alternative, [...(failures.get(alternative) ?? []), result])
      if (result.status === 'hung' && runner.selectsTests) hung.set(result.id, [])
    }
  })
  return {
    hung,
    found: alternatives.flatMap((alternative) => {
      const ofValue = failures.get(alternative)
      return ofValue ? [{ alternative, failures: ofValue }] : []
    }),
    late: new Set(late.flatMap(({ tests }) => [...tests.values()])),
  }
}

/** Tries each value by itself, and repeats the failures. */
export const trySingles = async (work: Work, alternatives: readonly Alternative[]): Promise<Singles> => {
  const { runner, baseline, base, schedule } = work
  const { found, hung, late } = await firstFailures(work, alternatives)
  const setAside: SetAside[] = []
  const repeated = new Map<Alternative, FailuresOfValue>()
  const repeat = async (row: readonly FailuresOfValue[]): Promise<void> => {
    const assumptions = { ...base, ...valuesOf(row.map(({ alternative }) => alternative)) }
    const verdict = await confirmed(
      runner,
      baseline,
      row.flatMap(({ failures }) => failures),
      assumptions,
    )
    const kept = new Set(verdict.failures)
    for (const { alternative, failures } of row) {
      const stillFailing = failures.filter((failure) => kept.has(failure))
      // The other values of the row may hide the effect of this one.
      if (row.length > 1 && stillFailing.length < failures.length) await repeat([{ alternative, failures }])
      else repeated.set(alternative, { alternative, failures: stillFailing })
    }
    if (row.length === 1) setAside.push(...verdict.setAside)
  }
  // A run of a few tests is cheap, and the replay line repeats it; a run of all tests is not.
  const rows = runner.selectsTests ? found.map((one) => [one]) : confirmationRows(found)
  const label = (row: readonly FailuresOfValue[]) =>
    `again ${row.map(({ alternative }) => textOf(alternative)).join(' ')}`
  await schedule.each(rows, label, repeat, Number.POSITIVE_INFINITY)
  return {
    found: found.flatMap(({ alternative }) => repeated.get(alternative) ?? []),
    setAside,
    late,
    notTriedAfterHang: [...hung].flatMap(([id, values]) => {
      const test = baseline.stable.get(id)
      return test && values.length > 0 ? [{ test: test.name, values }] : []
    }),
  }
}

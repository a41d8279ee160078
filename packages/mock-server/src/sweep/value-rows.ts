import type { Alternative } from '../assumptions/index.ts'

/** A value, and the tests whose result under it is wanted. */
export interface Trial {
  readonly alternative: Alternative
  readonly tests: ReadonlySet<string>
}

interface Options {
  readonly trials: readonly Trial[]
  /** Whether a value can affect a test. */
  readonly affects: (alternative: Alternative, test: string) => boolean
  /** Whether two values must not be in one run. */
  readonly areApart: (one: Alternative, other: Alternative) => boolean
}

const longestRow = 8

/**
 * Puts values together that one run can try: values of different assumptions, of which none affects the tests of
 * another one. Each test then runs as if under its own value alone.
 */
export const valueRows = ({ trials, affects, areApart }: Options): Trial[][] => {
  const disturbs = ({ alternative }: Trial, { tests }: Trial) => [...tests].some((test) => affects(alternative, test))
  const mayMeet = (one: Trial, other: Trial) =>
    one.alternative.key !== other.alternative.key &&
    !areApart(one.alternative, other.alternative) &&
    !disturbs(one, other) &&
    !disturbs(other, one)
  const rows: Trial[][] = []
  // Values with many tests first: those with few find a place in their rows.
  for (const trial of trials.toSorted((one, other) => other.tests.size - one.tests.size)) {
    const row = rows.find((members) => members.length < longestRow && members.every((other) => mayMeet(trial, other)))
    if (row) row.push(trial)
    else rows.push([trial])
  }
  return rows
}

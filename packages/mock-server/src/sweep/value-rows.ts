import type { Alternative } from '../assumptions/index.ts'

/** A value, and the tests whose result under it is wanted. */
export interface Trial {
  readonly alternative: Alternative
  readonly tests: ReadonlySet<string>
  /** Whether the value gets a run of its own. */
  readonly isAlone?: boolean
  /** Whether the tests failed under the value before. */
  readonly isRepeat?: boolean
}

interface Options {
  readonly trials: readonly Trial[]
  /** Whether a value can affect a test. */
  readonly affects: (alternative: Alternative, test: string) => boolean
  /** Whether a test is known to pass under a value that affects it. */
  readonly passes?: (alternative: Alternative, test: string) => boolean
  /** Whether two values must not be in one run. */
  readonly areApart: (one: Alternative, other: Alternative) => boolean
}

const longestRow = 8

/** Values that are tried for the first time, then those with many tests: the others find a place in their rows. */
const inOrder = (one: Trial, other: Trial): number =>
  Number(one.isRepeat ?? false) - Number(other.isRepeat ?? false) || other.tests.size - one.tests.size

/**
 * Puts values together that one run can try: values of different assumptions, of which none affects the tests of
 * another one. Each test then runs as if under its own value alone. A repeat may be beside values that affect its tests
 * if they pass under them: these values are not what makes them fail.
 */
export const valueRows = ({ trials, affects, passes = () => false, areApart }: Options): Trial[][] => {
  const disturbs = ({ alternative }: Trial, { tests, isRepeat = false }: Trial) =>
    [...tests].some((test) => affects(alternative, test) && !(isRepeat && passes(alternative, test)))
  const mayMeet = (one: Trial, other: Trial) =>
    !one.isAlone &&
    !other.isAlone &&
    one.alternative.key !== other.alternative.key &&
    !areApart(one.alternative, other.alternative) &&
    !disturbs(one, other) &&
    !disturbs(other, one)
  const rows: Trial[][] = []
  for (const trial of trials.toSorted(inOrder)) {
    const row = rows.find((members) => members.length < longestRow && members.every((other) => mayMeet(trial, other)))
    if (row) row.push(trial)
    else rows.push([trial])
  }
  return rows
}

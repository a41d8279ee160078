import type { Alternative } from '../assumptions/index.ts'

/** What the runs so far show about values that were in one run. */
export interface RowEvidence {
  /** Records a run: the tests that passed with all these values, and those values that are not to be together again. */
  readonly add: (values: readonly Alternative[], passed: ReadonlySet<string>, apart: readonly Alternative[]) => void
  /** Whether two values were in one run: a repeat has other values beside each one. */
  readonly areApart: (one: Alternative, other: Alternative) => boolean
  /** Whether a test passed in a run with a value: the value does not make it fail, whatever else it changes. */
  readonly hasPassed: (test: string, alternative: Alternative) => boolean
}

/** Evidence of no run yet. */
export const createRowEvidence = (): RowEvidence => {
  const met = new Map<Alternative, Set<Alternative>>()
  const passedWith = new Map<Alternative, Set<string>>()
  return {
    add(values, passed, apart) {
      for (const value of values) {
        passedWith.set(value, new Set([...(passedWith.get(value) ?? []), ...passed]))
        met.set(value, new Set([...(met.get(value) ?? []), ...apart]))
      }
    },
    areApart: (one, other) => met.get(one)?.has(other) === true || met.get(other)?.has(one) === true,
    hasPassed: (test, alternative) => passedWith.get(alternative)?.has(test) ?? false,
  }
}

import type { Alternative } from '../assumptions/index.ts'
import type { Attempt } from './confirm.ts'
import { valuesOf } from './pairs.ts'
import type { Values } from './types.ts'

/** One run, in which tests may have different values. */
export interface Round {
  /** The value for all tests of the round that share a mock, if there are any. */
  readonly shared: Alternative | undefined
  /** The value of each test of the round. */
  readonly tests: ReadonlyMap<string, Alternative>
}

interface Options {
  readonly alternatives: readonly Alternative[]
  /** Ids of the tests to run under a value. */
  readonly testsOf: (alternative: Alternative) => ReadonlySet<string>
  /** Whether a test uses only mocks that it creates itself. */
  readonly usesOwnMocks: (id: string) => boolean
}

/**
 * Distributes tests and values over as few runs as possible. Tests with mocks of their own can have different values in
 * one run. The others get a run for each value.
 */
export const roundsOf = ({ alternatives, testsOf, usesOwnMocks }: Options): Round[] => {
  const rounds: { shared: Alternative | undefined; tests: Map<string, Alternative> }[] = []
  const roundAt = (at: number) => (rounds[at] ??= { shared: undefined, tests: new Map() })
  const counts = new Map<string, number>()
  let sharedRounds = 0
  for (const alternative of alternatives) {
    const [own, shared] = [true, false].map((is) => [...testsOf(alternative)].filter((id) => usesOwnMocks(id) === is))
    if (shared && shared.length > 0) {
      const round = roundAt(sharedRounds++)
      round.shared = alternative
      for (const id of shared) round.tests.set(id, alternative)
    }
    for (const id of own ?? []) {
      const count = counts.get(id) ?? 0
      roundAt(count).tests.set(id, alternative)
      counts.set(id, count + 1)
    }
  }
  return rounds
}

/** What to run for a round. */
export const attemptOf = ({ shared, tests }: Round, base: Values): Attempt => ({
  assumptions: { ...base, ...(shared && valuesOf([shared])) },
  tests: new Set(tests.keys()),
  valuesByTest: new Map([...tests].map(([id, alternative]) => [id, { ...base, ...valuesOf([alternative]) }])),
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Rules } from '../../sdk/src/walk/rules.ts'
import { compareStamps } from '../../sdk/src/walk/stamp.ts'
import { unitOf } from '../../sdk/src/walk/unit.ts'
import { growing, restless, shrinking, swapping } from './walk-arbitraries.ts'
import { live, type Outcome, type Scenario } from './walk-world.ts'

const idsOf = ({ yielded }: Outcome) => yielded.map((row) => row.transactionId)
const twice = (outcome: Outcome) => idsOf(outcome).filter((id, i, ids) => ids.indexOf(id) !== i)
const missing = (outcome: Outcome) => {
  const seen = new Set(idsOf(outcome))
  const stayed = new Set(outcome.after)
  return outcome.before.filter((id) => stayed.has(id) && !seen.has(id))
}

// All of them in CI; elsewhere enough to see a mistake.
const scale = process.env.CI ? 1 : 0.2

interface Promised {
  readonly scenarios: fc.Arbitrary<Scenario>
  readonly runs: number
  /** What a walk that keeps the promise has none of. */
  readonly faults: (outcome: Outcome, scenario: Scenario) => readonly unknown[]
}

/** What a walk promises, each with the worlds in which it must hold. */
const promises = {
  'yields nothing twice while things are added': { scenarios: growing, runs: 1500, faults: twice },
  'misses nothing that was there while things are added': { scenarios: growing, runs: 1500, faults: missing },
  'tells of nothing vanished while things are added': {
    scenarios: growing,
    runs: 300,
    faults: ({ drifts }) => drifts,
  },
  'misses nothing that stays while things vanish': { scenarios: shrinking, runs: 800, faults: missing },
  'yields nothing twice while things vanish': { scenarios: shrinking, runs: 300, faults: twice },
  'misses nothing that stays when as much appears as vanishes': { scenarios: swapping, runs: 500, faults: missing },
  'yields nothing twice whatever happens': { scenarios: restless, runs: 500, faults: twice },
  'has no more pages on their way than it may': {
    scenarios: restless,
    runs: 200,
    faults: ({ mostAtOnce }, { concurrency = 32 }) => (mostAtOnce > concurrency ? [mostAtOnce] : []),
  },
} satisfies Record<string, Promised>

const kept = ({ scenarios, faults }: Promised) =>
  fc.asyncProperty(scenarios, async (scenario) => {
    const outcome = await live(scenario)
    expect(outcome.error).toBeUndefined()
    expect(faults(outcome, scenario)).toEqual([])
  })

describe('a walk through a ledger that changes meanwhile', () => {
  // A failure prints the seed with which it comes again.
  it.each(Object.entries<Promised>(promises))('%s', { timeout: 120_000 }, async (_, promised) => {
    await expect(fc.assert(kept(promised), { numRuns: promised.runs * scale })).resolves.toBeUndefined()
  })
})

/** Mistakes one could make in the rules, each with a promise that it breaks. */
const mutants: readonly [string, keyof typeof promises, Partial<Rules>][] = [
  [
    'takes pages as they come, whatever their stamps say',
    'misses nothing that was there while things are added',
    { compare: () => 'same' },
  ],
  [
    'asks for every page with another stamp once more and calls it a loss',
    'tells of nothing vanished while things are added',
    { compare: (a, b) => (compareStamps(a, b) === 'same' ? 'same' : 'older') },
  ],
  [
    'believes that users do not move from page to page',
    'misses nothing that was there while things are added',
    { unitOf: () => 'transaction' },
  ],
  [
    'believes that pages count users',
    'misses nothing that was there while things are added',
    { unitOf: () => 'group' },
  ],
  [
    'takes a page that could be read either way for one of transactions',
    'misses nothing that was there while things are added',
    { unitOf: (reading) => unitOf(reading) ?? 'transaction' },
  ],
  ['does not look for users it has not met', 'misses nothing that was there while things are added', { goBack: false }],
  ['yields what it knows', 'yields nothing twice while things are added', { once: false }],
  ['yields at once what it may have forgotten', 'yields nothing twice while things are added', { hold: false }],
  ['does not go back for what slipped past', 'misses nothing that stays while things vanish', { goBack: false }],
  [
    'looks at totals only',
    'misses nothing that stays when as much appears as vanishes',
    {
      compare: ({ total: before }, { total: now }) =>
        compareStamps({ total: before, summary: undefined }, { total: now, summary: undefined }),
    },
  ],
]

describe('the promises above notice a walk that', () => {
  it.each(mutants)('%s', { timeout: 120_000 }, async (_, broken, change) => {
    const { scenarios, faults }: Promised = promises[broken]
    const blind = fc.asyncProperty(
      scenarios,
      async (scenario) => faults(await live(scenario, change), scenario).length === 0,
    )
    const { errorInstance } = await fc.check(blind, { numRuns: 5000, seed: 1, endOnFailure: true })
    expect(String(errorInstance)).toContain('returning false')
  })
})

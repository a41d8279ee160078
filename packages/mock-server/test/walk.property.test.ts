import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UserReply } from '@guild-ledger/sdk'
import type { Walkable, WalkedPage } from '../../sdk/src/walk/reading.ts'
import { soundRules, type Rules } from '../../sdk/src/walk/rules.ts'
import { compareStamps } from '../../sdk/src/walk/stamp.ts'
import { unitOf } from '../../sdk/src/walk/unit.ts'
import { iterate } from '../../sdk/src/walk/walks.ts'
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

describe('the end of a walk', () => {
  /** Rows on each page, as many as the service makes of them; whatever else it says comes from `told`. */
  const walked = async (counts: readonly number[], told: (page: number) => object, change: Partial<Rules> = {}) => {
    const operation: Walkable<{ page?: number; limit?: number }, UserReply & WalkedPage> = {
      check: () => {},
      emptyCode: 'no_user_transactions',
      groups: ({ data }) => [data],
      list: async ({ page = 1 }) => ({
        success: true,
        data: {
          platformId: 'ann',
          transactions: Array.from({ length: counts[page - 1] ?? 0 }, (_, i) => ({
            transactionId: `0b9d1c1e-6f6a-4d3e-9c55-${String(10 * page + i).padStart(12, '0')}`,
            amount: 1,
            quantity: 1,
            name: 'Iron Sword',
            source: 'shop',
            total: 1,
            createdAt: '2026-01-31T10:00:00.000Z',
          })),
        },
        pagination: { page, limit: 2, total: 5, totalPages: 3, ...told(page) },
      }),
    }
    return (await Array.fromAsync(iterate(operation, {}, {}, { ...soundRules, ...change }))).length
  }
  const shortInTheMiddle = [2, 1, 2]
  const moreAndMore = (page: number) => ({ total: 2 * page + 2, totalPages: page + 1 })

  it('is not a short page, which a walk would notice that takes it for one', async () => {
    expect(await walked(shortInTheMiddle, () => ({}))).toBe(5)
    expect(await walked(shortInTheMiddle, () => ({}), { isLast: ({ count, limit }) => count < limit })).toBe(3)
  })

  it('is an empty page, without which a walk would not end', async () => {
    expect(await walked([2, 2], moreAndMore)).toBe(4)
    const endless = walked([2, 2], moreAndMore, { isLast: ({ page, lastPage }) => page === lastPage })
    await expect(endless).rejects.toMatchObject({ code: 'walk_stuck' })
  })
})

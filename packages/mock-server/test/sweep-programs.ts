import {
  createMockLedger,
  createTransactionFactory,
  type Assumptions,
  type MockLedger,
} from '@guild-ledger/mock-server'
import {
  alternativesTo,
  formatAssumptions,
  setProcessWide,
  type Alternative,
  type TraceEvent,
  type Variant,
} from '../src/assumptions/index.ts'
import { variantsOf } from '../src/sweep/run-row.ts'
import { summarize } from '../src/sweep/trace-summary.ts'
import { valueRows } from '../src/sweep/value-rows.ts'

/** A sequence of numbers below 1 that depends on a seed only. */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}

type Random = () => number
const pick = <Item>(random: Random, items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
const chance = (random: Random, share: number) => random() < share

const second = (n: number) => `2026-01-01T00:00:0${n}.000Z`

const addTransactions = (random: Random, { guild }: MockLedger) => {
  const transaction = createTransactionFactory()
  const count = Math.floor(random() * 12)
  guild.add(
    Array.from({ length: count }, (_, i) =>
      transaction({
        // The same in each run of the program.
        transactionId: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
        platformId: pick(random, ['u1', 'u2', 'u3']),
        name: pick(random, ['apple', 'Banana', 'cherry', 'Date']),
        source: pick(random, ['shop', 'Shop', 'workshop']),
        amount: pick(random, [1, 2, 3]),
        quantity: pick(random, [1, 2]),
        total: pick(random, [5, 7, 9]),
        createdAt: second(Math.floor(random() * 9)),
      }),
    ),
  )
}

const parameters: readonly ((random: Random) => string)[] = [
  (random) => `limit=${pick(random, ['1', '2', '100', '101', 'x'])}`,
  (random) => `page=${pick(random, ['1', '2', '3', '0'])}`,
  (random) => `from=${pick(random, ['shop', 'SHOP', 'nowhere'])}`,
  (random) => `startDate=${second(Math.floor(random() * 9))}`,
  (random) => `endDate=${second(Math.floor(random() * 9))}`,
  (random) => `minAmount=${pick(random, ['1', '2', '-1'])}`,
  (random) => `maxAmount=${pick(random, ['1', '3'])}`,
  (random) => `sortBy=${pick(random, ['amount', 'quantity', 'total', 'createdAt', 'name'])}`,
  (random) => `sortOrder=${pick(random, ['asc', 'desc'])}`,
  () => 'platformId=u1',
  () => 'unlisted=1',
]

const targetFrom = (random: Random): string => {
  const path = pick(random, [
    'guild/ledger/transactions',
    'guild/ledger/u1/transactions',
    'guild/ledger/u2/transactions',
  ])
  const query = Array.from({ length: Math.floor(random() * 4) }, () => pick(random, parameters)(random))
  return `/${path}?${query.join('&')}`
}

const pins: readonly Partial<Assumptions>[] = [
  { pageUnit: 'group' },
  { notFoundWhen: 'empty-ledger' },
  { rateLimitHeaders: 'x-ratelimit' },
  { invalidParameter: 'clamp', maxPage: 2 },
]

/**
 * Runs a program that depends on its seed and on the responses it gets, and returns all it observed: requests with
 * several keys, further guilds, a moving clock, faults, pinned values.
 */
const run = (seed: number): string => {
  const random = randomFrom(seed)
  const start = Date.parse('2026-06-01T00:00:00Z')
  let now = start
  const mock = createMockLedger({
    transactions: 0,
    now: () => now,
    rateLimit: pick(random, ['off', 1, 2] as const),
    apiKey: 'key',
    ...(chance(random, 0.3) && { assumptions: pick(random, pins) }),
  })
  addTransactions(random, mock)
  const other = mock.createGuild({ apiKey: 'other', ...(chance(random, 0.3) && { assumptions: pick(random, pins) }) })
  const keys: (string | null)[] = [mock.apiKey, mock.apiKey, mock.apiKey, other.apiKey, 'unknown', null]
  const observed: unknown[] = []
  const steps: readonly (() => void)[] = [
    () => {
      const scopes = chance(random, 0.5) ? [] : (['guild:read'] as const)
      const expiresAt = new Date(now + pick(random, [400, 1e9])).toISOString()
      try {
        keys.unshift(mock.guild.createKey({ name: 'k', scopes, expiresAt }).value)
      } catch (error) {
        observed.push(String(error))
      }
    },
    () =>
      keys.unshift(
        mock.createUnboundKey({ name: 'u', scopes: [], expiresAt: new Date(now + 300).toISOString() }).value,
      ),
    () => mock.guild.fault({ kind: 'internal-error', times: 1 }),
    () => (mock.guild.subscription = chance(random, 0.5) ? 'none' : 'developer'),
    () => mock.guild.assume(pick(random, pins)),
    () => mock.reset(),
  ]
  const count = 1 + Math.floor(random() * 6)
  for (let i = 0; i < count; i++) {
    now += pick(random, [0, 0, 100, 450, 700, 1100])
    if (chance(random, 0.15)) pick(random, steps)()
    const { status, body, headers } = mock.respond({
      method: 'GET',
      target: targetFrom(random),
      apiKey: pick(random, keys),
      address: pick(random, ['127.0.0.1', '127.0.0.1', '127.0.0.2']),
    })
    observed.push(status, body, headers)
    // What the program does next depends on what it got.
    if (status !== 200 && chance(random, 0.5)) i++
  }
  return JSON.stringify(observed)
}

const runUnder = (seed: number, assumptions: Partial<Assumptions>): string => {
  setProcessWide({ assumptions })
  try {
    return run(seed)
  } finally {
    setProcessWide(undefined)
  }
}

const tracedRun = (seed: number, assumptions: Partial<Assumptions>, variants?: readonly Variant[]) => {
  const events: TraceEvent[] = []
  setProcessWide({ assumptions, onTrace: (event) => events.push(event), ...(variants && { variants }) })
  try {
    const observed = run(seed)
    return { observed, touched: new Set(summarize(events).touched) }
  } finally {
    setProcessWide(undefined)
  }
}

const textOf = ({ key, value }: Alternative) => formatAssumptions({ [key]: value })

/** How the covered part of the matrix compares with the whole of it. */
export interface Comparison {
  /** Programs under another value each. */
  readonly all: number
  /** Those that the trace asks for. */
  readonly covered: number
  /** Those that observe something else than under the defaults. */
  readonly different: number
  /** Those that do, although the trace did not ask for them: must be empty. */
  readonly missed: readonly string[]
}

/** Runs each program under every other value. */
export const compareMatrices = (
  seeds: readonly number[],
  alternatives = alternativesTo(createMockLedger().assumptions),
): Comparison => {
  let [covered, different] = [0, 0]
  const missed: string[] = []
  for (const seed of seeds) {
    const { observed: plain, touched } = tracedRun(seed, {})
    for (const { key, value } of alternatives) {
      const name = formatAssumptions({ [key]: value })
      const differs = runUnder(seed, { [key]: value }) !== plain
      if (touched.has(name)) covered++
      if (differs) different++
      if (differs && !touched.has(name)) missed.push(`program ${seed} under ${name}`)
    }
  }
  return { all: seeds.length * alternatives.length, covered, different, missed }
}

/** How runs under several values at once compare with runs under each value alone. */
export interface RowComparison {
  /** Programs under a value that concerns them, tried beside other values. */
  readonly tried: number
  /** Those of which the trace says that the other values changed nothing. */
  readonly clear: number
  /** Clear ones that observe something else than under the value alone: must be empty. */
  readonly wrong: readonly string[]
}

const programsOfSuite = 4

/** Takes each few programs for a suite, and runs it under rows of values as a sweep of a command does. */
export const compareRows = (seeds: readonly number[]): RowComparison => {
  const alternatives = alternativesTo(createMockLedger().assumptions)
  let [tried, clear] = [0, 0]
  const wrong: string[] = []
  for (let start = 0; start < seeds.length; start += programsOfSuite) {
    const suite = seeds.slice(start, start + programsOfSuite)
    const touched = new Map(suite.map((seed) => [String(seed), tracedRun(seed, {}).touched]))
    const affects = (alternative: Alternative, seed: string) => touched.get(seed)?.has(textOf(alternative)) ?? false
    const trials = alternatives
      .map((alternative) => ({
        alternative,
        tests: new Set([...touched.keys()].filter((seed) => affects(alternative, seed))),
      }))
      .filter(({ tests }) => tests.size > 0)
    const rows = valueRows({ trials, affects, areApart: () => false }).filter(({ length }) => length > 1)
    for (const row of rows) {
      const values = row.map(({ alternative }) => alternative)
      const together = Object.fromEntries(values.map(({ key, value }) => [key, value]))
      for (const { alternative, tests } of row) {
        for (const seed of [...tests].map(Number)) {
          tried++
          const inRow = tracedRun(seed, together, variantsOf(values, {}))
          if (inRow.touched.has(textOf(alternative))) continue
          clear++
          const alone = runUnder(seed, { [alternative.key]: alternative.value })
          if (inRow.observed !== alone) wrong.push(`program ${seed} under ${formatAssumptions(together)}`)
        }
      }
    }
  }
  return { tried, clear, wrong }
}

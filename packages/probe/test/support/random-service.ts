import { createMockLedger } from '@guild-ledger/mock-server'
import {
  assumptionDefinitions,
  type AssumptionDefinition,
  type Assumptions,
} from '@guild-ledger/mock-server/assumptions'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { createRandom } from '@guild-ledger/test-kit'
import { inferable } from '../../src/infer/domains.ts'

/** Responds to a path with a query string. */
export type Respond = (target: string) => {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Tools for random choices. */
export const createDice = (seed: number) => {
  const random = createRandom(seed)
  const below = (count: number) => Math.floor(random() * count)
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
  const shuffle = <Item>(items: readonly Item[]): Item[] =>
    items
      .map((item) => ({ item, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ item }) => item)
  return { random, below, pick, shuffle, chance: (share: number) => random() < share }
}
type Dice = ReturnType<typeof createDice>

const hex = ({ below }: Dice, length: number) => Array.from({ length }, () => below(16).toString(16)).join('')
const uuid = (dice: Dice) =>
  `${hex(dice, 8)}-${hex(dice, 4)}-4${hex(dice, 3)}-${dice.pick(['8', '9', 'a', 'b'])}${hex(dice, 3)}-${hex(dice, 12)}`

const words = 'Iron,iron,Shield,shield,Zinc,apple,Apple,Éclair,éclair,🗡 Bow,Ｂｏｗ,zoo,Élan,Bow,_key'.split(',')
const sourcesFor = (dice: Dice): string[] =>
  dice.pick([
    ['shop', 'Shop', 'workshop', 'quest'],
    ['shop', 'quest', 'market'],
    ['Trade', 'TRADE', 'trade-in', 'fair-trade'],
    ['1', '2', '12'],
    ['a'],
    ['daily-reward', 'reward', 'refund'],
  ])

/** Random transactions: ties, names that differ by case, users with one and with many, precision, insertion order. */
const randomTransactions = (dice: Dice, most = 600): LedgerEntry[] => {
  const { below, pick, chance, shuffle } = dice
  const count = chance(0.04) ? below(3) : chance(0.3) ? below(30) : chance(0.5) ? below(150) : below(most)
  const users = Array.from({ length: 1 + below(40) }, (_, i) =>
    pick([String(100 + i), `user-${below(1000)}-${i}`, hex(dice, 6) + i]),
  )
  const sources = sourcesFor(dice)
  const names = shuffle(words).slice(0, 1 + below(words.length))
  const spread = pick([1000, 60_000, 86_400_000, 7_776_000_000])
  const grain = pick([1, 1, 1, 1000, 60_000])
  const amounts = pick([3, 20, 10_000])
  const isProduct = chance(0.5)
  const isSequential = chance(0.15)
  const entries = Array.from({ length: count }, (_, i) => {
    const amount = (1 + below(amounts)) / pick([1, 1, 4, 100])
    const quantity = chance(0.2) ? 1 : 1 + below(5)
    return {
      platformId: users[Math.floor(dice.random() ** 2 * users.length)] ?? '',
      transactionId: isSequential ? `00000000-0000-4000-8000-${String(i).padStart(12, '0')}` : uuid(dice),
      amount,
      quantity,
      name: pick(names),
      source: pick(sources),
      total: isProduct ? Math.round(amount * quantity * 100) / 100 : chance(0.3) ? amount : below(1000) / 4,
      createdAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(below(spread) / grain) * grain).toISOString(),
    }
  })
  if (chance(0.5)) return entries
  return entries.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
}

/** A ledger that is large enough to tell most values apart. */
export const largeLedger = (seed: number): LedgerEntry[] => {
  for (let attempt = 0; ; attempt++) {
    const transactions = randomTransactions(createDice(seed * 1000 + attempt), 200)
    const users = new Set(transactions.map(({ platformId }) => platformId)).size
    if (transactions.length >= 60 && users >= 4) return transactions
  }
}

const names = ['apple', 'Apple', 'Zoo', 'zebra', '_key', 'item10', 'item9', 'Éclair', 'éclair', 'boots']
const sources = ['shop', 'Shop', 'SHOP-item', 'fair.trade', 'fairxtrade', 'quiz']
const users = ['9', '10', '100', 'alpha', 'Beta', 'zed', 'Zed']

/** A ledger that tells most values apart. */
export const tellingLedger = (count: number): LedgerEntry[] => {
  const dice = createDice(1)
  const { below } = dice
  return Array.from({ length: count }, (_, i) => ({
    platformId: users[(i * i + 3 * i) % users.length] ?? '',
    transactionId: `${hex(dice, 8)}-${hex(dice, 4)}-4${hex(dice, 3)}-8${hex(dice, 3)}-${hex(dice, 12)}`,
    amount: 1 + ((i * 37) % 23),
    quantity: 1 + below(4),
    name: names[below(names.length)] ?? '',
    source: sources[below(sources.length)] ?? '',
    total: below(400) / 4,
    createdAt: new Date(Date.UTC(2026, 0, 1) + i * 1_234_567 + below(1000)).toISOString(),
  }))
}

/** Random values of what the probe infers. */
const randomAssumptions = (dice: Dice): Partial<Assumptions> => {
  const values: Record<string, unknown> = {}
  for (const key of inferable) {
    const definition: AssumptionDefinition = assumptionDefinitions[key]
    if ('values' in definition) values[key] = dice.pick(definition.values)[0]
  }
  values['userLimit'] = dice.pick([20, 1, 10, 50, 100, 1 + dice.below(100)])
  values['maxLimit'] = dice.pick([100, 100, 100, 100, 50, 25, 1 + dice.below(100)])
  const pages = [null, null, null, 1, 2, 3, 10, 100, 1000]
  values['maxPage'] = dice.pick([...pages, 1 + dice.below(40), 1 + dice.below(100_000), 2 ** 31 - 1])
  return values
}

const byTime = (a: LedgerEntry, b: LedgerEntry): number => (a.createdAt < b.createdAt ? -1 : 1)

/** How a ledger changes while it is probed. */
export const changes = ['growing', 'backdated', 'rolling'] as const
/**
 * `growing`: each transaction is newer than all before. `backdated`: it is up to 3 s older than its entry. `rolling`: the
 * oldest transaction is removed whenever another enters.
 */
export type Change = (typeof changes)[number]

/** After how many requests a transaction enters. Of a rolling ledger, few changes are harder to see than many. */
const rates: Readonly<Record<Change, readonly number[]>> = {
  growing: [3, 5, 10],
  backdated: [3, 5, 10],
  rolling: [12, 16, 20, 24, 30],
}

/** A random service, the same for the same seed. */
export const randomService = (seed: number, change: Change | 'static' = 'static', most = 600) => {
  const dice = createDice(seed)
  const all = randomTransactions(dice, most)
  const assumptions = randomAssumptions(dice)
  const mock = createMockLedger({
    transactions: 0,
    rateLimit: 'off',
    keepRequests: 0,
    assumptions: { ...assumptions, ...(change !== 'static' && { maxPage: null }) },
  })
  const respond: Respond = (target) => mock.respond({ method: 'GET', target, apiKey: mock.apiKey })
  const service = { mock, assumptions: mock.assumptions }
  if (change === 'static') {
    mock.guild.add(all)
    return { ...service, respond }
  }
  all.sort(byTime)
  const later = all.splice(Math.floor(all.length * 0.9))
  mock.guild.add(all)
  const hasWholeSeconds = all.every(({ createdAt }) => createdAt.endsWith('.000Z'))
  const every = dice.pick(rates[change])
  const ids = [...all, ...later].map(({ transactionId }) => transactionId)
  let now = Math.max(0, ...all.map(({ createdAt }) => Date.parse(createdAt)))
  const backdated = (entry: LedgerEntry): LedgerEntry => {
    now += dice.below(2000)
    const time = now - dice.below(3000)
    const createdAt = new Date(hasWholeSeconds ? Math.floor(time / 1000) * 1000 : time).toISOString()
    return { ...entry, createdAt }
  }
  let count = 0
  return {
    ...service,
    respond(target: string) {
      const next = ++count % every === 0 ? later.shift() : undefined
      if (next) mock.guild.add([change === 'backdated' ? backdated(next) : next])
      if (next && change === 'rolling') mock.guild.remove(ids.splice(0, 1))
      return respond(target)
    },
  }
}

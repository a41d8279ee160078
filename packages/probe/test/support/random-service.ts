import { createMockLedger, type MockLedger } from '@guild-ledger/mock-server'
import {
  assumptionDefinitions,
  type AssumptionDefinition,
  type Assumptions,
} from '@guild-ledger/mock-server/assumptions'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { createDice, randomTransactions, type Dice } from '../../../mock-server/test/probe/random-service.ts'
import { inferable } from '../../src/infer/domains.ts'

/** Responds to a path with a query string. */
export type Respond = (target: string) => {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A service with random transactions and random assumptions. */
export interface RandomService {
  readonly mock: MockLedger
  readonly assumptions: Assumptions
  readonly respond: Respond
}

/** Random values of what the probe infers. */
export const randomAssumptions = (dice: Dice): Partial<Assumptions> => {
  const values: Record<string, unknown> = {}
  for (const key of inferable) {
    const definition: AssumptionDefinition = assumptionDefinitions[key]
    if ('values' in definition) values[key] = dice.pick(definition.values)[0]
  }
  values['userLimit'] = dice.pick([20, 1, 10, 50, 100, 1 + dice.below(100)])
  values['maxLimit'] = dice.pick([100, 100, 100, 100, 50, 25, 1 + dice.below(100)])
  values['maxPage'] = dice.pick([
    null,
    null,
    null,
    1,
    2,
    3,
    10,
    100,
    1000,
    1 + dice.below(40),
    1 + dice.below(100_000),
    2 ** 31 - 1,
  ])
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
export const randomService = (seed: number, change?: Change, most = 600): RandomService => {
  const dice = createDice(seed)
  const all = randomTransactions(dice, most)
  const assumptions = randomAssumptions(dice)
  const mock = createMockLedger({
    transactions: 0,
    rateLimit: 'off',
    keepRequests: 0,
    assumptions: { ...assumptions, ...(change && { maxPage: null }) },
  })
  const respond: Respond = (target) => mock.respond({ method: 'GET', target, apiKey: mock.apiKey })
  const service = { mock, assumptions: mock.assumptions }
  if (!change) {
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
    respond(target) {
      const next = ++count % every === 0 ? later.shift() : undefined
      if (next) mock.guild.add([change === 'backdated' ? backdated(next) : next])
      if (next && change === 'rolling') mock.guild.remove(ids.splice(0, 1))
      return respond(target)
    },
  }
}

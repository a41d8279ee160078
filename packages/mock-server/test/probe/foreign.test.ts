import { assumptionDefinitions, type AssumptionDefinition } from '@guild-ledger/mock-server'
import { describe, expect, it } from 'vitest'
import { foreignServices, oracleService } from './foreign-services.ts'
import { createDice, largeLedger, randomAssumptions } from './random-service.ts'
import { inferFrom, wrongIn } from './run-inference.ts'

const defaults = Object.fromEntries(
  Object.entries<AssumptionDefinition>(assumptionDefinitions).map(([key, definition]) => [
    key,
    'values' in definition ? definition.values[0]?.[0] : definition.default,
  ]),
)

const seeds = Array.from({ length: process.env.CI ? 4 : 1 }, (_, seed) => seed)

it('decides nothing wrongly about a service written without the mock', async () => {
  const wrong: string[] = []
  for (const seed of seeds) {
    const transactions = largeLedger(seed)
    const values = { ...defaults, ...randomAssumptions(createDice(seed)) }
    const { verdicts } = await inferFrom(oracleService(transactions, values))
    wrong.push(...wrongIn(verdicts, values).map((one) => `seed ${seed}: ${one}`))
    wrong.push(
      ...verdicts.flatMap(({ key, verdict }) => (verdict === 'outside' ? [`seed ${seed}: ${key} is outside`] : [])),
    )
  }

  expect(wrong).toEqual([])
}, 60_000)

describe.each(foreignServices)('about a service that $title', ({ affected, create, values }) => {
  it('decides nothing wrongly, decides nothing that it cannot know, and keeps the limit of requests', async () => {
    const problems: string[] = []
    for (const seed of seeds) {
      const transactions = largeLedger(seed)
      const { verdicts, targets } = await inferFrom(create(transactions, { ...defaults, ...values }), 150)
      const own = new Set(affected)
      problems.push(
        ...wrongIn(verdicts, { ...defaults, ...values })
          .filter((one) => !own.has(one.split(':')[0] ?? ''))
          .map((one) => `seed ${seed}: ${one}`),
        ...verdicts.flatMap(({ key, verdict, value }) =>
          own.has(key) && verdict === 'decided' ? [`seed ${seed}: ${key} is decided as ${String(value)}`] : [],
        ),
      )
      expect(targets.length).toBeLessThanOrEqual(150)
    }

    expect(problems).toEqual([])
  }, 60_000)
})

import { expect, it } from 'vitest'
import { proxiedServices } from './proxied-services.ts'
import { casesToRun, createDice, defaults, largeLedger, randomAssumptions } from './random-service.ts'
import { inferFrom, wrongIn } from './run-inference.ts'

const seeds = process.env.CI ? [0, 1, 2, 3, 4, 5, 6, 7, 11] : [4, 11]

it.each(casesToRun(proxiedServices))(
  'decides nothing wrongly about a service that $title',
  async ({ affected, create }) => {
    const problems: string[] = []
    for (const seed of seeds) {
      const ledger = largeLedger(seed).toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
      const values = { ...defaults, ...(seed > 0 && randomAssumptions(createDice(seed))) }
      const { verdicts, targets } = await inferFrom(create(ledger, values), 150)
      problems.push(
        ...wrongIn(verdicts, values).map((one) => `seed ${seed}: ${one}`),
        // Not even as not proven: no value describes what the proxy affects.
        ...verdicts.flatMap(({ key, value }) =>
          value !== undefined && affected.includes(key) ? [`seed ${seed}: ${key} has a value`] : [],
        ),
      )
      expect(targets.length).toBeLessThanOrEqual(150)
    }

    expect(problems).toEqual([])
  },
)

import { expect, it } from 'vitest'
import { filesOf } from '../../src/probe/probe.ts'
import { prove } from '../../src/probe/proof.ts'
import { decidedIn, valuesIn, verdictsOf } from '../../src/probe/verdicts.ts'
import { createDice, randomService } from './random-service.ts'
import { inferFrom, respondFrom, roundTrip } from './run-inference.ts'

const services = process.env.CI ? 300 : 6
const seeds = Array.from({ length: services }, (_, seed) => seed)

it('decides nothing wrongly, and takes no value for impossible, for random assumptions and random ledgers', async () => {
  const { wrong, outside, requests } = await roundTrip(seeds, { most: process.env.CI ? 250 : 150 })

  expect(wrong).toEqual([])
  expect(outside).toEqual([])
  expect(requests.at(-1)).toBeLessThanOrEqual(70)
  expect(requests.reduce((sum, count) => sum + count, 0) / requests.length).toBeLessThanOrEqual(32)
}, 240_000)

it('finds no difference to a mock when it tests the values of one', async () => {
  const problems: string[] = []
  let compared = 0
  for (const seed of seeds.slice(0, process.env.CI ? 40 : 3)) {
    const { mock } = randomService(700_000 + seed, 150)
    const { inference, verdicts, send } = await inferFrom(respondFrom(mock), 500)
    const write = (current: typeof inference) => filesOf(current, verdicts)

    const proof = await prove(
      inference,
      send,
      { decided: decidedIn(verdicts), written: valuesIn(verdicts) },
      write,
      createDice(seed).random,
    )

    compared += proof.compared
    const outside = verdictsOf(inference).filter(({ verdict }) => verdict === 'outside')
    if (proof.different > 0 || outside.length > 0)
      problems.push(`seed ${seed}: ${proof.different} differences, outside: ${outside.map(({ key }) => key).join()}`)
  }

  expect(problems).toEqual([])
  expect(compared).toBeGreaterThan(0)
}, 240_000)

import { expect, it } from 'vitest'
import { roundTrip } from './run-inference.ts'

const services = process.env.CI ? 300 : 6
const seeds = Array.from({ length: services }, (_, seed) => seed)

it('decides nothing wrongly, and takes no value for impossible, for random assumptions and random ledgers', async () => {
  const { wrong, outside, requests } = await roundTrip(seeds, process.env.CI ? 250 : 150)

  expect(wrong).toEqual([])
  expect(outside).toEqual([])
  expect(requests.at(-1)).toBeLessThanOrEqual(70)
  expect(requests.reduce((sum, count) => sum + count, 0) / requests.length).toBeLessThanOrEqual(32)
}, 60_000)

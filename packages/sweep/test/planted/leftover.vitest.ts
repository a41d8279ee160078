import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createSmallMock } from './three-transactions.ts'

const mock = createSmallMock()
const total = (): number => {
  const { body } = mock.respond({ method: 'GET', target: '/guild/ledger/transactions', apiKey: mock.apiKey })
  return (JSON.parse(body) as { summary: { totalValue: number } }).summary.totalValue
}
let polls = 0

it('leaves a loop behind that depends on the total', () => {
  const poll = async () => {
    while (polls < 1000) {
      polls++
      await setTimeout(1)
      total()
    }
  }
  void poll()
  expect(total()).toBe(20)
})
it('waits while the loop of another test goes on', async () => {
  const before = polls
  await expect.poll(() => polls).toBeGreaterThan(before + 5)
})

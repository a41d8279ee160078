import { expect, it } from 'vitest'
import { askMock, createMock } from './bets.ts'

it('adds up the totals', async () => {
  const { body } = await askMock(createMock())()
  expect(body.summary).toMatchInlineSnapshot(`
    {
      "totalTransactions": 4,
      "totalValue": 20,
      "uniqueUsers": 2,
    }
  `)
})
it('counts four', async () => {
  const { body } = await askMock(createMock())()
  expect(body.data.flatMap((group) => group.transactions).length).toMatchInlineSnapshot(`4`)
})
it('has a snapshot only under another value', async () => {
  const { body } = await askMock(createMock())()
  if (body.summary.totalValue !== 20) expect(body.summary).toMatchSnapshot()
})

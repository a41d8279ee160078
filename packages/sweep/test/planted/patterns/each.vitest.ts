import { it } from 'vitest'
import { askMock, bets, createMock, flaky, hang, hangLimit } from './bets.ts'

it.each([...bets, flaky('each')])('$name', async ({ run }) => run(askMock(createMock())))
it.each([hang])('$name', { timeout: hangLimit }, async ({ run }) => run(askMock(createMock())))
it.each([['is pinned', bets[0]]] as const)('%s', async (_name, bet) => {
  await bet?.run(askMock(createMock({ assumptions: { pageUnit: 'transaction' } })))
})
it.each(['is unreached'])('%s', () => {})

import { expect, it, onTestFinished } from 'vitest'
import { createSmallMock } from './three-transactions.ts'

const total = (mock = createSmallMock()): number => {
  const { body } = mock.respond({ method: 'GET', target: '/guild/ledger/transactions', apiKey: mock.apiKey })
  return (JSON.parse(body) as { summary: { totalValue: number } }).summary.totalValue
}

it('is robust', () => {
  expect(total()).toBeGreaterThan(0)
})
it('waits longer than the sweep', { timeout: 60_000 }, async () => {
  if (total() !== 20) await new Promise(() => {})
})
it('ends its process', () => {
  if (total() !== 20) process.kill(process.pid, 'SIGKILL')
})
it('rejects a promise that nobody waits for', async () => {
  const value = total()
  void (async () => {
    if (value !== 20) throw new Error('the bot crashed')
  })()
  await new Promise((resolve) => setTimeout(resolve, 5))
})
it('skips itself by default', (context) => {
  if (total() === 20) context.skip()
  throw new Error('the bot fails here')
})
it('checks the total at its end', () => {
  const mock = createSmallMock()
  onTestFinished(() => {
    expect(total(mock)).toBe(20)
  })
})
it('has a snapshot only under another value', () => {
  if (total() !== 20) expect('missing').toMatchSnapshot()
})
it('has a name twice', () => {
  expect(total()).toBeGreaterThan(0)
})
it('has a name twice', () => {
  expect(total()).toBe(20)
})

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
  const value = total()
  if (value !== 20) await new Promise(() => {})
  expect(value).toBe(20)
})
it('ends its process', () => {
  const value = total()
  if (value !== 20) process.kill(process.pid, 'SIGKILL')
  expect(value).toBe(20)
})
it('rejects a promise that nobody waits for', async () => {
  const value = total()
  void (async () => {
    if (value !== 20) throw new Error('the bot crashed')
  })()
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(value).toBeGreaterThan(0)
})
it('skips itself by default', (context) => {
  const value = total()
  context.skip(value === 20)
  expect(value).toBe(20)
})
it('checks the total at its end', () => {
  const mock = createSmallMock()
  onTestFinished(() => {
    expect(total(mock)).toBe(20)
  })
})
it('has a snapshot only under another value', () => {
  const extra = total() === 20 ? [] : ['extra']
  for (const one of extra) expect(one).toMatchSnapshot()
  expect(extra.length).toBeLessThan(2)
})
it('has a name twice', () => {
  expect(total()).toBeGreaterThan(0)
})
it('has a name twice', () => {
  expect(total()).toBe(20)
})

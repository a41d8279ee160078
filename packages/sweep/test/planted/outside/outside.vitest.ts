import { expect, inject, it } from 'vitest'
import { askMock, askWith, createMock } from '../patterns/bets.ts'

const { url, apiKey } = inject('outside' as never) as { url: string; apiKey: string }

it('asks the server of the set-up', async () => {
  expect((await askWith(url, apiKey)()).status).toBe(200)
})
it('asks a mock of its own', async () => {
  expect((await askMock(createMock())()).body.data).toHaveLength(2)
})
it('asks both', async () => {
  await askMock(createMock())()
  await askMock(createMock())()
  expect((await askWith(url, apiKey)()).status).toBe(200)
})

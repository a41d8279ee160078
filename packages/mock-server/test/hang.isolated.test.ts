import { createMockLedger } from '@guild-ledger/mock-server'
import { failureOf, usedBytes } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'

it('lets a client of mock.fetch give up a request that hangs, also after garbage was collected', async () => {
  const mock = createMockLedger({ transactions: 5 })
  mock.guild.fault({ kind: 'hang' })
  const stop = new AbortController()
  const sent = mock.fetch(`${mock.origin}/guild/ledger/transactions`, {
    headers: { 'x-api-key': mock.apiKey },
    signal: stop.signal,
  })
  const failure = failureOf(sent)
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    usedBytes() // collects garbage
  }
  stop.abort(new Error('enough'))

  expect(await failure).toMatchObject({ message: 'enough' })
})

import { createMockLedger } from '@guild-ledger/mock-server'
import { GuildLedger } from '@guild-ledger/sdk'
import { expect, it } from 'vitest'

// That all adapters respond alike, golden.test.ts says.

it('list and iterate return one user, whatever the identifier looks like', async () => {
  const mock = createMockLedger({ transactions: 40 })
  const platformId = 'guild/one ?#%2e'
  mock.guild.add([{ platformId }, { platformId }])
  const { transactions } = new GuildLedger(mock.clientOptions).user(platformId)

  expect((await transactions.list({ sortBy: 'amount' })).data).toMatchObject({ platformId, transactions: [{}, {}] })
  expect(await Array.fromAsync(transactions.iterate())).toMatchObject([{ platformId }, { platformId }])
})

it('an empty ledger has no pages, or throws what list throws', async () => {
  const { clientOptions } = createMockLedger({ transactions: 0 })
  const { transactions, user } = new GuildLedger(clientOptions)

  expect(await Array.fromAsync(transactions.iterate())).toEqual([])
  expect(await Array.fromAsync(user('1').transactions.pages())).toEqual([])
  await expect(transactions.list()).rejects.toMatchObject({ code: 'no_guild_transactions' })
  await expect(user('1').transactions.list()).rejects.toMatchObject({ code: 'no_user_transactions' })
  await expect(Array.fromAsync(transactions.iterate({}, { onEmpty: 'throw' }))).rejects.toMatchObject({
    code: 'no_guild_transactions',
    page: 1,
  })
})

it('each mock of a process has keys of its own, so that their clients do not share a throttle', () => {
  const mocks = [createMockLedger(), createMockLedger()]
  const keys = mocks.flatMap((mock) => [mock.apiKey, mock.createGuild().apiKey])
  expect(new Set(keys).size).toBe(4)
})

it('the SDK fails without retry when its base URL is not that of the mock', async () => {
  const mock = createMockLedger()
  const ledger = new GuildLedger({ apiKey: mock.apiKey, baseUrl: 'https://api.example', fetch: mock.fetch })

  await expect(ledger.transactions.list()).rejects.toMatchObject({
    code: 'http_error',
    attempts: 1,
    message:
      'GET /guild/ledger/transactions failed: 421 mock.fetch responds for https://ledger.test only, not for https://api.example: use mock.origin as the base URL. Check baseUrl: the server does not serve this host.',
  })
})

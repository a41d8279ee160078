let mock, GuildLedger

beforeAll(async () => {
  const { createMockLedger } = await import('@guild-ledger/mock-server')
  mock = createMockLedger({ rateLimit: 'off' })
  ;({ GuildLedger } = await import('@guild-ledger/sdk'))
})

test('adds up what was spent', async () => {
  const guild = mock.createGuild({ users: 3, transactions: 250 })
  const ledger = new GuildLedger(guild.clientOptions)

  let spent = 0
  for await (const { total } of ledger.transactions.iterate()) spent += total

  expect(spent).toBeCloseTo(
    guild.transactions.reduce((sum, { total }) => sum + total, 0),
  )
})

import { createMockLedger, type MockLedgerOptions } from '@guild-ledger/mock-server'
import { GuildLedger, type GuildLedgerOptions } from '@guild-ledger/sdk'

/** A mock that never says "too fast", and a client that never waits: for tests that are not about pace. */
export const world = (options: MockLedgerOptions = {}, clientOptions: GuildLedgerOptions = {}) => {
  const mock = createMockLedger({ seed: 1, rateLimit: 'off', ...options })
  const ledger = new GuildLedger({
    apiKey: mock.apiKey,
    baseUrl: mock.origin,
    fetch: mock.fetch,
    throttle: false,
    retry: false,
    ...clientOptions,
  })
  return { mock, guild: mock.guild, ledger }
}

/** Readings of the document that turn the order of rows upside down: what holds under both holds under all between. */
export const readings = [
  ['pages of transactions', {}],
  [
    'pages of users',
    { pageUnit: 'group', groupOrder: 'platform-id', startDateBound: 'exclusive', endDateBound: 'exclusive' },
  ],
  ['loose matches', { sourceMatch: 'contains', createdAtFormat: 'seconds', notFoundWhen: 'empty-ledger' }],
] as const

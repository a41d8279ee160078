import { createMockLedger, type MockLedgerOptions } from '@guild-ledger/mock-server'
import { GuildLedger, type GuildLedgerOptions } from '@guild-ledger/sdk'

/** Creates a mock without a rate limit and a client without a throttle and retries, for tests that are not about rates. */
export const createIsolatedMock = (options: MockLedgerOptions = {}, clientOptions: GuildLedgerOptions = {}) => {
  const mock = createMockLedger({ seed: 1, rateLimit: 'off', ...options })
  const ledger = new GuildLedger({ ...mock.clientOptions, retry: false, ...clientOptions })
  return { mock, guild: mock.guild, ledger }
}

/** Sets of assumptions that differ in order, bounds and matching. An example must work under all of them. */
export const assumptionSets = [
  ['pages of transactions', {}],
  [
    'pages of users',
    { pageUnit: 'group', groupOrder: 'platform-id', startDateBound: 'exclusive', endDateBound: 'exclusive' },
  ],
  ['loose matches', { sourceMatch: 'contains', createdAtFormat: 'seconds', notFoundWhen: 'empty-ledger' }],
] as const

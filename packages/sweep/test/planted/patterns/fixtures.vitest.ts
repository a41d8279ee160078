import type { MockLedger } from '@guild-ledger/mock-server'
import { test } from '@guild-ledger/mock-server/vitest'
import { askMock, defineBets, transactions } from './bets.ts'

let current: Pick<MockLedger, 'guild' | 'origin' | 'fetch' | 'apiKey'> | undefined

defineBets(
  (name, options, run) =>
    name === 'is unreached'
      ? test(name, options, run)
      : test(name, options, async ({ mock, guild }) => {
          guild.add(transactions)
          current = { guild, origin: mock.origin, fetch: mock.fetch, apiKey: guild.apiKey }
          await run()
        }),
  'fixtures',
  (own) => {
    if (!current) throw new Error('no fixture')
    if (own) current.guild.assume(own.assumptions)
    return askMock(current)
  },
)

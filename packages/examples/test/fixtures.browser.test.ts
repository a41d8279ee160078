// The fixtures of the mock in Vitest's browser mode: no worker, no server, no network.
import { test } from '@guild-ledger/mock-server/vitest'
import { expect } from 'vitest'

test('a test in a browser has a guild and a client of its own', async ({ guild, ledger }) => {
  guild.fault({ kind: 'internal-error', times: 1 })

  await expect(Array.fromAsync(ledger.transactions.iterate())).resolves.toEqual([])

  guild.expectRequests(1, { status: 500 })
})

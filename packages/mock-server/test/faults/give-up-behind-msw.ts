/**
 * Clients that give up in the middle of a body behind `setupServer`. MSW ends a body without a length when its client is
 * gone, and the end of a request that is aborted fails an assertion of Node's fetch, where nothing can catch it: it would
 * end this process. Bodies of the mock have a length.
 */
import { createMockLedger } from '@guild-ledger/mock-server'
import { setupServer } from 'msw/node'

const mock = createMockLedger({ rateLimit: 'off' })
const network = setupServer(...mock.handlers)
network.listen({ onUnhandledFrame: 'error' })

let gaveUp = 0
let errors = 0
// Each takes far longer than any client waits.
const bodies = [
  { chunkBytes: 16, intervalMs: 1 },
  { chunkBytes: 16, intervalMs: 20 },
  { chunkBytes: 1000, intervalMs: 20 },
  { chunkBytes: 1000, intervalMs: 3_600_000 },
]
for (const body of bodies) {
  for (const ms of [0, 1, 5, 20, 40]) {
    mock.guild.clearFaults()
    mock.guild.fault({ kind: 'slow-body', ...body })
    const stop = new AbortController()
    const init = { headers: { 'x-api-key': mock.apiKey }, signal: stop.signal }
    const response = await fetch(`${mock.origin}/guild/ledger/transactions?limit=100`, init)
    setTimeout(() => stop.abort(), ms)
    gaveUp++
    await response.text().catch(() => errors++)
  }
}
// An assertion would fail a little later.
await new Promise((resolve) => setTimeout(resolve, 100))
// oxlint-disable-next-line no-console
console.log(`${gaveUp} clients gave up, ${errors} got an error, nothing else went wrong`)
process.exit(0)

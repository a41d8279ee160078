/** Runs the Cloudflare Worker of the examples in workerd, with more concurrent visitors than the rate limit allows per second. */
import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { Miniflare } from 'miniflare'
import { bundle } from './bundle.ts'

const scriptPath = await bundle('../packages/examples/src/cloudflare-worker')

const mock = createMockLedger({ users: 1, transactions: 30 })
const user = mock.guild.transactions[0]?.platformId
const server = await startMockServer({ mock })
const miniflare = new Miniflare({
  modules: true,
  scriptPath,
  compatibilityDate: '2026-07-01',
  bindings: { GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: server.url },
})
try {
  const visit = async () => {
    const response = await miniflare.dispatchFetch(`http://worker/users/${user}`, {
      signal: AbortSignal.timeout(60_000),
    })
    const { purchases } = (await response.json()) as { purchases: unknown[] }
    return `${response.status} with ${purchases?.length} purchases`
  }
  const outcomes = await Promise.all(Array.from({ length: 25 }, visit))
  const others = outcomes.filter((outcome) => outcome !== '200 with 5 purchases')
  if (others.length > 0) throw new Error(`the example Worker responded ${others.join(', ')}`)
  // The mock responds with a 429 to more than ten requests per second.
  mock.guild.expectRequests(25, { status: 200 })
  process.stdout.write('workerd: the example Worker serves 25 concurrent visitors within the rate limit\n')
} finally {
  await miniflare.dispose()
  await server.close()
}

import { createMockLedger } from '@guild-ledger/mock-server'
import { createAdmin } from '@guild-ledger/mock-server/admin'
import { startMockServer } from '@guild-ledger/mock-server/node'

/** Starts one server for all workers, before the first of them. */
export default async () => {
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off' })
  const server = await startMockServer({
    mock,
    routes: createAdmin(mock),
    cors: true,
  })
  process.env.MOCK_URL = server.url
  return () => server.close()
}

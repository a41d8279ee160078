/** Runs the conformance checks in workerd. The request body contains the addresses. */
import { GuildLedger } from '@guild-ledger/sdk'
import { conformance, type Addresses } from './conformance.ts'

let shared: GuildLedger | undefined

/** Lists a page with a client in module scope, which all requests share: they queue for its throttle. */
const listWithShared = async ({ mock: baseUrl }: Addresses): Promise<number> => {
  shared ??= new GuildLedger({ apiKey: 'a-key-that-all-requests-share', baseUrl, retry: false })
  return shared.transactions.list({ limit: 1 }).then(
    () => 200,
    (error: { status?: number }) => error.status ?? 0,
  )
}

export default {
  fetch: async (request: Request): Promise<Response> => {
    const addresses = (await request.json()) as Addresses
    try {
      const isShared = new URL(request.url).pathname === '/shared'
      return Response.json(await (isShared ? listWithShared(addresses) : conformance(addresses)))
    } catch (error) {
      return new Response(String(error), { status: 500 })
    }
  },
}

// A Cloudflare Worker that serves the last purchases of a user. The key stays in the Worker: a browser that had it could
// read the whole ledger.
//
// npx wrangler secret put GUILD_LEDGER_API_KEY && npx wrangler dev cloudflare-worker.ts
import { GuildLedger, NoUserTransactionsError } from '@guild-ledger/sdk'
import { adviceFor } from './errors.ts'
import { lastPurchases } from './list-and-filter.ts'

/** Variables and secrets of the Worker. */
export interface Env {
  readonly GUILD_LEDGER_API_KEY: string
  readonly GUILD_LEDGER_BASE_URL: string
}

/** The context of an event, which Workers pass as the third argument. */
export interface EventContext {
  waitUntil(work: Promise<unknown>): void
}

const maxAgeSeconds = 30

const platformIdOf = (url: string): string | undefined => {
  const [, encoded] = /^\/users\/([^/]+)$/.exec(new URL(url).pathname) ?? []
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined // such as /users/%zz
  }
}

const errorResponse = (error: unknown): Response => {
  const advice = adviceFor(error)
  if (!advice) throw error
  // The visitor gets a simple message, the log gets the error, which contains no key and no body.
  const { actor, message, retryAfterMs } = advice
  if (actor !== 'nobody') console.error(`${actor} has to act:`, JSON.stringify(error))
  if (retryAfterMs === undefined) return Response.json({ message }, { status: 502 })
  const headers = { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }
  return Response.json({ message }, { status: 503, headers })
}

/** Responds to `GET /users/<platformId>`. */
export const respond = async (ledger: GuildLedger, request: Request): Promise<Response> => {
  if (request.method !== 'GET')
    return Response.json({ message: 'Only GET.' }, { status: 405, headers: { allow: 'GET' } })
  const platformId = platformIdOf(request.url)
  if (platformId === undefined) return Response.json({ message: 'Try /users/8412.' }, { status: 404 })
  try {
    const purchases = await lastPurchases(ledger, platformId)
    // Caching keeps a popular page from requesting the ledger each time.
    return Response.json(
      { platformId, purchases },
      { headers: { 'cache-control': `public, max-age=${maxAgeSeconds}` } },
    )
  } catch (error) {
    return error instanceof NoUserTransactionsError
      ? Response.json({ platformId, purchases: [] })
      : errorResponse(error)
  }
}

// oxlint-disable-next-line import/no-default-export -- required by the platform
export default {
  async fetch(request: Request, env: Env, context: EventContext): Promise<Response> {
    const ledger = new GuildLedger({
      // Workers have no process.env to read these from.
      apiKey: env.GUILD_LEDGER_API_KEY,
      baseUrl: env.GUILD_LEDGER_BASE_URL,
      // Requests of one isolate share a throttle of ten per second. A visitor who would wait longer than this gets a 503.
      timeoutMs: 5000,
    })
    const response = await respond(ledger, request)
    // A request that timed out is still on the network, and a Worker would end it now. Then nobody would see its response,
    // and it would slow down other visitors for 11 s.
    if (response.status === 503) context.waitUntil(new Promise((resolve) => setTimeout(resolve, 3000)))
    return response
  },
}

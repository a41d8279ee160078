// A Cloudflare Worker that shows a web page the last purchases of a user. The key stays in the Worker: a browser that
// had it could read the whole ledger.
//
// npx wrangler secret put GUILD_LEDGER_API_KEY && npx wrangler dev cloudflare-worker.ts
import { GuildLedger, NoUserTransactionsError } from '@guild-ledger/sdk'
import { adviceAbout } from './errors.ts'
import { lastPurchases } from './list-and-filter.ts'

/** Variables and secrets of the Worker. */
export interface Env {
  readonly GUILD_LEDGER_API_KEY: string
  readonly GUILD_LEDGER_BASE_URL: string
}

const seconds = 30

const platformIdIn = (url: string): string | undefined => {
  const [, encoded] = /^\/users\/([^/]+)$/.exec(new URL(url).pathname) ?? []
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined // such as /users/%zz
  }
}

const failed = (error: unknown): Response => {
  const advice = adviceAbout(error)
  if (!advice) throw error
  // The visitor gets plain words. The log gets the rest: no key, no bodies.
  if (advice.who !== 'nobody') console.error(advice.who, 'has to look at', JSON.stringify(error))
  const headers = advice.againInMs === undefined ? {} : { 'retry-after': String(Math.ceil(advice.againInMs / 1000)) }
  return Response.json({ message: advice.tell }, { status: advice.againInMs === undefined ? 502 : 503, headers })
}

/** Answers `GET /users/<platformId>`. */
export const answer = async (ledger: GuildLedger, request: Request): Promise<Response> => {
  if (request.method !== 'GET')
    return Response.json({ message: 'Only GET.' }, { status: 405, headers: { allow: 'GET' } })
  const platformId = platformIdIn(request.url)
  if (platformId === undefined) return Response.json({ message: 'Try /users/8412.' }, { status: 404 })
  try {
    const purchases = await lastPurchases(ledger, platformId)
    // A page that is opened by many asks the ledger once in a while only.
    return Response.json({ platformId, purchases }, { headers: { 'cache-control': `public, max-age=${seconds}` } })
  } catch (error) {
    return error instanceof NoUserTransactionsError ? Response.json({ platformId, purchases: [] }) : failed(error)
  }
}

// oxlint-disable-next-line import/no-default-export -- what the platform looks for
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const ledger = new GuildLedger({
      // There is no environment to read them from.
      apiKey: env.GUILD_LEDGER_API_KEY,
      baseUrl: env.GUILD_LEDGER_BASE_URL,
      // Requests of one isolate share a throttle and wait for their turn at ten a second. Who would wait longer than
      // this, on a busy day, is told to come back.
      timeoutMs: 5000,
    })
    return answer(ledger, request)
  },
}

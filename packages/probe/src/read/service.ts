import type { ModelRequest } from '@guild-ledger/mock-server/assumptions'
import { ApiError, GuildLedger, type Middleware } from '@guild-ledger/sdk'
import { guildResponse, paths, userResponse, type GuildQuery, type LedgerEntry } from '@guild-ledger/sdk/contract'
import { issuesOf } from '@guild-ledger/validation'
import { RequestLimitReached } from '../problem.ts'
import type { CheckedOptions } from '../types.ts'

export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body; `undefined` if it is not JSON. */
  readonly body: unknown
}

// With one request in five failing, one in 15,000 fails so often in a row.
const maxRetries = 5
// A service that counts requests per minute may say so in Retry-After.
const maxDelayMs = 60_000
// A page of users has all of their transactions.
const maxResponseBytes = 64 * 1024 * 1024
const silent = { debug() {}, info() {}, warn() {}, error() {} }

export const targetOf = ({ endpoint, platformId = '', query = {} }: ModelRequest): string => {
  const pairs = Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value]))
  const path = paths[endpoint].replace('{platformId}', () => encodeURIComponent(platformId))
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs).toString()}`
}

/**
 * Connects to a service with one key: the client of the SDK keeps the pace and retries. Requests are sent one after the other;
 * `onRequest` is called before each.
 */
export const connect = (options: CheckedOptions, onRequest?: () => void) => {
  const { apiKey, baseUrl, maxRequests, requestsPerSecond, fetch, signal } = options
  /** Requests so far, and the most that may be sent. */
  const counts = { sent: 0, rateLimited: 0, limit: maxRequests }
  /** Every response, also of requests that were repeated. */
  const received: Omit<RawResponse, 'body'>[] = []
  /** The query string to add: the client itself sends no invalid one. */
  let search = ''

  const record: Middleware = async (request, next) => {
    if (counts.sent >= counts.limit) throw new RequestLimitReached()
    counts.sent++
    onRequest?.()
    const response = await next(search === '' ? request : new Request(`${request.url}?${search}`, request))
    received.push({ status: response.status, headers: Object.fromEntries(response.headers) })
    if (response.status === 429) counts.rateLimited++
    return response
  }

  const client = new GuildLedger({
    apiKey,
    baseUrl,
    validation: 'off',
    maxResponseBytes,
    logger: silent,
    throttle: { requestsPerSecond },
    retry: { maxRetries, maxRateLimitRetries: 30, maxDelayMs },
    middleware: [record],
    fetch,
  })

  return {
    counts,
    received,
    /** Sends a request as it is, valid or not. */
    async ask(request: ModelRequest): Promise<RawResponse> {
      const [path = '', query = ''] = targetOf(request).split('?', 2)
      search = query
      try {
        const body = await client.get(path, { signal })
        return { status: 200, headers: {}, ...received.at(-1), body }
      } catch (error) {
        // An error response is an answer, a broken connection is none.
        if (!(error instanceof ApiError)) throw error
        const { status, headers, body } = error
        return { status, headers: Object.fromEntries(headers), body: typeof body === 'string' ? undefined : body }
      } finally {
        search = ''
      }
    },
    /** The transactions of a query, each once, in the order of pages. */
    entries: (query: GuildQuery, maxItems: number): AsyncIterable<LedgerEntry> =>
      client.transactions.iterate(query, { signal, maxItems, concurrency: 1, retryForMs: 0 }),
    close: () => client.close(),
  }
}

/** A service behind the network. */
export type Service = ReturnType<typeof connect>

/** So often a response of the wrong form is requested again. */
const maxMalformed = 3

/** Asks until a response has the form of the spec, or is an error, which the client has retried. */
export const askUntilWhole = async (service: Service, request: ModelRequest): Promise<RawResponse> => {
  const schema = request.endpoint === 'guild' ? guildResponse : userResponse
  for (let attempt = 0; ; attempt++) {
    const response = await service.ask(request)
    const isBroken = response.status === 200 && issuesOf(schema, response.body).length > 0
    if (!isBroken || attempt >= maxMalformed) return response
  }
}

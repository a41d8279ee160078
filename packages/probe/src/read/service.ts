import type { ModelRequest } from '@guild-ledger/mock-server/assumptions'
import { ApiError, GuildLedger, RedirectError, type Middleware } from '@guild-ledger/sdk'
import { guildResponse, userResponse, type GuildQuery, type LedgerEntry } from '@guild-ledger/sdk/contract'
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

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

export const targetOf = ({ endpoint, platformId = '', query = {} }: ModelRequest): string => {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as [string, string]),
  )
  const search = new URLSearchParams(pairs).toString()
  const path = endpoint === 'guild' ? '' : `${encodeURIComponent(platformId)}/`
  return `/guild/ledger/${path}transactions${search === '' ? '' : `?${search}`}`
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
  /** The query string to send instead of none: the client itself sends no invalid one. */
  let search: string | undefined
  let last: RawResponse | undefined
  let isOver = false

  const record: Middleware = async (request, next) => {
    isOver = counts.sent >= counts.limit
    if (isOver) {
      // Not transient: the client must not retry it.
      return Response.json({ success: false, message: 'the limit of requests is reached' }, { status: 418 })
    }
    counts.sent++
    onRequest?.()
    const url = new URL(request.url)
    if (search !== undefined) url.search = search
    const response = await next(search === undefined ? request : new Request(url, request))
    const headers = Object.fromEntries(response.headers)
    received.push({ status: response.status, headers })
    if (response.status === 429) counts.rateLimited++
    if (search !== undefined) last = { status: response.status, headers, body: parsed(await response.clone().text()) }
    return response
  }

  const client = new GuildLedger({
    apiKey,
    baseUrl,
    validation: 'off',
    maxResponseBytes,
    logger: silent,
    deduplicate: false,
    throttle: { requestsPerSecond },
    retry: { maxRetries, maxRateLimitRetries: 30, maxDelayMs },
    middleware: [record],
    ...(fetch && { fetch }),
  })
  const call = signal ? { signal } : {}

  return {
    counts,
    received,
    /** Sends a request as it is, valid or not. */
    async ask(request: ModelRequest): Promise<RawResponse> {
      signal?.throwIfAborted()
      const [path = '', query = ''] = targetOf(request).split('?', 2)
      search = query
      last = undefined
      try {
        await client.get(path, call)
      } catch (error) {
        if (isOver) throw new RequestLimitReached()
        signal?.throwIfAborted()
        // An error response is an answer, a broken connection is none.
        if (!(error instanceof ApiError) || error instanceof RedirectError) throw error
      } finally {
        search = undefined
      }
      return last ?? { status: 0, headers: {}, body: undefined }
    },
    /** The transactions of a query, each once, in the order of pages. */
    async *entries(query: GuildQuery, most: number): AsyncGenerator<LedgerEntry, void> {
      try {
        yield* client.transactions.iterate(query, { ...call, maxItems: most, concurrency: 1, retryForMs: 0 })
      } catch (error) {
        if (isOver) throw new RequestLimitReached()
        throw error
      }
    },
    close: () => client.close(),
  }
}

/** A service behind the network. */
export type Service = ReturnType<typeof connect>

/** So often a response of the wrong form is requested again. */
const maxMalformed = 3

/** Asks until a response has the form of the spec, or is an error of the caller. */
export const askUntilWhole = async (service: Service, request: ModelRequest): Promise<RawResponse> => {
  const schema = request.endpoint === 'guild' ? guildResponse : userResponse
  for (let attempt = 0; ; attempt++) {
    const response = await service.ask(request)
    const isBroken = response.status === 200 ? issuesOf(schema, response.body).length > 0 : response.status >= 500
    if (!isBroken || attempt >= maxMalformed) return response
  }
}

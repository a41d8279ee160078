import { guildResponse, userResponse } from '@guild-ledger/sdk/contract'
import {
  ApiError,
  ConfigurationError,
  GuildLedger,
  GuildLedgerError,
  RedirectError,
  ThrottleError,
  type Fetch,
  type Middleware,
} from '@guild-ledger/sdk'
import { issuesOf } from '@guild-ledger/validation'
import type { RawResponse } from './model/observe.ts'
import { targetOf, type ProbeRequest } from './model/probe-request.ts'
import { ProbeError, RequestLimitReached } from './problem.ts'
import type { Send } from './read-pages.ts'
import { variantOf } from './variant.ts'

/** How requests are sent. */
export interface SendOptions {
  readonly apiKey: string
  readonly baseUrl: string | URL
  readonly maxRequests: number
  readonly requestsPerSecond: number
  readonly fetch?: Fetch | undefined
  readonly signal?: AbortSignal | undefined
  readonly onRequest?: (() => void) | undefined
}

/** Requests sent so far, and how many of them the service limited. */
export interface Counts {
  sent: number
  rateLimited: number
}

/** Sends requests through the client of the SDK, which paces them, retries failures and redacts the key. */
export interface Sender {
  readonly send: Send
  readonly counts: Counts
  /** Responses with status 429 as they came. */
  readonly limited: readonly RawResponse[]
  close(): Promise<void>
}

const transient = new Set([408, 429, 500, 502, 503, 504])
const silent = { debug() {}, info() {}, warn() {}, error() {} }
// With one request in five failing, one in 15,000 fails so often in a row.
const maxRetries = 5
// A service that counts requests per minute may say so in Retry-After.
const maxDelayMs = 60_000
const maxMalformed = 3
const maxResponseBytes = 64 * 1024 * 1024

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const isBroken = ({ status, body }: RawResponse, { user }: ProbeRequest): boolean =>
  status === 200 && issuesOf(user === null ? guildResponse : userResponse, body).length > 0

/** Turns what the client throws into what the probe reports. */
const toProblem = (error: unknown): unknown => {
  if (!(error instanceof GuildLedgerError) || error instanceof ThrottleError) return error
  if (error instanceof ConfigurationError) return error
  const kind = error instanceof RedirectError ? 'not-the-service' : 'unreachable'
  return new ProbeError(kind, error.message, { cause: error })
}

/** Creates a sender for one key. Requests are sent one after the other. */
export const createSender = (options: SendOptions): Sender => {
  const { apiKey, baseUrl, maxRequests, requestsPerSecond, fetch, signal, onRequest } = options
  const counts: Counts = { sent: 0, rateLimited: 0 }
  const limited: RawResponse[] = []
  let target = ''
  let last: RawResponse | undefined
  let isOver = false

  const record: Middleware = async (request, next) => {
    if (counts.sent >= maxRequests) {
      isOver = true
      // Not transient: the client must not retry it.
      return Response.json({ success: false, message: 'the limit of requests is reached' }, { status: 418 })
    }
    counts.sent++
    onRequest?.()
    const url = new URL(request.url)
    const response = await next(new Request(new URL(`${url.pathname}${target}`, url), request))
    const text = await response.clone().text()
    last = { status: response.status, headers: Object.fromEntries(response.headers), body: parsed(text) }
    // A 503 may have any cause.
    if (last.status === 429) {
      counts.rateLimited++
      limited.push(last)
    }
    return response
  }

  const client = new GuildLedger({
    apiKey,
    baseUrl,
    validation: 'off',
    // A page of users has all of their transactions.
    maxResponseBytes,
    logger: silent,
    deduplicate: false,
    throttle: { requestsPerSecond },
    retry: { maxRetries, maxRateLimitRetries: 30, maxDelayMs },
    middleware: [record],
    ...(fetch && { fetch }),
  })

  const sendOnce = async (request: ProbeRequest): Promise<RawResponse> => {
    signal?.throwIfAborted()
    const [path = '', search] = targetOf(request).split('?', 2)
    target = search === undefined ? '' : `?${search}`
    last = undefined
    try {
      await client.get(path, signal ? { signal } : {})
    } catch (error) {
      if (isOver) throw new RequestLimitReached()
      signal?.throwIfAborted()
      const received = last as RawResponse | undefined
      const isFinal = received && !transient.has(received.status)
      if (!isFinal && error instanceof ApiError && received?.status === 500) return received
      if (!isFinal || error instanceof RedirectError) throw toProblem(error)
    }
    return last ?? { status: 0, headers: {}, body: undefined }
  }

  return {
    counts,
    limited,
    async send(request) {
      let response = await sendOnce(request)
      for (let attempt = 1; attempt <= maxMalformed && isBroken(response, request); attempt++) {
        response = await sendOnce(variantOf(request, attempt))
      }
      return response
    },
    close: () => client.close(),
  }
}

import { refusals } from '../contract/index.ts'
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  GuildTransactionsFetchError,
  InvalidApiKeyError,
  MissingGuildIdError,
  NoGuildTransactionsError,
  NotFoundError,
  NoUserTransactionsError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  UserTransactionsFetchError,
  type ApiErrorCode,
} from '../errors/index.ts'
import { inOneLine } from './in-one-line.ts'
import type { RequestTrace } from './trace.ts'

// What the service answers a guild without one is not shown: it may come under any of these.
const subscription = 'that the guild has an active Developer or Enterprise subscription'

/** For each code the class that carries it and what the caller can do about it. */
const meanings: Record<ApiErrorCode, readonly [typeof ApiError, string]> = {
  missing_guild_id: [MissingGuildIdError, 'Create a key for the guild in the dashboard: this one is bound to none.'],
  invalid_api_key: [
    InvalidApiKeyError,
    `Check apiKey, and ${subscription}; a lost, deleted or expired key has to be created anew.`,
  ],
  no_guild_transactions: [
    NoGuildTransactionsError,
    'Nothing matches: widen the filters, or treat it as an empty list.',
  ],
  no_user_transactions: [NoUserTransactionsError, 'Nothing matches: check platformId, or treat it as an empty list.'],
  guild_transactions_failed: [GuildTransactionsFetchError, 'The service failed inside: try again later.'],
  user_transactions_failed: [UserTransactionsFetchError, 'The service failed inside: try again later.'],
  bad_request: [BadRequestError, 'Check the parameters.'],
  unauthorized: [AuthenticationError, `Check apiKey, its expiry and its scope guild:read, and ${subscription}.`],
  forbidden: [
    PermissionDeniedError,
    `Check that the key has the scope guild:read and has not expired, and ${subscription}.`,
  ],
  not_found: [NotFoundError, 'Check baseUrl, whose own path comes first, and the path.'],
  rate_limited: [
    RateLimitError,
    'Wait; where other processes use the key, give all of them one throttle: createRedisThrottle of @guild-ledger/sdk/redis.',
  ],
  server_error: [ServerError, 'Try again later.'],
  http_error: [ApiError, 'Check baseUrl: the document lists no such status.'],
}

const codesByStatus: Readonly<Record<number, ApiErrorCode>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  429: 'rate_limited',
}

const codeOf = (status: number, reason: string | undefined): ApiErrorCode =>
  Object.values(refusals).find((row) => row.status === status && row.message === reason)?.code ??
  codesByStatus[status] ??
  (status >= 500 ? 'server_error' : 'http_error')

/** Reads an error body as far as it can be read: JSON, else text. A broken one never hides the status. */
const bodyOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const seconds = /^\d+(?:\.\d+)?$/
const httpDate = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/

/** Milliseconds that `Retry-After` asks to wait: given in seconds or as an HTTP date. Anything else asks for nothing. */
export const retryAfterOf = (headers: Headers, now: number): number | undefined => {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (seconds.test(value)) return Number(value) * 1000
  const ms = httpDate.test(value) ? Date.parse(value) - now : Number.NaN
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** Makes the error for a reply that is not a 2xx. */
export const refuse = (
  status: number,
  headers: Headers,
  text: string,
  { endpoint, attempts }: RequestTrace,
): ApiError => {
  const body = bodyOf(text)
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
  const reason = typeof message === 'string' ? message : undefined
  const code = codeOf(status, reason)
  const [Refused, advice] = status === 402 ? [ApiError, `Check ${subscription}.`] : meanings[code]
  const tries = attempts > 1 ? ` (attempt ${attempts})` : ''
  return new Refused(
    `The service refused the request: ${endpoint}: ${status} ${reason === undefined ? 'without a message' : inOneLine(reason)}${tries}. ${advice}`,
    { code, status, reason, endpoint, headers, body, attempts, retryAfterMs: retryAfterOf(headers, Date.now()) },
  )
}

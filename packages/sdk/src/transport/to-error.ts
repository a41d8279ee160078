import { documentedErrors } from '../contract/index.ts'
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
  ResponseValidationError,
  ServerError,
  TimeoutError,
  UserTransactionsFetchError,
  type ApiErrorCode,
  type ApiErrorDetails,
  type TimeoutPhase,
} from '../errors/index.ts'

/** Text from outside in a message of ours: no line breaks or terminal codes, and no more than a person reads. */
export const inOneLine = (text: string): string => {
  const line = text
    .slice(0, 500)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return text.length > 500 ? `${line}…` : line
}

// The response to a guild without a subscription is unspecified: it may be any of these errors. Spec: Authentication, 2.
const subscription = 'that the guild has an active Developer or Enterprise subscription'
const failedInside = 'The service failed internally: try again later.'

/** The class of each code, and what the caller can do about it. */
const meanings: Record<ApiErrorCode, readonly [ErrorClass: typeof ApiError, advice: string]> = {
  missing_guild_id: [MissingGuildIdError, 'The key is bound to no guild: create one for the guild in the dashboard.'],
  invalid_api_key: [
    InvalidApiKeyError,
    `Check apiKey, and ${subscription}. If the key was lost, deleted or has expired, create a new one in the dashboard.`,
  ],
  no_guild_transactions: [NoGuildTransactionsError, 'Widen the filters, or treat this as an empty list.'],
  no_user_transactions: [NoUserTransactionsError, 'Check platformId, or treat this as an empty list.'],
  guild_transactions_failed: [GuildTransactionsFetchError, failedInside],
  user_transactions_failed: [UserTransactionsFetchError, failedInside],
  bad_request: [BadRequestError, 'Check the parameters.'],
  unauthorized: [AuthenticationError, `Check apiKey, its expiry and its scope guild:read, and ${subscription}.`],
  forbidden: [
    PermissionDeniedError,
    `Check that the key has the scope guild:read and has not expired, and ${subscription}.`,
  ],
  not_found: [NotFoundError, 'Check the path, and baseUrl, whose own path comes first.'],
  rate_limited: [
    RateLimitError,
    'Try again later. If other processes use the key, share one throttle: createRedisThrottle of @guild-ledger/sdk/redis.',
  ],
  server_error: [ServerError, 'Try again later.'],
  http_error: [ApiError, 'Check baseUrl: the spec lists no such status.'],
}

const codesByStatus: Readonly<Record<number, ApiErrorCode>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  429: 'rate_limited',
}

const codeOf = (status: number, reason: string | undefined): ApiErrorCode =>
  Object.values(documentedErrors).find((error) => error.status === status && error.message === reason)?.code ??
  codesByStatus[status] ??
  (status >= 500 ? 'server_error' : 'http_error')

/** The longest body of an error response that is parsed, in characters. The documented ones have about 60. */
const maxErrorBody = 65_536

/** The body of an error response: parsed JSON, else text. */
const bodyOf = (text: string): unknown => {
  if (text.length > maxErrorBody) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The `message` of a body, if it is a string. */
export const messageOf = (body: unknown): string | undefined => {
  const message = (body as { readonly message?: unknown } | null)?.message
  return typeof message === 'string' ? message : undefined
}

type ErrorResponse = Pick<ApiErrorDetails, 'status' | 'headers' | 'retryAfterMs'> & { readonly text: string }

/** Makes the error for an error response. */
export const toApiError = (response: ErrorResponse, label: string, attempts: number): ApiError => {
  const { status, headers, text, retryAfterMs } = response
  const body = bodyOf(text)
  const reason = messageOf(body)
  const code = codeOf(status, reason)
  const [ErrorClass, advice] = status === 402 ? [ApiError, `Check ${subscription}.`] : meanings[code]
  const failed = attempts > 1 ? `failed after ${attempts} attempts` : 'failed'
  return new ErrorClass(
    `${label} ${failed}: ${status} ${reason === undefined ? '(no message)' : inOneLine(reason)}. ${advice}`,
    { code, status, reason, headers, body, retryAfterMs },
  )
}

const limits: Record<TimeoutPhase | 'start', readonly [failure: string, advice: string]> = {
  start: ['nothing was sent', 'Check middleware and the function of `apiKey`, or raise timeoutMs.'],
  queue: ['no free slot of the throttle', 'Start fewer calls at once, or raise timeoutMs.'],
  attempt: ['no complete response', 'Try again, or raise attemptTimeoutMs.'],
  call: ['no response', 'Try again, or raise timeoutMs.'],
}

/** Makes the error for a time limit that was exceeded: `start` is the phase `call` before the first attempt. */
export const toTimeoutError = (endpoint: string, phase: keyof typeof limits, timeoutMs: number): TimeoutError => {
  const [failure, advice] = limits[phase]
  const message = `${endpoint} failed: ${failure} within ${timeoutMs} ms. ${advice}`
  return new TimeoutError(message, timeoutMs, phase === 'start' ? 'call' : phase)
}

/** Makes the error for a body that exceeds what `maxResponseBytes` allows: another attempt would get the same one. */
export const toTooLargeError = (endpoint: string, expected: string): ResponseValidationError =>
  new ResponseValidationError(
    `${endpoint} failed: the response body must ${expected}, got more. Lower limit, or raise maxResponseBytes.`,
    [{ path: '', expected, received: 'more' }],
    undefined,
  )

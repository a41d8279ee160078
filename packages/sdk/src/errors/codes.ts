import { documentedErrors, type DocumentedErrorCode, type ErrorFacts } from '../contract/index.ts'

export type { Actor, ErrorFacts } from '../contract/index.ts'

const author: ErrorFacts = { actor: 'author', retryable: false }
const manager: ErrorFacts = { actor: 'manager', retryable: false }
const nobody: ErrorFacts = { actor: 'nobody', retryable: false }
const later: ErrorFacts = { actor: 'nobody', retryable: true }
const authorLater: ErrorFacts = { actor: 'author', retryable: true }

const documentedFacts = Object.fromEntries(
  Object.values(documentedErrors).map(({ code, actor, retryable }) => [code, { actor, retryable }]),
) as Readonly<Record<DocumentedErrorCode, ErrorFacts>>

/** Who has to act, and whether a retry helps, by code: what a program needs of `errorCodes`. */
export const codeFacts = {
  configuration: author,
  client_closed: author,
  invalid_parameter: author,
  api_key_unavailable: authorLater,
  queue_full: later,
  throttle_unavailable: authorLater,
  connection: later,
  timeout: later,
  redirect_refused: author,
  invalid_response: author,
  paginator_consumed: author,
  no_results: nobody,
  pagination_stalled: author,
  ...documentedFacts,
  bad_request: author,
  unauthorized: manager,
  forbidden: manager,
  not_found: author,
  rate_limited: later,
  server_error: later,
  http_error: author,
} as const satisfies Record<string, ErrorFacts>

/** Every `code` of an error of this package: a closed union, for `switch`. */
export type ErrorCode = keyof typeof codeFacts

/** `code` of an `ApiError`: of a documented error, else of the class of its status; `http_error` is any other status. */
export type ApiErrorCode = DocumentedErrorCode | keyof typeof statusAdvice

// The response to a guild without a subscription is unspecified: it may be any of these errors. Spec: Authentication, 2.
export const subscription = 'that the guild has an active Developer or Enterprise subscription'

/** What the caller can do about an error response that is not documented: the last sentence of the error's message. */
export const statusAdvice = {
  bad_request: 'Check the parameters.',
  unauthorized: `Check apiKey, its expiry and its scope guild:read, and ${subscription}.`,
  forbidden: `Check that the key has the scope guild:read and has not expired, and ${subscription}.`,
  not_found: 'Check the path, and baseUrl, whose own path comes first.',
  rate_limited:
    'Try again later. If other processes use the key, share one throttle: createRedisThrottle of @guild-ledger/sdk/redis.',
  server_error: 'Try again later.',
  http_error: 'Check baseUrl: the spec lists no such status.',
} as const satisfies { readonly [Code in ErrorCode]?: string }

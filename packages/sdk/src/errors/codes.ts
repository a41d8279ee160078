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

/**
 * Every `code` of an error: what it means, who has to act, and whether a retry helps. The table of docs/errors.md is made
 * from this one: its comments have the cause, and after "To do:" what helps.
 */
export const errorCodes = {
  /** An option is missing or invalid; no request was sent. To do: Fix the code or the environment. */
  configuration: author,
  /** The client was closed, before the call or during it. To do: Await calls before `close()`. Make a new client for further calls. */
  client_closed: author,
  /** A parameter is outside what the spec allows; no request was sent. To do: Fix the code. `issues` lists the parameters. */
  invalid_parameter: author,
  /** The function given as `apiKey` failed, or did not return in time. To do: Check the function, or try again. */
  api_key_unavailable: authorLater,
  /** More calls wait for the rate limit than `maxQueue` allows; no request was sent. To do: Start fewer calls at once, or try again later. */
  queue_full: later,
  /** The shared throttle cannot reach Redis; no request was sent. To do: Check Redis, or try again. */
  throttle_unavailable: authorLater,
  /** No response, or an incomplete one. To do: Try again later. Check `baseUrl` if `actor` is `'author'` (unknown host, bad certificate, wrong scheme). */
  connection: later,
  /** A time limit was exceeded: `phase` says which one. To do: Try again later. */
  timeout: later,
  /** The response is a redirect, which is never followed. To do: Check `baseUrl`. `location` says where the redirect leads. */
  redirect_refused: author,
  /** The response does not match the spec, or is too large. To do: See `issues` for the differences and `value` for the body. Set `validation` to `'warn'` until the cause is found. */
  invalid_response: author,
  /** A paginator was iterated a second time. To do: Call the method again for a new one. */
  paginator_consumed: author,
  /** The service responded with an empty page, and `onEmpty` is `'throw'`. To do: Treat it as an empty result. */
  no_results: nobody,
  /** Pagination cannot reach an end, for example because the same pages come again and again. To do: Narrow the query, or continue from `error.page`. */
  pagination_stalled: author,
  ...documentedFacts,
  /** Status 400 with another message. To do: Check the parameters. */
  bad_request: author,
  /** Status 401 with another message: possibly an expired key, a missing scope or a lapsed subscription. To do: Check the subscription, or create a new key. */
  unauthorized: manager,
  /** Status 403: possibly an expired key, a missing scope or a lapsed subscription. To do: Check the subscription, or create a new key. */
  forbidden: manager,
  /** Status 404 with another message. To do: Check the path and `baseUrl`. A path in `baseUrl` precedes that of the request. */
  not_found: author,
  /** Status 429, and retries did not help. To do: Wait `retryAfterMs`, if it is set. */
  rate_limited: later,
  /** Another status of 500 or above. To do: Try again later. */
  server_error: later,
  /** Any other status. To do: Check `baseUrl`. For 402, the manager checks the subscription. For 408, try again later. */
  http_error: author,
} as const satisfies Record<string, ErrorFacts>

/** Every `code` of an error of this package: a closed union, for `switch`. */
export type ErrorCode = keyof typeof errorCodes

/** `code` of an `ApiError`: of a documented error, else of the class of its status; `http_error` is any other status. */
export type ApiErrorCode =
  | DocumentedErrorCode
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  | 'server_error'
  | 'http_error'

import { documentedErrors } from '../contract/index.ts'
import { codeFacts, statusAdvice, type ApiErrorCode, type ErrorCode, type ErrorFacts } from './codes.ts'

/** What a `code` means. */
export interface ErrorDescription extends ErrorFacts {
  /** Why an error has it. */
  readonly cause: string
  /** What to do. */
  readonly advice: string
  /** What the spec leaves open about it, as nouns or clauses. */
  readonly unspecified?: readonly string[]
}

const noMatches = ['whether filters that match nothing, or a page after the last one, get this response too']

type Descriptions = {
  [Code in ErrorCode]: Omit<ErrorDescription, keyof ErrorFacts | (Code extends ApiErrorCode ? 'advice' : never)>
}

// Apart from `codeFacts`, so that a program that does not use `errorCodes` has none of these sentences in its bundle.
const descriptions: Readonly<Descriptions> = {
  configuration: {
    cause: 'An option is missing or invalid; no request was sent.',
    advice: 'Fix the code or the environment.',
  },
  client_closed: {
    cause: 'The client was closed, before the call or during it.',
    advice: 'Await calls before `close()`. Make a new client for further calls.',
  },
  invalid_parameter: {
    cause: 'A parameter is outside what the spec allows; no request was sent.',
    advice: 'Fix the code. `issues` lists the parameters.',
  },
  api_key_unavailable: {
    cause: 'The function given as `apiKey` failed, or did not return in time.',
    advice: 'Check the function, or try again.',
  },
  queue_full: {
    cause: 'More calls wait for the rate limit than `maxQueue` allows; no request was sent.',
    advice: 'Start fewer calls at once, or try again later.',
  },
  throttle_unavailable: {
    cause: 'The shared throttle cannot reach Redis; no request was sent.',
    advice: 'Check Redis, or try again.',
  },
  connection: {
    cause: 'No response, or an incomplete one.',
    advice: "Try again later. Check `baseUrl` if `actor` is `'author'` (unknown host, bad certificate, wrong scheme).",
  },
  timeout: { cause: 'A time limit was exceeded: `phase` says which one.', advice: 'Try again later.' },
  redirect_refused: {
    cause: 'The response is a redirect, which is never followed.',
    advice: 'Check `baseUrl`. `location` says where the redirect leads.',
  },
  invalid_response: {
    cause: 'The response does not match the spec, or is too large.',
    advice:
      "See `issues` for the differences and `value` for the body. Set `validation` to `'warn'` until the cause is found.",
  },
  paginator_consumed: {
    cause: 'A paginator was iterated a second time.',
    advice: 'Call the method again for a new one.',
  },
  no_results: {
    cause: "The service responded with an empty page, and `onEmpty` is `'throw'`.",
    advice: 'Treat it as an empty result.',
  },
  pagination_stalled: {
    cause: 'Pagination cannot reach an end, for example because pages repeat.',
    advice: 'Narrow the query, or continue from `error.page`.',
  },
  missing_guild_id: {
    cause: 'The guild identifier is missing: the key is bound to no guild.',
    unspecified: [
      'how the guild identifier reaches the service other than through the key',
      'whether invalid parameters get this status too',
    ],
  },
  invalid_api_key: {
    cause: 'The API key is invalid: mistyped, deleted or possibly expired.',
    unspecified: ['whether a key that is missing, has expired or lacks the scope gets this status too'],
  },
  no_guild_transactions: {
    cause: 'The guild has no transactions, or possibly none that match the filters.',
    unspecified: noMatches,
  },
  no_user_transactions: {
    cause: 'The user has no transactions, or possibly none that match the filters.',
    unspecified: noMatches,
  },
  guild_transactions_failed: {
    cause: 'The service failed internally while it listed the transactions of the guild.',
  },
  user_transactions_failed: {
    cause: 'The service failed internally while it listed the transactions of the user.',
  },
  bad_request: { cause: 'Status 400 with another message.' },
  unauthorized: {
    cause:
      'Status 401 with another message: possibly an expired key, a missing scope or a subscription that has ended.',
  },
  forbidden: {
    cause: 'Status 403: possibly an expired key, a missing scope or a subscription that has ended.',
  },
  not_found: { cause: 'Status 404 with another message.' },
  rate_limited: { cause: 'A rate limit, and retries did not help.' },
  server_error: { cause: 'Another status of 500 or above.' },
  http_error: {
    cause: 'Any other status. With 402, 407, 408, 421 and 425 the message has other advice.',
  },
}

const describeAll = () => {
  const documented = Object.fromEntries(Object.values(documentedErrors).map(({ code, advice }) => [code, advice]))
  const advice: Partial<Record<ErrorCode, string>> = { ...statusAdvice, ...documented }
  const codes = Object.keys(codeFacts) as ErrorCode[]
  return Object.fromEntries(
    codes.map((code) => [code, { advice: advice[code], ...codeFacts[code], ...descriptions[code] }]),
  ) as Readonly<Record<ErrorCode, ErrorDescription>>
}

/** Every `code` of an error: its cause, what to do, who has to act, and whether a retry helps. */
export const errorCodes = /* @__PURE__ */ describeAll()

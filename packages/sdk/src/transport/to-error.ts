import { propertyOf } from '@guild-ledger/validation'
import { documentedErrors, type DocumentedErrorCode } from '../contract/index.ts'
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  documentedClasses,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  statusAdvice,
  statusFacts,
  subscription,
  TimeoutError,
  withFacts,
  type TimeoutPhase,
} from '../errors/index.ts'
import type { ServiceHistory } from './connection-failures.ts'
import { inOneLine } from './foreign-error.ts'
import { retryAfterOf } from './retry-after.ts'

/** Not every documented error need have a class of its own. */
const ownClasses: { readonly [Code in DocumentedErrorCode]?: typeof ApiError } = documentedClasses

type StatusMeaning = readonly [code: keyof typeof statusAdvice, ErrorClass: typeof ApiError]

const meanings: Readonly<Record<number, StatusMeaning>> = {
  400: ['bad_request', BadRequestError],
  401: ['unauthorized', AuthenticationError],
  403: ['forbidden', PermissionDeniedError],
  404: ['not_found', NotFoundError],
  429: ['rate_limited', RateLimitError],
}
const otherMeaning = (status: number): StatusMeaning =>
  status >= 500 ? ['server_error', ServerError] : ['http_error', ApiError]

/** Advice for statuses without a code of their own. */
const otherAdvice: Readonly<Record<number, string>> = {
  402: `Check ${subscription}.`,
  407: 'Check the user name and password of the proxy.',
  421: 'Check baseUrl: the server does not serve this host.',
}

/** Whether a limiter says what it is, with whatever status: the response to a higher rate is unspecified. Spec: Limits. */
export const namesLimit = (status: number, reason = ''): boolean =>
  status < 500 && /(?<![a-z])rate.?limit|too many requests|throttl/i.test(reason)

/** What an error response means: its `code`, the class of its error, and what the caller can do. */
const meaningOf = (status: number, reason: string | undefined) => {
  const meaning = meanings[namesLimit(status, reason) ? 429 : status]
  const [code, ErrorClass] = meaning ?? otherMeaning(status)
  const documented = Object.values(documentedErrors).find((one) => one.status === status && one.message === reason)
  if (documented) return { ...documented, ErrorClass: ownClasses[documented.code] ?? ErrorClass }
  const ofOther = statusAdvice[statusFacts(status).isTransient ? 'server_error' : 'http_error']
  return { code, ErrorClass, advice: otherAdvice[status] ?? (meaning ? statusAdvice[code] : ofOther) }
}

/** The longest body of an error response that is parsed, in characters. The documented ones have about 60. */
const maxErrorBody = 65_536

/** A body as JSON, or as text where it is none or too long. */
const parsedOr = (text: string): unknown => {
  if (text.length > maxErrorBody) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const messageOf = (body: unknown): string | undefined => {
  const message = (body as { readonly message?: unknown } | null)?.message
  return typeof message === 'string' ? message : undefined
}

/** Whether a body is an error body of the service. Spec: Error body. */
export const isErrorBody = (body: unknown): boolean =>
  propertyOf(body, 'success') === false && messageOf(body) !== undefined

/** Whether text that is not JSON is the beginning of a response of the service: compressed bodies break off without an error. */
export const isOfService = (text: string): boolean =>
  /"(?:success|platformId|transactionId|transactions)"\s*:/.test(text.slice(0, 2000))

/** What came in place of a body of the service. The service's own JSON is not shown, because it names users. */
export const beginningOf = (text: string): string => {
  if (text.trim() === '') return 'no readable body'
  if (isOfService(text)) return `incomplete JSON of the service, ${text.length} characters`
  return `a body that starts with ${JSON.stringify(text.slice(0, 60))}`
}

/** Firewalls refuse with any status, such as 405 or 406; ingress controllers say 404 while they know no instance. */
const gatewayAdvice = (status: number): string =>
  status === 404
    ? 'A gateway responded, perhaps during a restart: try again later, or check the path.'
    : 'A gateway responded, perhaps because of its own rate limit: try again later, or lower requestsPerSecond.'

/** Whether a gateway may refuse for a time with a status from 300: not with those that mean the same whoever responds with them. */
export const mayBeOfGateway = (status: number): boolean =>
  status < 500 && ![301, 308, 400, 401, 402, 407, 408, 421, 425, 429].includes(status)

/**
 * Whether a response refuses as limiters do without a status of their own: its message says so, or it is not of the
 * service after good responses. A 404 is of a path that does not exist, as a rule. `text` is undefined where the body was not read.
 */
export const isRefusal = (status: number, text: string | undefined, { hasServed }: ServiceHistory): boolean => {
  const body = text && parsedOr(text)
  if (namesLimit(status, messageOf(body))) return true
  if (status < 300) return hasServed && typeof body === 'string' && !isOfService(body)
  return hasServed && status !== 404 && mayBeOfGateway(status) && !isErrorBody(body)
}

export const toApiError = (
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
  label: string,
  attempts: number,
  { hasServed }: ServiceHistory,
): ApiError => {
  const body = parsedOr(text)
  const reason = messageOf(body)
  const { code, ErrorClass, advice: ofCode } = meaningOf(status, reason)
  const ofGateway = hasServed && mayBeOfGateway(status) && !isErrorBody(body) ? gatewayAdvice(status) : undefined
  const foreign = `Got ${beginningOf(text)} instead of an error of the service: check the proxy or baseUrl.`
  const advice = ofGateway ?? (reason === undefined && [400, 401, 403, 404].includes(status) ? foreign : ofCode)
  const failed = attempts > 1 ? `failed after ${attempts} attempts` : 'failed'
  const error = new ErrorClass(
    `${label} ${failed}: ${status} ${reason === undefined ? '(no message)' : inOneLine(reason)}. ${advice}`,
    { code, status, reason, headers, body, retryAfterMs: retryAfterOf(headers) },
  )
  return ofGateway || code === 'rate_limited' ? withFacts(error, { actor: 'nobody', retryable: true }) : error
}

const limits: Record<TimeoutPhase | 'start', readonly [failure: string, advice: string]> = {
  start: ['nothing was sent', 'Check middleware and the function of `apiKey`, or raise timeoutMs.'],
  queue: ['no free slot of the throttle', 'Start fewer calls at once, or raise timeoutMs.'],
  attempt: ['no complete response', 'Try again, or raise attemptTimeoutMs.'],
  call: ['no response', 'Try again, or raise timeoutMs.'],
}

/** Makes the error for a time limit that was exceeded: `start` is the phase `call` before the first attempt. */
export const toTimeoutError = (
  endpoint: string,
  phase: keyof typeof limits,
  timeoutMs: number,
  pausedForMs = 0,
): TimeoutError => {
  const [failure, advice] = limits[phase]
  if (phase === 'queue' && pausedForMs > 0) {
    const seconds = Math.ceil(pausedForMs / 100) / 10
    const message = `${endpoint} failed: the service asked to wait ${seconds} s more, and timeoutMs is ${timeoutMs} ms. Try again after that.`
    return new TimeoutError(message, timeoutMs, phase, Math.ceil(pausedForMs))
  }
  const message = `${endpoint} failed: ${failure} within ${timeoutMs} ms. ${advice}`
  return new TimeoutError(message, timeoutMs, phase === 'start' ? 'call' : phase)
}

/** Makes the error for a body that exceeds `maxResponseBytes`: another attempt would get the same one. */
export const toTooLargeError = (endpoint: string, maxBytes: number): ResponseValidationError => {
  const expected = `have at most ${maxBytes} bytes when decompressed`
  const message = `${endpoint} failed: the response body must ${expected}, got more. Lower limit, or raise maxResponseBytes.`
  return new ResponseValidationError(message, [{ path: '', expected, received: 'more' }], undefined)
}

/** Whether a response body was too large: a smaller page may not be. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof ResponseValidationError && error.issues[0]?.received === 'more'

import { documentedErrors, type DocumentedErrorCode } from '../contract/index.ts'
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  documentedClasses,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  TimeoutError,
  type ApiErrorCode,
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

/** What an error response means: its `code`, the class of its error, and what the caller can do. */
type Meaning = readonly [code: ApiErrorCode, ErrorClass: typeof ApiError, advice: string]

const byStatus: Readonly<Record<number, Meaning>> = {
  400: ['bad_request', BadRequestError, 'Check the parameters.'],
  401: ['unauthorized', AuthenticationError, `Check apiKey, its expiry and its scope guild:read, and ${subscription}.`],
  402: ['http_error', ApiError, `Check ${subscription}.`],
  403: [
    'forbidden',
    PermissionDeniedError,
    `Check that the key has the scope guild:read and has not expired, and ${subscription}.`,
  ],
  404: ['not_found', NotFoundError, 'Check the path, and baseUrl, whose own path comes first.'],
  429: [
    'rate_limited',
    RateLimitError,
    'Try again later. If other processes use the key, share one throttle: createRedisThrottle of @guild-ledger/sdk/redis.',
  ],
}

const classes: { readonly [Code in DocumentedErrorCode]?: typeof ApiError } = documentedClasses

const meaningOf = (status: number, reason: string | undefined): Meaning => {
  const ofStatus =
    byStatus[status] ??
    (status >= 500
      ? ['server_error', ServerError, 'Try again later.']
      : ['http_error', ApiError, 'Check baseUrl: the spec lists no such status.'])
  const documented = Object.values(documentedErrors).find((one) => one.status === status && one.message === reason)
  if (!documented) return ofStatus
  return [documented.code, classes[documented.code] ?? ofStatus[1], documented.advice]
}

/** The longest body of an error response that is parsed, in characters. The documented ones have about 60. */
const maxErrorBody = 65_536

const bodyOf = (text: string): unknown => {
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

const seconds = /^\d+(?:\.\d+)?$/
const httpDate = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/

/** Milliseconds to wait according to `Retry-After`, in seconds or as an HTTP date; undefined for anything else. */
export const retryAfterOf = (headers: Headers, now = Date.now()): number | undefined => {
  const value = headers.get('retry-after') ?? ''
  if (seconds.test(value)) return Number(value) * 1000
  const ms = httpDate.test(value) ? Date.parse(value) - now : Number.NaN
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** What came in place of a body of the service. */
export const beginningOf = (text: string): string =>
  text === '' ? 'an empty body' : `a body that starts with ${JSON.stringify(text.slice(0, 60))}`

export const toApiError = (
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
  label: string,
  attempts: number,
): ApiError => {
  const body = bodyOf(text)
  const reason = messageOf(body)
  const [code, ErrorClass, ofCode] = meaningOf(status, reason)
  const isForeign = reason === undefined && [401, 403, 404].includes(status)
  const advice = isForeign ? `Got ${beginningOf(text)}: this is not the service, look at the proxy or baseUrl.` : ofCode
  const failed = attempts > 1 ? `failed after ${attempts} attempts` : 'failed'
  return new ErrorClass(
    `${label} ${failed}: ${status} ${reason === undefined ? '(no message)' : inOneLine(reason)}. ${advice}`,
    { code, status, reason, headers, body, retryAfterMs: retryAfterOf(headers) },
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

/** Makes the error for a body that exceeds `maxResponseBytes`: another attempt would get the same one. */
export const toTooLargeError = (endpoint: string, maxBytes: number): ResponseValidationError => {
  const expected = `have at most ${maxBytes} bytes when decompressed`
  const message = `${endpoint} failed: the response body must ${expected}, got more. Lower limit, or raise maxResponseBytes.`
  return new ResponseValidationError(message, [{ path: '', expected, received: 'more' }], undefined)
}

/** Whether a response body was too large: a smaller page may not be. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof ResponseValidationError && error.issues[0]?.received === 'more'

/** The errors behind a failure, innermost last: runtimes wrap "connection refused" in one to three layers. */
const chainOf = (error: unknown): Error[] => (error instanceof Error ? [error, ...chainOf(error.cause)] : [])

/** The innermost reason of a failure. */
export const reasonOf = (error: unknown): string =>
  inOneLine(chainOf(error).at(-1)?.message ?? '').replace(/[:.]+$/, '')

const systemCodeOf = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** What failed connections mean, by what runtimes say or their system code. Without a scheme it is a mistake for certain. */
const connectionFailures: readonly { readonly pattern: RegExp; readonly scheme?: string; readonly meaning: string }[] =
  [
    {
      pattern: /ENOTFOUND|name or service not known|nodename nor servname/i,
      meaning: 'the host is unknown. Check baseUrl, and that this machine is online',
    },
    {
      pattern: /\bCERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET|VERIFY)_|certificate/i,
      meaning: 'the certificate of this address is not valid. Check baseUrl, and who has to renew the certificate',
    },
    {
      pattern: /wrong.version.number|packet.length.too.long|EPROTO|InvalidContentType/i,
      meaning: 'no https at this address. If the service speaks http there, baseUrl must begin with http://',
    },
    {
      pattern: /other side closed|ECONNRESET|socket hang up|closed unexpectedly/i,
      scheme: 'http:',
      meaning:
        'the connection was closed without a response. If the service speaks https there, baseUrl must begin with https://',
    },
  ]

/** Runtimes report a failed connection in five shapes: where the error was caught decides what it is, not its shape. */
export const toConnectionError = (label: string, url: string, cause: unknown, isReading: boolean): ConnectionError => {
  const said = chainOf(cause).map((error) => `${error.message} ${systemCodeOf(error)}`)
  const { protocol } = new URL(url)
  const known = connectionFailures.find(
    ({ pattern, scheme = protocol }) => !isReading && scheme === protocol && said.some((text) => pattern.test(text)),
  )
  const reason = reasonOf(cause) || 'the connection failed'
  const unknown = `${isReading ? 'the response broke off: ' : ''}${reason}. Check baseUrl and the network, or try again`
  const isMistake = known !== undefined && known.scheme === undefined
  return new ConnectionError(`${label} failed: ${known?.meaning ?? unknown}.`, { cause, isMistake })
}

import { propertyOf } from '@guild-ledger/validation'
import { apiKeyHeader } from '../contract/index.ts'
import { invalidOption, RedirectError } from '../errors/index.ts'
import type { TransportSettings } from './options.ts'
import { isControlFlow } from './foreign-error.ts'
import { createRedaction, maskAddress } from './redaction.ts'
import { toTooLargeError } from './to-error.ts'

/** Status and headers of a response, the key redacted. */
export type ResponseHead = Pick<Response, 'status' | 'headers'>

/** A response, read to its end and redacted. */
export type Received = ResponseHead & { readonly text: string }

/** Sends a request. `onHead` gets the head of the response as soon as it is there, and the body where only that says whose it is. */
export type PreparedRequest = (
  signal: AbortSignal,
  onHead: (head: ResponseHead, reading: Promise<string> | undefined) => void,
) => Promise<Received>

/** Whether the service did what was requested. */
export const isSuccess = ({ status }: ResponseHead): boolean => Math.floor(status / 100) === 2

const redirectStatuses = new Set([301, 302, 303, 307, 308])
const isRedirect = ({ type, status }: Response) => type === 'opaqueredirect' || redirectStatuses.has(status)

/** Whether a value has what is used of a response, whatever library or test double it is from. */
export const isResponse = (value: unknown): boolean =>
  Number.isInteger(propertyOf(value, 'status')) &&
  typeof propertyOf(propertyOf(value, 'headers'), Symbol.iterator) === 'function' &&
  typeof propertyOf(propertyOf(value, 'headers'), 'get') === 'function' &&
  (typeof propertyOf(propertyOf(value, 'body'), 'getReader') === 'function' ||
    typeof propertyOf(value, 'text') === 'function')

/** Whether only the body may say that a response is not of the service, or refuses. */
const isToldByBody = ({ status, headers }: ResponseHead): boolean =>
  status < 300 ? !headers.get('content-type')?.includes('json') : status < 500 && status !== 429

/** The text of a body; undefined if it has more than `maxBytes`, decompressed: what headers say of it may be wrong. */
export const readText = async (response: Response, maxBytes: number): Promise<string | undefined> => {
  const reader = response.body?.getReader?.()
  if (!reader) {
    const text = await response.text() // empty, or of a fetch whose bodies are no web streams
    return text.length > maxBytes ? undefined : text
  }
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => {})
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** Says where a redirect leads, and whether `baseUrl` may simply be the old address. */
const toRedirectError = (response: Response, url: URL, label: string, redact: (text: string) => string) => {
  const target = response.headers.get('location')
  const to = target && URL.canParse(target, url) ? new URL(target, url) : undefined
  const location = to && redact(to.origin + to.pathname)
  const path = label.replace('GET ', '')
  const advice = location?.endsWith(path)
    ? `If you trust that address, set baseUrl to ${location.slice(0, -path.length)}`
    : 'Check baseUrl'
  const status = response.status === 0 ? 'the response' : `status ${response.status}` // browsers do not show it
  return new RedirectError(
    `${label} failed: ${status} is a redirect${location ? ` to ${location}` : ''}, which is not followed because the key would be sent along. ${advice}.`,
    location,
  )
}

/** The URL of a request, perhaps one of another realm. It is read once: what is checked is what is sent. */
const urlOf = (request: Request): URL => {
  const url: unknown = Object.prototype.toString.call(request) === '[object Request]' ? request.url : undefined
  if (typeof url === 'string' && URL.canParse(url)) return new URL(url)
  return invalidOption('middleware', '`middleware` must pass a Request to next, got something else')
}

/**
 * The one place that knows the API key: adds it to requests, and redacts whatever comes back. It leaves in one header, to
 * the origin of `baseUrl`; redirects are not followed.
 */
export const createAuthentication = (
  settings: Pick<TransportSettings, 'keys' | 'baseUrl' | 'fetch' | 'maxResponseBytes' | 'userAgent'>,
) => {
  const { keys, fetch, maxResponseBytes, userAgent } = settings
  const { origin } = new URL(settings.baseUrl)
  let redaction = createRedaction(keys.seen())
  /** Redacts the last values that the key had. */
  const redact = () => {
    const seen = keys.seen()
    if (redaction.given !== seen) redaction = createRedaction(seen)
    return redaction
  }

  const redacting = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw isControlFlow(error) ? error : redact().inError(error, maskAddress)
    }
  }

  const bodyOf = async (response: Response, url: URL, label: string): Promise<string> => {
    if (isRedirect(response)) {
      void response.body?.cancel?.().catch(() => {})
      throw toRedirectError(response, url, label, (address) => redact().inText(maskAddress(address)))
    }
    if (response.bodyUsed || response.body?.locked) {
      invalidOption('fetch', '`fetch` must return a new Response each time, got one whose body was read before')
    }
    const text = await redacting(() => readText(response, maxResponseBytes))
    if (text === undefined) throw toTooLargeError(label, maxResponseBytes)
    const redacted = redact().inText(text)
    return isSuccess(response) ? redacted : maskAddress(redacted) // "no route for /guild/…", as frameworks say
  }

  return {
    keys,
    redact: (text: string) => redact().inText(text),
    /** Prepares a request for the origin of `baseUrl`. What it resolves and rejects with is redacted. */
    prepare: (request: Request, label: string): PreparedRequest => {
      const url = urlOf(request)
      if (url.origin !== origin) {
        invalidOption('middleware', `\`middleware\` must not send the key to an origin other than ${origin}`)
      }
      const given = { accept: 'application/json', ...userAgent, ...Object.fromEntries(request.headers) }
      return async (signal, onHead) => {
        const headers = { ...given, [apiKeyHeader]: keys.current() ?? '' }
        // `cache` and `credentials` stay unset, because Workers reject them.
        const init = { method: 'GET', headers, redirect: 'manual', signal } as const
        const returned = await redacting(() => fetch(url.href, init))
        const response = returned as Response // or one of the same shape
        if (!isResponse(response)) {
          invalidOption('fetch', '`fetch` must return a Response with status, headers and body, got something else')
        }
        if (response.type === 'error') throw new Error('fetch returned a network error')
        const head = { status: response.status, headers: redact().inHeaders(response.headers) }
        const read = () => bodyOf(response, url, label)
        const reading = !isRedirect(response) && isToldByBody(head) ? read() : undefined
        onHead(head, reading)
        return { ...head, text: await (reading ?? read()) }
      }
    },
  }
}

export type Authentication = ReturnType<typeof createAuthentication>

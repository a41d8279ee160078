import { apiKeyHeader } from '../contract/index.ts'
import { invalidOption, RedirectError } from '../errors/index.ts'
import type { TransportSettings } from './options.ts'
import { createRedaction } from './redaction.ts'
import { toTooLargeError } from './to-error.ts'

/** Status and headers of a response, the key redacted. */
export type ResponseHead = Pick<Response, 'status' | 'headers'>

/** A response, read to its end and redacted. */
export interface Received extends ResponseHead {
  readonly text: string
}

/** Sends a request and resolves with the response; `onHead` gets its head as soon as it is there. */
export type PreparedRequest = (signal: AbortSignal, onHead: (head: ResponseHead) => void) => Promise<Received>

/** Whether the service did what was requested. */
export const isSuccess = ({ status }: ResponseHead): boolean => Math.floor(status / 100) === 2

const redirectStatuses = new Set([301, 302, 303, 307, 308])
const isRedirect = ({ type, status }: Response) => type === 'opaqueredirect' || redirectStatuses.has(status)

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
  return new RedirectError(
    `${label} failed: status ${response.status} is a redirect${location ? ` to ${location}` : ''}, which is not followed because the key would be sent along. ${advice}.`,
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
  /** Redacts the last values that the key had. */
  const redact = () => createRedaction(keys.seen())

  const redacting = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw redact().inError(error) ?? new Error('the connection failed')
    }
  }

  const bodyOf = async (response: Response, url: URL, label: string): Promise<string> => {
    if (isRedirect(response)) {
      void response.body?.cancel?.().catch(() => {})
      throw toRedirectError(response, url, label, redact().inText)
    }
    const text = await redacting(() => readText(response, maxResponseBytes))
    if (text === undefined) throw toTooLargeError(label, maxResponseBytes)
    return redact().inText(text)
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
        const returned = await redacting(() => fetch(url.href, { method: 'GET', headers, redirect: 'manual', signal }))
        const response = returned as Response // or one of the same shape
        if (typeof response?.status !== 'number') {
          invalidOption('fetch', '`fetch` must return a Response, got something else')
        }
        if (response.type === 'error') throw new Error('fetch returned a network error')
        const head = { status: response.status, headers: redact().inHeaders(response.headers) }
        onHead(head)
        return { ...head, text: await bodyOf(response, url, label) }
      }
    },
  }
}

export type Authentication = ReturnType<typeof createAuthentication>

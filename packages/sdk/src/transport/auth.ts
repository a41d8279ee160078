import { apiKeyHeader } from '../contract/index.ts'
import { ConfigurationError, RedirectError } from '../errors/index.ts'
import { readText } from './decode.ts'
import type { TransportSettings } from './options.ts'
import { toTooLargeError } from './to-error.ts'

/** A response with the key redacted. */
export interface RedactedResponse {
  readonly status: number
  readonly headers: Headers
  /**
   * Reads the body. Once only.
   *
   * @throws {RedirectError} The response is a redirect.
   */
  readonly text: () => Promise<string>
}

/** The one place that knows the API key: adds it to requests, and redacts whatever comes back. */
export interface Authentication {
  /** Replaces the key in a string. */
  readonly redact: (text: string) => string
  /**
   * Prepares a request for the origin of `baseUrl`. What it resolves and rejects with is redacted.
   *
   * @throws {ConfigurationError} The request is for another origin, or is none.
   */
  readonly prepare: (request: Request, label: string) => (signal: AbortSignal) => Promise<RedactedResponse>
}

// A shorter key, as used in tests, is part of ordinary words; the service's own keys are longer.
const minRedactedLength = 16
const redacted = '[api key]'

const htmlNames: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }
const hexOf = (code: number, length: number) => code.toString(16).padStart(length, '0')
const anyCase = (hex: string) => hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/** A pattern for one character of a key, as it is and as JSON, URLs and HTML may escape it. */
const patternOf = (character: string): string => {
  const code = character.charCodeAt(0)
  const literal = `${'"\\/'.includes(character) ? '\\\\?' : ''}\\x${hexOf(code, 2)}`
  const percent = Array.from(new TextEncoder().encode(character), (byte) => `%${anyCase(hexOf(byte, 2))}`).join('')
  const references = [`0{0,6}${code}`, `[xX]0{0,6}${anyCase(hexOf(code, 1))}`].map((reference) => `&#${reference};`)
  const name = htmlNames[character] === undefined ? [] : [`&${htmlNames[character]};`]
  return `(?:${literal}|\\\\u${anyCase(hexOf(code, 4))}|${[percent, ...references, ...name].join('|')})`
}

/** Replaces a key in whatever comes from outside. */
export const createRedaction = (apiKey: string) => {
  const pattern =
    apiKey.length < minRedactedLength ? undefined : new RegExp(Array.from(apiKey, patternOf).join(''), 'g')

  /** One search of the text as it came, before anything is parsed: linear, however the text is nested. */
  const inText = (text: string): string => (pattern ? text.replace(pattern, redacted) : text)

  const inHeaders = (headers: Headers): Headers => {
    const entries = [...headers]
    if (entries.every(([, value]) => inText(value) === value)) return headers
    return new Headers(entries.map(([name, value]): [string, string] => [name, inText(value)]))
  }

  /** A copy of a foreign error with nothing but name, code, message, stack and causes; undefined if it is no error. */
  const inError = (error: unknown, depth = 3): Error | undefined => {
    if (!(error instanceof Error) || depth === 0) return undefined
    const textOf = (value: unknown) => (typeof value === 'string' ? inText(value) : '')
    const cause = inError(error.cause, depth - 1)
    const copy = new Error(textOf(error.message), cause && { cause })
    copy.name = textOf(error.name)
    copy.stack = textOf(error.stack)
    return 'code' in error && typeof error.code === 'string' ? Object.assign(copy, { code: textOf(error.code) }) : copy
  }

  return { inText, inHeaders, inError }
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])
const isRedirect = ({ type, status }: Response) => type === 'opaqueredirect' || redirectStatuses.has(status)

/** Says where a redirect leads, and whether `baseUrl` may simply be the old address. */
const toRedirectError = (response: Response, url: URL, label: string, redact: (text: string) => string) => {
  const target = response.headers.get('location') ?? ''
  const to = URL.canParse(target, url) ? new URL(target, url) : undefined
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

/**
 * The URL of a request, perhaps one of another realm. It is read once: what is checked is what is sent.
 *
 * @throws {ConfigurationError} Middleware passed something else.
 */
const urlOf = (request: Request): URL => {
  const url: unknown = Object.prototype.toString.call(request) === '[object Request]' ? request.url : undefined
  if (typeof url === 'string' && URL.canParse(url)) return new URL(url)
  throw new ConfigurationError('middleware', '`middleware` must pass a Request to next, got something else')
}

/** Keeps the key in a closure. It leaves in one header, to the origin of `baseUrl`; redirects are not followed. */
export const createAuthentication = (
  settings: Pick<TransportSettings, 'apiKey' | 'baseUrl' | 'fetch' | 'maxResponseBytes'>,
): Authentication => {
  const { apiKey, fetch, maxResponseBytes } = settings
  const { origin } = new URL(settings.baseUrl)
  const redact = createRedaction(apiKey)

  const redacting = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw redact.inError(error) ?? new Error('the connection failed')
    }
  }

  const bodyOf = async (response: Response, url: URL, label: string): Promise<string> => {
    if (isRedirect(response)) {
      void response.body?.cancel?.().catch(() => {})
      throw toRedirectError(response, url, label, redact.inText)
    }
    const text = await redacting(() => readText(response, maxResponseBytes))
    if (text === undefined) throw toTooLargeError(label, maxResponseBytes)
    return redact.inText(text)
  }

  return {
    redact: redact.inText,
    prepare: (request, label) => {
      const url = urlOf(request)
      if (url.origin !== origin) {
        throw new ConfigurationError(
          'middleware',
          `\`middleware\` must not send the key to an origin other than ${origin}`,
        )
      }
      const headers = { accept: 'application/json', ...Object.fromEntries(request.headers), [apiKeyHeader]: apiKey }
      // `cache` and `credentials` stay unset, because Workers reject them.
      const init = { method: 'GET', headers, redirect: 'manual' } as const
      return async (signal) => {
        const response = await redacting(() => fetch(url.href, { ...init, signal }))
        if (typeof response?.status !== 'number') {
          throw new ConfigurationError('fetch', '`fetch` must return a Response, got something else')
        }
        if (response.type === 'error') throw new Error('fetch returned a network error')
        const { status } = response
        return { status, headers: redact.inHeaders(response.headers), text: () => bodyOf(response, url, label) }
      }
    },
  }
}

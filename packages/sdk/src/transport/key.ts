import { apiKeyHeader } from '../contract/index.ts'
import { ConfigurationError } from '../errors/index.ts'
import type { Fetch } from './settings.ts'

/** Everything that knows the API key. */
export interface KeyHolder {
  /** Throws where a request is for another origin than the key's. */
  readonly check: (request: Request) => void
  /** Sends a checked request with the key, without following redirects. */
  readonly send: (request: Request, signal: AbortSignal) => Promise<Response>
  /** Text from outside with the key blotted out, should a service echo it. */
  readonly redact: (text: string) => string
  /** The same for headers. */
  readonly redactHeaders: (headers: Headers) => Headers
}

/**
 * Keeps the key in a closure: it leaves by `send` alone, in one header, to the origin of `baseUrl`.
 *
 * `cache` and `credentials` stay unset, because Workers refuse them.
 */
export const holdKey = (apiKey: string, baseUrl: string, fetch: Fetch): KeyHolder => {
  const { origin } = new URL(baseUrl)
  const home = `${origin}/`
  // A key of a few letters, as tests use them, stands in half of all words.
  const spellings = new Set(
    apiKey.length < 8 ? [] : [apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey)],
  )
  const redact = (text: string) =>
    [...spellings].reduce((rest, spelling) => rest.replaceAll(spelling, '[api key]'), text)
  return {
    check: ({ url }) => {
      if (url.startsWith(home)) return
      throw new ConfigurationError(
        'middleware',
        `middleware sent a request to an origin other than ${origin}, where the key must not go: use fetch for it`,
      )
    },
    send: async ({ url, headers }, signal) =>
      fetch(url, {
        method: 'GET',
        headers: { accept: 'application/json', ...Object.fromEntries(headers), [apiKeyHeader]: apiKey },
        redirect: 'manual',
        signal,
      }),
    redact,
    redactHeaders: (headers) => new Headers([...headers].map(([name, value]) => [name, redact(value)])),
  }
}

import { apiKeyHeader } from '../contract/index.ts'
import { ConfigurationError } from '../errors/index.ts'
import { redactor, type Redact } from './redact.ts'
import type { Fetch } from './settings.ts'

/** Everything that knows the API key. */
export interface KeyHolder {
  /**
   * Makes a request ready to be sent with the key, without following redirects.
   *
   * @throws {ConfigurationError} It is for another origin than the key's.
   */
  readonly prepare: (request: Request) => (signal: AbortSignal) => Promise<Response>
  /** What comes from outside, with the key blotted out should a service echo it. */
  readonly redact: Redact
}

/**
 * Keeps the key in a closure: it leaves by `prepare` alone, in one header, to the origin of `baseUrl`.
 *
 * `cache` and `credentials` stay unset, because Workers refuse them.
 */
export const holdKey = (apiKey: string, baseUrl: string, fetch: Fetch): KeyHolder => {
  const { origin } = new URL(baseUrl)
  const home = `${origin}/`
  return {
    prepare: (request) => {
      // Read once: what is checked is what is sent.
      const { url } = request
      if (!url.startsWith(home)) {
        throw new ConfigurationError(
          'middleware',
          `middleware sent a request to an origin other than ${origin}, where the key must not go: use fetch for it`,
        )
      }
      const headers = { accept: 'application/json', ...Object.fromEntries(request.headers), [apiKeyHeader]: apiKey }
      return async (signal) => fetch(url, { method: 'GET', headers, redirect: 'manual', signal })
    },
    redact: redactor(apiKey),
  }
}

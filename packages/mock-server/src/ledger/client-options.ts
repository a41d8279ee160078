/** Options of a client for tests: what it needs to reach the mock, and nothing that waits in real time. */
export interface MockClientOptions {
  /** API key of the guild. */
  readonly apiKey: string
  /** Base URL that `fetch` responds for. */
  readonly baseUrl: string
  /**
   * Sends the requests to the mock, without a network. As there is no throttle, the default rate limit does not apply to
   * them: set `rateLimit` of the mock or the guild for a test that needs one.
   */
  readonly fetch: typeof fetch
  /** No throttle: requests are sent at once. */
  readonly throttle: false
  /** Retries follow at once. Their number is that of the client. */
  readonly retry: {
    /** Wait before the first retry, in milliseconds. */
    readonly baseDelayMs: 0
  }
  /** Allows use in a web page, in jsdom and in happy-dom: the key of a mock is no secret. */
  readonly dangerouslyAllowBrowser: true
}

export interface Connection {
  readonly origin: string
  readonly fetch: typeof fetch
}

export const createClientOptions = (apiKey: string, { origin, fetch }: Connection): MockClientOptions =>
  Object.freeze({
    apiKey,
    baseUrl: origin,
    fetch,
    throttle: false,
    retry: Object.freeze({ baseDelayMs: 0 }),
    dangerouslyAllowBrowser: true,
  })

/** A request as a stubbed service got it. */
export interface SentRequest {
  readonly url: string
  readonly init: RequestInit
  /** `Date.now()` when it was sent. */
  readonly at: number
}

/**
 * A service that is a function: `respond` gets the number of the request, from 1, and what was sent. Its `options` make a
 * client of it, which neither paces nor retries; what the client sends and logs is recorded.
 */
export const stubService = (respond: (count: number, request: SentRequest) => Response | Promise<Response>) => {
  const sent: SentRequest[] = []
  const lines: string[] = []
  const write = (level: string) => (message: string) => void lines.push(`${level} ${message}`)
  const options = {
    apiKey: 'key-of-a-guild',
    baseUrl: 'https://ledger.example',
    throttle: false,
    retry: false,
    logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    fetch: async (url: string, init: RequestInit): Promise<Response> => {
      const request = { url, init, at: Date.now() }
      sent.push(request)
      return respond(sent.length, request)
    },
  } as const
  return { options, sent, lines }
}

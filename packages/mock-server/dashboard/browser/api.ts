import { element } from './elements.ts'

const timeoutMs = 10_000

/** An error response of the mock server. The message is its own. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The admin API of the mock server that served this page. */
export interface Api {
  /**
   * Sends a request and returns the response body.
   *
   * @throws {ResponseError} The response is an error.
   * @throws {Error} There is no response.
   */
  request(path: string, method?: string, body?: object): Promise<unknown>
  /** Sends this token with every further request. It is kept in memory only. */
  useToken(token: string): void
  /** Saves a response as a file. A plain link could not carry the token. */
  download(path: string): Promise<void>
}

const messageOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : 'The response has no message.'

/** Creates a client for paths relative to `base`, the address of this page. */
export const createApi = (base: string): Api => {
  let headers: Record<string, string> = {}
  const send = async (path: string, method = 'GET', body?: object): Promise<Response> =>
    fetch(new URL(path, base), {
      method,
      headers,
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    async request(path, method, body) {
      const response = await send(path, method, body)
      if (response.status === 204) return undefined
      const content: unknown = await response.json()
      if (!response.ok) throw new ResponseError(response.status, messageOf(content))
      return content
    },
    useToken(token) {
      headers = { authorization: `Bearer ${token}` }
    },
    async download(path) {
      const href = URL.createObjectURL(await (await send(path)).blob())
      element('a', { href, download: path }).click()
      URL.revokeObjectURL(href)
    },
  }
}

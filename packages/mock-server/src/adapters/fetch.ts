import type { Engine, MockRequest } from '../http.ts'
import { createHandle, statusTextOf } from './to-response.ts'

const redirectStatuses = new Set([301, 302, 303, 307, 308])
// As many as the fetch standard allows.
const maxRedirects = 20

const misdirected = 421

/** A response made in the process has neither; one from `fetch` has both. */
const asFetched = (response: Response, url: string, redirected: boolean): Response =>
  Object.defineProperties(response, { url: { value: url }, redirected: { value: redirected } })

/**
 * A `fetch` that responds for one origin, without a network and without patching anything.
 *
 * Requests to any other origin get HTTP's own status for that, so that a test cannot reach the real service by mistake
 * and a client does not retry.
 */
export const createFetch = (
  engine: Engine,
  origin: string,
  sent: Pick<MockRequest, 'unthrottled'> = {},
): typeof fetch => {
  const handle = createHandle(engine, 'mock.fetch', sent)
  const respond = async (request: Request, redirects: number): Promise<Response> => {
    request.signal.throwIfAborted()
    if (request.url.startsWith(`${origin}/`)) return asFetched(await handle(request), request.url, redirects > 0)
    const { origin: requested } = new URL(request.url)
    const message = `mock.fetch responds for ${origin} only, not for ${requested}: use mock.origin as the base URL`
    return Response.json({ success: false, message }, { status: misdirected, statusText: statusTextOf(misdirected) })
  }

  return async (input, init) => {
    let request = new Request(input, init)
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const response = await respond(request, redirects)
      const location = redirectStatuses.has(response.status) ? response.headers.get('location') : null
      if (location === null || request.redirect === 'manual') return response
      if (request.redirect === 'error') throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') })
      request = new Request(new URL(location, request.url), request)
    }
    throw new TypeError('fetch failed', { cause: new Error('redirect count exceeded') })
  }
}

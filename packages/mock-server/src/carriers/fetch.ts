import type { Engine } from '../engine.ts'

const redirects = new Set([301, 302, 303, 307, 308])
// As many as the standard allows.
const mostRedirects = 20

const misdirected = 421

/**
 * A `fetch` that answers for one origin, without a network and without patching anything.
 *
 * Any other origin is refused with a status of HTTP's own for that, so that a test can not reach the real service by
 * mistake and a client does not ask again.
 */
export const createFetch = (engine: Engine, origin: string): typeof fetch => {
  const answer = async (request: Request): Promise<Response> => {
    request.signal.throwIfAborted()
    if (!request.url.startsWith(`${origin}/`)) {
      const { origin: asked } = new URL(request.url)
      const message = `mock.fetch answers for ${origin} only, not for ${asked}: use mock.origin as the base URL`
      return Response.json({ success: false, message }, { status: misdirected })
    }
    return engine.handle(request, 'mock.fetch')
  }

  return async (input, init) => {
    let request = new Request(input, init)
    for (let asked = 0; asked <= mostRedirects; asked++) {
      const response = await answer(request)
      const location = redirects.has(response.status) ? response.headers.get('location') : null
      if (location === null || request.redirect === 'manual') return response
      if (request.redirect === 'error') throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') })
      request = new Request(new URL(location, request.url), request)
    }
    throw new TypeError('fetch failed', { cause: new Error('redirect count exceeded') })
  }
}

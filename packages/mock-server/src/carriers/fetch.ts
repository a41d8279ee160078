import type { Engine } from '../engine.ts'

/**
 * A `fetch` that answers for one origin, without a network and without patching anything.
 *
 * Any other origin is refused, so that a test can not reach the real service by mistake.
 */
export const createFetch =
  (engine: Engine, origin: string): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    if (!request.url.startsWith(`${origin}/`)) {
      const { origin: asked } = new URL(request.url)
      throw new TypeError(`mock.fetch answers for ${origin} only, not for ${asked}: use mock.origin as the base URL.`)
    }
    return engine.handle(request)
  }

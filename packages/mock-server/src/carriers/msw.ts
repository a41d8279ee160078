import type { http, HttpHandler } from 'msw/http'
import type { Engine } from '../engine.ts'

/** What `setupServer` and `setupWorker` of MSW take. */
export type Handlers = readonly HttpHandler[]

/** MSW's maker of handlers, where it comes from whoever calls. */
export type Http = Pick<typeof http, 'all'>

/** Handlers for MSW's `setupServer` and `setupWorker`: everything under one origin is answered, unknown paths too. */
export const createHandlers = (engine: Engine, origin: string, { all }: Http): Handlers => [
  all(new RegExp(`^${origin.replaceAll(/[.[\]]/g, '\\$&')}/`), async ({ request }) =>
    // MSW words a broken connection as a Response of its own kind; an error thrown here would become a status 500.
    engine.handle(request).catch(() => Response.error()),
  ),
]

import { http, type HttpHandler } from 'msw/http'
import type { Engine } from '../engine.ts'

/** What `setupServer` and `setupWorker` of MSW take. */
export type Handlers = readonly HttpHandler[]

/** Handlers for MSW's `setupServer` and `setupWorker`: everything under one origin is answered, unknown paths too. */
export const createHandlers = (engine: Engine, origin: string): Handlers => [
  http.all(new RegExp(`^${origin.replaceAll(/[.[\]]/g, '\\$&')}/`), async ({ request }) => {
    // MSW words a broken connection as a Response of its own kind; an error thrown here would become a status 500.
    return engine.handle(request).catch(() => Response.error())
  }),
]

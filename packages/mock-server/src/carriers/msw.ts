import type { http, HttpHandler } from 'msw/http'
import type { Engine } from '../engine.ts'
import { FaultNotShownError, type Door } from '../faults/index.ts'

/** What `setupServer` and `setupWorker` of MSW take. */
export type Handlers = readonly HttpHandler[]

/** MSW's maker of handlers, where it comes from whoever calls. */
export type Http = Pick<typeof http, 'all'>

/** MSW words a broken connection as a Response of its own kind; an error thrown to it would become a status 500. */
const failed = (error: unknown): Response =>
  error instanceof FaultNotShownError
    ? Response.json({ success: false, message: error.message }, { status: 501 })
    : Response.error()

/** Handlers for MSW's `setupServer` and `setupWorker`: everything under one origin is answered, unknown paths too. */
export const createHandlers = (engine: Engine, origin: string, { all }: Http, door: Door): Handlers => [
  all(new RegExp(`^${origin.replaceAll(/[.[\]]/g, '\\$&')}/`), async ({ request }) =>
    engine.handle(request, door).catch(failed),
  ),
]

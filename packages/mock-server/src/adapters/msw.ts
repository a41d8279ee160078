import type { http, HttpHandler } from 'msw/http'
import type { Engine } from '../http.ts'
import { createHandle } from './to-response.ts'
import { UnsupportedFaultError, type Adapter } from './unsupported-faults.ts'

/** What `setupServer` and `setupWorker` of MSW take. */
export type Handlers = readonly HttpHandler[]

/** MSW's namespace of handlers, loaded by the caller. */
export type Http = Pick<typeof http, 'all'>

/** MSW has a Response of its own for a broken connection; an error thrown to it would become a status 500. */
const toErrorResponse = (error: unknown): Response =>
  error instanceof UnsupportedFaultError
    ? Response.json({ success: false, message: error.message }, { status: 501 })
    : Response.error()

/** Handlers for MSW's `setupServer` and `setupWorker`: they respond to everything under one origin, unknown paths too. */
export const createHandlers = (engine: Engine, origin: string, { all }: Http, adapter: Adapter): Handlers => {
  const handle = createHandle(engine, adapter)
  return [
    all(new RegExp(`^${origin.replaceAll(/[.[\]]/g, '\\$&')}/`), async ({ request }) =>
      handle(request).catch(toErrorResponse),
    ),
  ]
}

import type { http, HttpHandler } from 'msw/http'
import { apiKeyHeader } from '@guild-ledger/sdk/contract'
import type { Engine, MockResponse } from '../http.ts'
import { internalErrorResponse, MockInternalError, reportInternalError } from '../internal-error.ts'
import { corsHeaders, preflightResponse } from './cors.ts'
import { createHandle } from './to-response.ts'
import { UnsupportedFaultError, type Adapter } from './unsupported-faults.ts'

/** What `setupServer` and `setupWorker` of MSW take. */
export type Handlers = readonly HttpHandler[]

export type Http = Pick<typeof http, 'all'>

const responseFrom = ({ status, headers, body }: MockResponse): Response =>
  new Response(status === 204 ? null : body, { status, headers })

/** MSW has a Response of its own for a broken connection; an error thrown to it would become a status 500. */
const toErrorResponse = (error: unknown): Response => {
  if (error instanceof MockInternalError) {
    reportInternalError(error)
    return responseFrom(internalErrorResponse(error))
  }
  return error instanceof UnsupportedFaultError
    ? Response.json({ success: false, message: error.message }, { status: 501 })
    : Response.error()
}

/** What a simulated browser such as happy-dom sends before a request with an API key to another origin. */
const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers.get('access-control-request-headers')?.includes(apiKeyHeader) === true

/** Lets pages of a simulated browser read a response: it names its origin. */
const readableFor = ({ headers }: Request, response: Response): Response => {
  if (!headers.has('origin') || response.type === 'error') return response
  for (const [name, value] of Object.entries(corsHeaders)) response.headers.set(name, value)
  return response
}

/** Handlers for MSW's `setupServer` and `setupWorker`: they respond to everything under one origin, unknown paths too. */
export const createHandlers = (engine: Engine, origin: string, { all }: Http, adapter: Adapter): Handlers => {
  const handle = createHandle(engine, adapter)
  return [
    all(new RegExp(`^${origin.replaceAll(/[.[\]]/g, '\\$&')}/`), async ({ request }) =>
      isPreflight(request)
        ? responseFrom(preflightResponse)
        : readableFor(request, await handle(request).catch(toErrorResponse)),
    ),
  ]
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { GuildLedgerError, type CallOptions, type Drift, type GuildQuery } from '@guild-ledger/sdk'
import { operations, parameters } from '@guild-ledger/sdk/contract'
import { isObject } from '@guild-ledger/validation'
import { say, withFile } from '../exit.ts'
import type { ClientFlags } from '../flags.ts'
import { toJson, writeOut } from '../files.ts'
import { createAccess, HttpError } from './access.ts'
import { openFeeds, type Feeds } from './feeds.ts'
import { createService, type Service } from './service.ts'

/** Options of `gateway`. */
export interface GatewayFlags extends ClientFlags {
  readonly port: number
  readonly host: string
  readonly token: readonly string[]
  readonly state?: string
  readonly interval: number
}

/** Not buffered by nginx, which would keep the lines of a feed. */
const ndjson = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }

/** Options of a call, from headers of the gateway. */
const callOf = ({ headers }: IncomingMessage, signal: AbortSignal): CallOptions => {
  // Only `set-cookie` would be an array.
  const { 'x-ledger-priority': priority, 'x-ledger-timeout-ms': timeoutMs } = headers as Readonly<
    Record<string, string>
  >
  if (priority !== undefined && priority !== 'interactive' && priority !== 'background')
    throw new HttpError(400, 'x-ledger-priority must be interactive or background')
  if (timeoutMs !== undefined && !(/^\d{1,9}$/.test(timeoutMs) && Number(timeoutMs) > 0))
    throw new HttpError(400, 'x-ledger-timeout-ms must be a number of milliseconds from 1 to 999999999')
  return { signal, ...(priority && { priority }), ...(timeoutMs !== undefined && { timeoutMs: Number(timeoutMs) }) }
}

/** A query as the SDK takes it; it rejects what it does not know. */
const queryOf = (search: URLSearchParams): GuildQuery =>
  Object.fromEntries(
    [...search].map(([name, value]) => {
      if (search.getAll(name).length > 1) throw new HttpError(400, `\`${name}\` was sent more than once`)
      const { type } = (Object.hasOwn(parameters, name) && parameters[name as keyof GuildQuery]) || {}
      const isNumber = (type === 'integer' || type === 'number') && value.trim() !== ''
      return [name, isNumber ? Number(value) : value]
    }),
  )

interface Context {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  readonly signal: AbortSignal
}

const handOn = async (service: Service, { request, response, url, signal }: Context): Promise<void> => {
  const { status, headers, body } = await service.handOn(url.pathname, url.search, callOf(request, signal))
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body)
}

const statusOf = (error: unknown): number => {
  if (!GuildLedgerError.is(error)) return 500
  return 'status' in error ? error.status : error.code === 'timeout' ? 504 : 502
}

const streamAll = async ({ ledger }: Service, { request, response, url, signal }: Context): Promise<void> => {
  const drift: Drift[] = []
  const call = { ...callOf(request, signal), onDrift: (one: Drift) => void drift.push(one) }
  let rows = 0
  let text = ''
  try {
    for await (const entry of ledger.transactions.iterate(queryOf(url.searchParams), call)) {
      rows++
      text += `${toJson(entry)}\n`
      if (text.length < 65_536) continue
      if (!response.headersSent) response.writeHead(200, ndjson)
      if (!response.write(text)) await once(response, 'drain', { signal }) // of a slow reader
      text = ''
    }
    const unrepaired = drift.filter(({ repaired }) => !repaired)
    text += `${JSON.stringify({ ended: 'complete', rows, ...(unrepaired.length > 0 && { drift: unrepaired }) })}\n`
    if (!response.headersSent) response.writeHead(200, ndjson)
  } catch (error) {
    if (!GuildLedgerError.is(error)) throw error
    if (error.code === 'invalid_parameter') throw new HttpError(400, error.message)
    if (!response.headersSent) response.writeHead(rows > 0 ? 200 : statusOf(error), ndjson)
    text += `${JSON.stringify({ ended: 'error', code: error.code, message: error.message })}\n`
  }
  response.end(text)
}

const streamFeed = async (feeds: Feeds, name: string, context: Context): Promise<void> => {
  const since = context.url.searchParams.get('since') ?? undefined
  const isDate = operations.guild.query.shape.startDate?.['~standard'].validate(since)
  if (isDate && 'issues' in isDate && isDate.issues)
    throw new HttpError(400, '`since` must be an ISO 8601 date-time such as 2026-01-31T00:00:00Z')
  await feeds.open(name, since, context.signal)
  context.response.writeHead(200, ndjson).flushHeaders()
  await pipeline(feeds.read(name, context.signal), context.response)
}

const acknowledge = async (feeds: Feeds, name: string, { request, response }: Context): Promise<void> => {
  const body: unknown = await json(request).catch(() => undefined)
  if (!isObject(body)) throw new HttpError(400, 'The body must be JSON such as {"position":12}')
  feeds.acknowledge(name, (body as { position?: unknown }).position)
  response.writeHead(204).end()
}

const health = (service: Service, feeds: Feeds, intervalMs: number, { response }: Context): void => {
  const lastPollAt = feeds.lastPollAt()?.toISOString() ?? null
  const isFresh = lastPollAt !== null && Date.now() - Date.parse(lastPollAt) < 3 * intervalMs + 60_000
  const key = service.keyStatus()
  const isFine = isFresh && key !== 'rejected'
  const body = { status: isFine ? 'ok' : 'unavailable', key, lastPollAt, waiting: service.throttle.stats.waiting }
  response.writeHead(isFine ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const remove = (feeds: Feeds, name: string, { response }: Context): void => {
  feeds.remove(name)
  response.writeHead(204).end()
}

const metrics = (service: Service, { response }: Context): void => {
  response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(service.metrics.text())
}

type Route = readonly [method: string, path: RegExp, handle: (context: Context, name: string) => Promise<void> | void]

const routesOf = (service: Service, feeds: Feeds, intervalMs: number): readonly Route[] => [
  ['GET', /^\/guild\/.+$/, (context) => handOn(service, context)],
  ['GET', /^\/transactions$/, (context) => streamAll(service, context)],
  ['GET', /^\/feed\/([\w.-]{1,64})$/, (context, name) => streamFeed(feeds, name, context)],
  ['POST', /^\/feed\/([\w.-]{1,64})\/ack$/, (context, name) => acknowledge(feeds, name, context)],
  ['DELETE', /^\/feed\/([\w.-]{1,64})$/, (context, name) => remove(feeds, name, context)],
  ['GET', /^\/health$/, (context) => health(service, feeds, intervalMs, context)],
  ['HEAD', /^\/health$/, (context) => health(service, feeds, intervalMs, context)],
  ['GET', /^\/metrics$/, (context) => metrics(service, context)],
]

/** Serves until `signal`. */
export const serveGateway = async (flags: GatewayFlags, signal: AbortSignal): Promise<void> => {
  const { host, port, interval } = flags
  const allow = createAccess(host, flags.token)
  const service = createService(flags)
  const feeds = await openFeeds(service.ledger, flags.state, service.metrics.observeLateness)
  const routes = routesOf(service, feeds, interval)

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const left = new AbortController()
    response.once('close', () => left.abort(new Error('The client has left.')))
    try {
      const url = URL.parse((request.url ?? '').replace(/^\/+/, '/'), 'http://gateway')
      if (!url) throw new HttpError(400, 'The target of the request is no URL')
      allow(request.headers, url.pathname)
      const matching = routes.filter(([, path]) => path.test(url.pathname))
      const route = matching.find(([method]) => method === request.method)
      if (!route) throw matching.length > 0 ? new HttpError(405, 'Method not allowed') : new HttpError(404, 'Not found')
      const [, path, handle] = route
      await handle({ request, response, url, signal: left.signal }, path.exec(url.pathname)?.[1] ?? '')
    } catch (error) {
      if (left.signal.aborted || response.headersSent) {
        response.destroy()
        return
      }
      const { status, message } = error instanceof HttpError ? error : new HttpError(500, 'The gateway failed')
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ success: false, message }))
    }
  }

  const server = createServer((request, response) => void respond(request, response))
  await withFile(`--host ${host} --port ${port} cannot be used`, async () => {
    await once(server.listen(port, host), 'listening')
  })
  const { address, port: actual, family } = server.address() as AddressInfo
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`
  if (flags.json) await writeOut(`${JSON.stringify({ url })}\n`)
  else say(`gateway at ${url}, Ctrl+C ends it`)
  try {
    await withFile(`--state ${flags.state} cannot be written`, () => feeds.run(interval, signal))
  } finally {
    await service.ledger.close()
    server.close()
    server.closeAllConnections()
    feeds.close()
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'
import { createThrottle, GuildLedgerError, type CallOptions, type Fetch, type GuildLedger } from '@guild-ledger/sdk'
import { createClient, type ClientFlags } from '../flags.ts'
import { HttpError } from './access.ts'
import { createMetrics } from './metrics.ts'

/** A response of the service as it came. */
interface Received {
  readonly status: number
  readonly headers: Headers
  readonly body: Promise<ArrayBuffer>
}

/** Headers about one connection or one encoding of the body, and those that would let web pages in or bind browsers. */
const notHandedOn =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-(encoding|length)|set-cookie|access-control-.*|alt-svc|strict-transport-security)$/

/** What a client of the gateway gets where the service has not answered. */
const withoutResponse = (error: unknown): HttpError => {
  if (!GuildLedgerError.is(error)) throw error
  if (error.code === 'timeout') return new HttpError(504, error.message)
  if (error.code === 'invalid_parameter') return new HttpError(400, error.message)
  return new HttpError(error.code === 'client_closed' ? 503 : 502, error.message)
}

/** The service behind the gateway: one client, one key, one throttle. */
export const createService = (flags: ClientFlags) => {
  const throttle = createThrottle()
  const metrics = createMetrics(throttle)
  const exchanges = new AsyncLocalStorage<{ readonly search: string; received: Received | undefined }>()
  let key = ''
  let keyStatus: 'unknown' | 'accepted' | 'rejected' = 'unknown'
  const fetch: Fetch = async (url, init) => {
    key = init.headers['x-api-key'] ?? ''
    const exchange = exchanges.getStore()
    if (exchange) exchange.received = undefined
    try {
      const response = await globalThis.fetch(exchange ? url + exchange.search : url, init)
      const { status, headers } = response
      metrics.countRequest(String(status))
      if (status < 500 && status !== 429) keyStatus = status === 401 || status === 403 ? 'rejected' : 'accepted'
      if (exchange) {
        exchange.received = { status, headers, body: response.clone().arrayBuffer() }
        exchange.received.body.catch(() => {})
      }
      return response
    } catch (error) {
      metrics.countRequest('none')
      throw error
    }
  }
  const ledger: GuildLedger = createClient(flags, { fetch, throttle, deduplicate: false })
  // A service may repeat the key. Bytes as characters, so that all others stay what they are.
  const redact = (text: string): string => (key === '' ? text : text.replaceAll(key, '[redacted]'))

  return {
    ledger,
    throttle,
    metrics,
    keyStatus: () => keyStatus,
    /** Sends a request as a client sent it, with the key; resolves with what the service sent, errors too. */
    async handOn(path: string, search: string, call: CallOptions) {
      const exchange = { search, received: undefined as Received | undefined }
      const failure: unknown = await exchanges
        .run(exchange, () => ledger.get(path, call))
        .then(() => undefined)
        .catch((error: unknown) => error ?? new Error('The request failed.'))
      const isOver = GuildLedgerError.is(failure) && failure.code === 'timeout'
      const { received } = exchange
      const body = isOver ? undefined : await received?.body.catch(() => {})
      if (!received || !body) throw withoutResponse(failure)
      const headers = [...received.headers].filter(([name]) => !notHandedOn.test(name))
      const text = Buffer.from(body).toString('latin1')
      return {
        status: received.status,
        headers: Object.fromEntries(headers.map(([name, value]) => [name, redact(value)])),
        body: Buffer.from(redact(text), 'latin1'),
      }
    },
  }
}

export type Service = ReturnType<typeof createService>

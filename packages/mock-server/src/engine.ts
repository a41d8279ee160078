import { apiKeyHeader, type Endpoint } from '@guild-ledger/sdk/contract'
import { deliver, type Reply, type Wait } from './deliver.ts'
import type { Door, RefusedBy } from './faults/index.ts'
import type { Service } from './service.ts'

export type { Reply }

/** An HTTP request as far as the service looks at it. */
export interface Asked {
  /** Such as `GET`. */
  readonly method: string
  /** Path and query string, as sent. */
  readonly target: string
  /** Value of the `x-api-key` header. */
  readonly apiKey: string | null
  /** Network address of the client, where there is a network. */
  readonly address?: string | undefined
}

/** Answers requests, whichever way they come. */
export interface Engine {
  /** Answers at once, in plain data. Failures of time and of the connection are in it as data, for the caller to act on. */
  answer(asked: Asked): Reply
  /**
   * Answers a `Request` with a `Response`. Origin and body of the request are not looked at. `door` is who asks, which
   * not every failure can be shown to.
   *
   * @throws {TypeError} A simulated failure: a broken connection, or one that cannot be shown, whose message says why.
   */
  handle(request: Request, door?: Door): Promise<Response>
  /** Waits on the clock of the mock, for replies that are to be late. */
  readonly wait: Wait
}

interface Route {
  readonly endpoint: Endpoint
  readonly platformId: string
}

const methods = ['GET', 'HEAD'] as const
const json = { 'content-type': 'application/json' }
// URL parsers take these for steps up the path, so such a user can not be asked for. Raw HTTP gets the same answer.
const dots = /^(\.|%2e){1,2}$/i
const route = /^\/guild\/ledger\/(?:([^/]+)\/)?transactions$/

const refuse = (status: number, message: string, refusedBy: RefusedBy, headers = {}): Reply => ({
  status,
  headers: { ...json, ...headers },
  body: JSON.stringify({ success: false, message }),
  refusedBy,
})

const texts = new WeakMap<object, string>()

/** A page is often the same object as before; what is refused hardly ever. */
const textOf = (status: number, body: unknown): string => {
  if (typeof body === 'string') return body
  if (status !== 200 || typeof body !== 'object' || body === null) return JSON.stringify(body)
  const known = texts.get(body)
  if (known !== undefined) return known
  const text = JSON.stringify(body)
  texts.set(body, text)
  return text
}

const decoded = (text: string): string | undefined => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const routeOf = (path: string): Route | undefined => {
  const match = route.exec(path)
  if (!match) return undefined
  return match[1] === undefined ? { endpoint: 'guild', platformId: '' } : { endpoint: 'user', platformId: match[1] }
}

const cut = (target: string): [path: string, search: string] => {
  const [whole = ''] = target.split('#', 1)
  const at = whole.indexOf('?')
  return at < 0 ? [whole, ''] : [whole.slice(0, at), whole.slice(at + 1)]
}

/** Path and query string of an absolute URL, as they stand there. */
const targetOf = (url: string): string => {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  return start < 0 ? '/' : url.slice(start)
}

/** Puts HTTP in front of a service: paths, methods, encodings, JSON. */
export const createEngine = (service: Service, wait: Wait): Engine => {
  const answer = ({ method, target, apiKey, address }: Asked): Reply => {
    const [path, search] = cut(target)
    const found = routeOf(path)
    if (!found || dots.test(found.platformId)) return refuse(404, 'No such path', 'path')
    const known = methods.find((one) => one === method)
    if (!known) {
      return refuse(405, 'Method not allowed: both operations are asked with GET', 'method', {
        allow: methods.join(', '),
      })
    }
    const platformId = decoded(found.platformId)
    if (platformId === undefined) return refuse(400, 'platformId in the path is not valid percent-encoding', 'encoding')
    if (decoded(search) === undefined) return refuse(400, 'The query string is not valid percent-encoding', 'encoding')
    const {
      status,
      body,
      headers = {},
      ...onItsWay
    } = service.ask({
      method: known,
      endpoint: found.endpoint,
      platformId,
      apiKey,
      address,
      search,
    })
    return { status, headers: { ...json, ...headers }, body: textOf(status, body), ...onItsWay }
  }

  return {
    answer,
    async handle(request, door = 'mock.handle') {
      const apiKey = request.headers.get(apiKeyHeader)
      return deliver(answer({ method: request.method, target: targetOf(request.url), apiKey }), request, wait, door)
    },
    wait,
  }
}

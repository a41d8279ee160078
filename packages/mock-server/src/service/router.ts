import type { Endpoint } from '@guild-ledger/sdk/contract'
import { formatErrorBody, type Engine, type MockResponse, type RejectedBy } from '../http.ts'
import { queryOf } from '../request-matcher.ts'
import type { Service } from './service.ts'

interface RoutedOperation {
  readonly endpoint: Endpoint
  readonly platformId: string
}

const methods = ['GET', 'HEAD'] as const
const jsonHeaders = { 'content-type': 'application/json' }
// URL parsers take these for steps up the path, so no URL can name such a user. Raw HTTP gets the same response.
const dots = /^(\.|%2e){1,2}$/i
const operationPath = /^\/guild\/ledger\/(?:([^/]+)\/)?transactions$/

const rejection = (status: number, message: string, rejectedBy: RejectedBy, headers = {}): MockResponse => ({
  status,
  headers: { ...jsonHeaders, ...headers },
  body: formatErrorBody(message),
  rejectedBy,
})

const decodedOrUndefined = (text: string): string | undefined => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const operationAt = (path: string): RoutedOperation | undefined => {
  const match = operationPath.exec(path)
  if (!match) return undefined
  return match[1] === undefined ? { endpoint: 'guild', platformId: '' } : { endpoint: 'user', platformId: match[1] }
}

const splitTarget = (target: string): [path: string, search: string] => {
  const [whole = ''] = target.split('#', 1)
  const at = whole.indexOf('?')
  return at < 0 ? [whole, ''] : [whole.slice(0, at), whole.slice(at + 1)]
}

/** Puts HTTP in front of a service: paths, methods, encodings, content type. */
export const createRouter = (service: Service): Engine => ({
  respond({ method: name, target, apiKey, address }) {
    const [path, search] = splitTarget(target)
    const operation = operationAt(path)
    if (!operation || dots.test(operation.platformId)) return rejection(404, 'No such path', 'path')
    const method = methods.find((one) => one === name)
    if (!method) {
      return rejection(405, 'Method not allowed: use GET', 'method', { allow: methods.join(', ') })
    }
    const { endpoint } = operation
    const platformId = decodedOrUndefined(operation.platformId)
    if (platformId === undefined) {
      return rejection(400, 'platformId in the path is not valid percent-encoding', 'encoding')
    }
    if (decodedOrUndefined(search) === undefined) {
      return rejection(400, 'The query string is not valid percent-encoding', 'encoding')
    }
    const query = queryOf(search)
    const result = service.handle({ method, endpoint, platformId, apiKey, address, search, query })
    return { ...result, headers: { ...jsonHeaders, ...result.headers } }
  },
})

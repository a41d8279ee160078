import { errorResult, type MockRequest, type MockResponse, type OperationResult, type PathRequest } from '../http.ts'
import { queryOf } from '../request-matcher.ts'
import { operationAt, type RoutedOperation } from './operation-path.ts'
import type { Handled, Service } from './service.ts'

const methods = ['GET', 'HEAD'] as const
const jsonHeaders = { 'content-type': 'application/json' }

const noSuchPath = errorResult({ status: 404, message: 'No such path' }, 'path')
const noSuchMethod: OperationResult = {
  ...errorResult({ status: 405, message: 'Method not allowed: use GET' }, 'method'),
  headers: { allow: methods.join(', ') },
}
const badEncoding = (what: string) =>
  errorResult({ status: 400, message: `${what} is not valid percent-encoding` }, 'encoding')
const badUser = badEncoding('platformId in the path')
const badQuery = badEncoding('The query string')

const decodedOrUndefined = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const splitTarget = (target: string): [path: string, search: string] => {
  const [whole = ''] = target.split('#', 1)
  const at = whole.indexOf('?')
  return at < 0 ? [whole, ''] : [whole.slice(0, at), whole.slice(at + 1)]
}

/** Puts HTTP in front of a service: paths, methods, encodings, content type. */
export const createRouter = (service: Service) => {
  const slow = new WeakMap<MockResponse, Handled>()

  const handleOperation = ({ endpoint, platformId: sent }: RoutedOperation, request: PathRequest, search: string) => {
    const method = methods.find((one) => one === request.method)
    if (!method) return service.reject({ ...request, endpoint }, noSuchMethod)
    const platformId = sent === undefined ? undefined : decodedOrUndefined(sent)
    if (platformId === undefined && sent !== undefined) return service.reject(request, badUser)
    if (decodedOrUndefined(search) === undefined) return service.reject({ ...request, endpoint }, badQuery)
    return service.handle({ ...request, method, endpoint, platformId })
  }

  const handle = ({ target, ...sent }: MockRequest): Handled => {
    const [path, search] = splitTarget(target)
    const request = { ...sent, path, query: queryOf(search) }
    const operation = operationAt(path)
    if (operation) return handleOperation(operation, request, search)
    const stub = service.stubAt(path)
    if (!stub) return service.reject(request, noSuchPath)
    return methods.some((one) => one === sent.method)
      ? service.handleStub(request, stub)
      : service.reject(request, noSuchMethod)
  }

  return {
    respond(request: MockRequest): MockResponse {
      const handled = handle(request)
      const { result } = handled
      const response = { ...result, headers: { ...jsonHeaders, ...result.headers } }
      // No client is faster than a response without a fault.
      if (result.latencyMs !== undefined || result.connectionFault) slow.set(response, handled)
      return response
    },
    /** Logs that the client gave up before it had all of a response. */
    unreceived: (response: MockResponse): void => slow.get(response)?.unreceived(),
    /** Calls a listener when the guild of a delayed response is reset or removed; returns a function that removes the listener. */
    onEnd: (response: MockResponse, listener: () => void): (() => void) =>
      slow.get(response)?.onEnd?.(listener) ?? (() => {}),
  }
}

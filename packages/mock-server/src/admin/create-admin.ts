import { check, isObject, nonEmptyString, worded, type Checks } from '@guild-ledger/validation'
import type { IncomingMessage } from 'node:http'
import type { MockResponse, Routes } from '../adapters/node/server.ts'
import { internalErrorResponse, reportInternalError } from '../internal-error.ts'
import type { MockLedger } from '../ledger/ledger.ts'
import { checkedFields, checkedValue } from '../type-error.ts'
import { authorize } from './access.ts'
import { parseBody, readBody } from './body.ts'
import type { MockClock } from './clock.ts'
import { dashboardAt } from './dashboard.ts'
import { findRoute } from './find-route.ts'
import { HttpError, type AdminRequest } from './route.ts'

export { isLoopback } from '../adapters/node/host-names.ts'

/** Access to an admin API, and the clock it controls. */
export interface AdminOptions {
  /** Required as `authorization: Bearer …` on every request. Without a token only requests from loopback are accepted. */
  readonly token?: string
  /** The clock whose `now` was passed to the mock. Without it, the operations on the clock respond 409. */
  readonly clock?: MockClock
}

const mockCheck = check((value) => isObject(value) && 'guilds' in value, 'a mock ledger')
const optionChecks = {
  token: worded(nonEmptyString, 'a string that is not empty; without it only requests from loopback are allowed'),
  clock: check((value) => isObject(value) && 'freeze' in value, 'a clock of createMockClock'),
} satisfies Checks

const jsonHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store' }

const errorResponse = (error: unknown): MockResponse => {
  if (!(error instanceof HttpError || error instanceof TypeError)) {
    reportInternalError(error)
    const response = internalErrorResponse(error)
    return { ...response, headers: { ...jsonHeaders, ...response.headers } }
  }
  // What the mock rejects is a message for the client.
  const { status, headers } = error instanceof HttpError ? error : { status: 400, headers: {} }
  const { message } = error
  return { status, headers: { ...jsonHeaders, ...headers }, body: JSON.stringify({ success: false, message }) }
}

/**
 * Creates the admin API of a mock, for `startMockServer({ mock, routes: createAdmin(mock) })`. Its requests are neither
 * logged nor counted against a rate limit.
 *
 * @throws {TypeError} `token` is empty.
 */
export const createAdmin = (mock: MockLedger, options: AdminOptions = {}): Routes => {
  checkedValue(mockCheck, 'mock', mock)
  const { token, clock } = checkedFields(optionChecks, options)
  const snapshots: AdminRequest['snapshots'] = []
  const respond = async (request: IncomingMessage): Promise<MockResponse> => {
    const [path = ''] = (request.url ?? '').replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET')
    const dashboard = method === 'GET' ? dashboardAt(path, token !== undefined) : undefined
    // Container platforms that check the health have no token. The dashboard contains no data; its form takes the token.
    const isOpen = path === '/_mock/health' || (dashboard && token !== undefined)
    if (!isOpen) authorize(request, token)
    if (dashboard) return dashboard
    const { route, path: parameters } = findRoute(path, method)
    const text = method === 'GET' ? '' : await readBody(request)
    const parsed = parseBody(route, text)
    const result = await route.run({ mock, clock, snapshots, path: parameters, ...parsed })
    if (result === undefined) return { status: 204, headers: { 'cache-control': 'no-store' }, body: '' }
    return { status: route.creates ? 201 : 200, headers: jsonHeaders, body: JSON.stringify(result) }
  }
  return {
    owns: (target) => /^\/_mock(\/|$|\?)/.test(target),
    respond: async (request) => respond(request).catch(errorResponse),
  }
}

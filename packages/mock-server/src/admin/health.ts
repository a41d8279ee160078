import type { IncomingMessage } from 'node:http'
import type { MockResponse, Routes } from '../adapters/node/server.ts'

const healthPath = '/_mock/health'

/** What the health check responds: a server listens only once its data are there. */
export const health = { status: 'ready' } as const

/** Whether a path is that of the health check, which needs no token: container platforms have none. */
export const isHealthCheck = (path: string): boolean => path === healthPath

const pathOf = (target = ''): string => target.split(/[?#]/, 1)[0] ?? ''

const respond = ({ method = 'GET' }: IncomingMessage): MockResponse => {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  if (method === 'GET' || method === 'HEAD') return { status: 200, headers, body: JSON.stringify(health) }
  const message = `"${healthPath}" supports GET, HEAD, not ${method}.`
  return { status: 405, headers: { ...headers, allow: 'GET, HEAD' }, body: JSON.stringify({ success: false, message }) }
}

/** The health check alone, for `startMockServer({ mock, routes })` where no admin API is served. */
export const healthRoutes: Routes = {
  owns: (target) => isHealthCheck(pathOf(target)),
  respond: async (request) => respond(request),
}

import { describeValue } from '@guild-ledger/validation'
import { HttpError } from './http-error.ts'
import type { AdminRoute, Method } from './route.ts'
import { adminRoutes } from './routes/index.ts'

const routes = Object.entries(adminRoutes).map(([path, byMethod]) => ({
  pattern: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
  byMethod,
}))

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new HttpError(400, `${describeValue(text)} in the path is not valid percent-encoding.`)
  }
}

/**
 * Finds the route of a path and method, and the values of the `{…}` in its path.
 *
 * @throws {HttpError} 404, 405, or 400 for invalid percent-encoding.
 */
export const findRoute = (
  path: string,
  method: string,
): { readonly route: AdminRoute; readonly pathParameters: readonly string[] } => {
  for (const { pattern, byMethod } of routes) {
    const match = pattern.exec(path)
    if (!match) continue
    const route = Object.hasOwn(byMethod, method) ? byMethod[method as Method] : undefined
    if (route) return { route, pathParameters: match.slice(1).map(decode) }
    const allow = Object.keys(byMethod).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
    throw new HttpError(405, `${describeValue(path)} supports ${allow.join(', ')}, not ${method}.`, {
      allow: allow.join(', '),
    })
  }
  throw new HttpError(404, `The admin API has no path ${describeValue(path)}: see GET /_mock/admin.openapi.json.`)
}

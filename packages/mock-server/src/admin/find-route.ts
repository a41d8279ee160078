import { describeValue } from '@guild-ledger/validation'
import { HttpError, type Route } from './route.ts'
import { routes } from './routes.ts'

const patterns = Object.entries(routes).map(([name, route]) => {
  const [method = '', path = ''] = name.split(' ')
  const source = path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '([^/]+)')
  return { method, pattern: new RegExp(`^${source}$`), route }
})

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new HttpError(400, `${describeValue(text)} in the path is not valid percent-encoding.`)
  }
}

/** The route of a path and a method, and the values of the `{…}` in its path. */
export const findRoute = (
  path: string,
  method: string,
): { readonly route: Route; readonly path: readonly string[] } => {
  const atPath = patterns.filter(({ pattern }) => pattern.test(path))
  const found = atPath.find((one) => one.method === method)
  if (found) return { route: found.route, path: (found.pattern.exec(path) ?? []).slice(1).map(decode) }
  if (atPath.length === 0)
    throw new HttpError(404, `The admin API has no path ${describeValue(path)}: see docs/http-server.md.`)
  const allow = atPath.flatMap((one) => (one.method === 'GET' ? ['GET', 'HEAD'] : [one.method])).join(', ')
  throw new HttpError(405, `${describeValue(path)} supports ${allow}, not ${method}.`, { allow })
}

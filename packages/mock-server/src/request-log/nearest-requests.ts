import { endpoints, paths } from '@guild-ledger/sdk/contract'
import { valuesIn } from '../request-matcher.ts'
import type { RequestMatcher } from './format-requests.ts'
import type { LoggedRequest } from './request-log.ts'

const partsOf = (path: string) => path.split('/').filter(Boolean)

/** The paths that a matcher means, with `*` for any user. */
const pathsOf = ({ path, endpoint, platformId }: RequestMatcher): string[] => {
  if (path !== undefined) return [path]
  const meant = endpoint === undefined ? endpoints : [endpoint]
  return meant.map((one) => paths[one].replace('{platformId}', platformId ?? '*'))
}

/** How many parts of two paths differ. */
const pathDistance = (sent: string, wanted: string): number => {
  const [a, b] = [partsOf(sent.toLowerCase()), partsOf(wanted)]
  return Array.from({ length: Math.max(a.length, b.length) }).filter((_, i) => b[i] !== '*' && a[i] !== b[i]).length
}

const isAtPath = ({ path, endpoint }: RequestMatcher, request: LoggedRequest): boolean => {
  if (path !== undefined) return request.path === path
  return endpoint === undefined ? request.endpoint !== null : request.endpoint === endpoint
}

const isForUser = (platformId: string, request: LoggedRequest): boolean =>
  request.platformId === platformId || valuesIn(request.query, 'platformId').includes(platformId)

/** How much a request differs from a matcher: 0 if it agrees. */
const distanceFrom = (matcher: RequestMatcher) => {
  const { platformId, query = {}, keyId, status } = matcher
  const wantedPaths = pathsOf(matcher)
  return (request: LoggedRequest): number => {
    const differences = [
      ...Object.entries(query).map(([name, value]) => !valuesIn(request.query, name).includes(String(value))),
      platformId !== undefined && !isForUser(platformId, request),
      keyId !== undefined && keyId !== request.keyId,
      status !== undefined && status !== request.status,
    ].filter(Boolean).length
    if (isAtPath(matcher, request)) return differences
    return differences + 2 + Math.min(...wantedPaths.map((wanted) => pathDistance(request.path, wanted)))
  }
}

/** Requests in the order of how near they are to a matcher, nearest first; of equally near ones the newest first. */
export const nearestFirst = (requests: readonly LoggedRequest[], matcher: RequestMatcher): LoggedRequest[] => {
  const distanceOf = distanceFrom(matcher)
  return requests
    .toReversed()
    .map((request) => ({ request, distance: distanceOf(request) }))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ request }) => request)
}

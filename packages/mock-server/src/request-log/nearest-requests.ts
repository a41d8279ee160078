import { paths } from '@guild-ledger/sdk/contract'
import { valuesIn, type RequestMatch } from '../request-matcher.ts'
import type { RequestMatcher } from './format-requests.ts'
import type { LoggedRequest } from './request-log.ts'

const depthOf = (text: string) => text.split('/').filter(Boolean)

/** How many parts of a path differ from those of an operation. */
const pathDistance = (path: string, { endpoint, platformId }: RequestMatch): number => {
  const sent = depthOf(path.toLowerCase())
  const distances = (['guild', 'user'] as const)
    .filter((one) => (endpoint ?? one) === one)
    .map((one) => {
      const wanted = depthOf(paths[one].replace('{platformId}', platformId ?? '*'))
      const parts = Math.max(wanted.length, sent.length)
      return Array.from({ length: parts }, (_, i) => i).filter((i) => wanted[i] !== '*' && wanted[i] !== sent[i]).length
    })
  return Math.min(...distances)
}

/** How much a request differs from a matcher: 0 if it agrees. */
const distanceFrom =
  ({ endpoint, platformId, query = {}, keyId, status }: RequestMatcher) =>
  (request: LoggedRequest): number => {
    const isOperation = endpoint === undefined ? request.endpoint !== null : request.endpoint === endpoint
    const differing = Object.entries(query).filter(([name, value]) => {
      const sent = valuesIn(request.query, name)
      return !sent.includes(String(value))
    })
    const isForUser =
      platformId === undefined ||
      request.platformId === platformId ||
      valuesIn(request.query, 'platformId').includes(platformId)
    return (
      (isOperation ? 0 : 2 + pathDistance(request.path, { ...(endpoint && { endpoint }) })) +
      differing.length +
      (isForUser ? 0 : 1) +
      (keyId === undefined || keyId === request.keyId ? 0 : 1) +
      (status === undefined || status === request.status ? 0 : 1)
    )
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

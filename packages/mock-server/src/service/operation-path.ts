import type { Endpoint } from '@guild-ledger/sdk/contract'

/** The operation at a path, and the user in it as sent; empty on list-all. */
export interface RoutedOperation {
  readonly endpoint: Endpoint
  readonly platformId: string
}

// URL parsers take these for steps up the path, so no URL can name such a user. Raw HTTP gets the same response.
const dots = /^(\.|%2e){1,2}$/i
const operationPath = /^\/guild\/ledger\/(?:([^/]+)\/)?transactions$/

/** The operation at a path, if there is one. */
export const operationAt = (path: string): RoutedOperation | undefined => {
  const match = operationPath.exec(path)
  if (!match) return undefined
  const [, platformId] = match
  if (platformId === undefined) return { endpoint: 'guild', platformId: '' }
  return dots.test(platformId) ? undefined : { endpoint: 'user', platformId }
}

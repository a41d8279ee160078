import { paths, type Endpoint } from '@guild-ledger/sdk/contract'

/** The operation at a path, and the user in it as sent, if it has one. */
export interface RoutedOperation {
  readonly endpoint: Endpoint
  readonly platformId?: string | undefined
}

// URL parsers take these for steps up the path, so no URL can name such a user. Raw HTTP gets the same response.
const dots = /^(\.|%2e){1,2}$/i

const patterns = Object.entries(paths).map(
  ([endpoint, path]) => [endpoint as Endpoint, new RegExp(`^${path.replace('{platformId}', '([^/]+)')}$`)] as const,
)

export const operationAt = (path: string): RoutedOperation | undefined => {
  for (const [endpoint, pattern] of patterns) {
    const match = pattern.exec(path)
    if (match) return dots.test(match[1] ?? '') ? undefined : { endpoint, platformId: match[1] }
  }
  return undefined
}

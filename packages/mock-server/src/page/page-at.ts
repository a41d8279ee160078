import type { Reply } from '../engine.ts'
import { made } from './made.ts'

/** What is asked for, and of which kind of admin API. */
export interface PageRequest {
  readonly path: string
  /** `HEAD` counts as `GET`. */
  readonly method: string
  /** Whether whoever opens the page has to know a token. */
  readonly asksForToken: boolean
}

/** Nothing but what stands in the page may run or be loaded, and it may talk to nobody but this mock. */
const policyOf = ({ style, script }: ReturnType<typeof made>['hashes']): string =>
  [
    "default-src 'none'",
    `style-src ${style}`,
    `script-src ${script}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

const page = (asksForToken: boolean): Reply => {
  const { html, hashes } = made()
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(hashes),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
    body: asksForToken ? html.replace('data-access="open"', 'data-access="token"') : html,
  }
}

const redirect: Reply = { status: 308, headers: { location: '/_mock/', 'cache-control': 'no-store' }, body: '' }

const notAllowed = (method: string): Reply => ({
  status: 405,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', allow: 'GET, HEAD' },
  body: JSON.stringify({ success: false, message: `The page takes GET, HEAD, not ${method}.` }),
})

/**
 * The page for people at `/_mock/`, if that is what is asked for. It holds no data, no key and no token: it asks the
 * admin API, as any other client.
 */
export const pageAt = ({ path, method, asksForToken }: PageRequest): Reply | undefined => {
  if (path !== '/_mock' && path !== '/_mock/') return undefined
  if (method !== 'GET') return notAllowed(method)
  return path === '/_mock' ? redirect : page(asksForToken)
}

import { buildDashboard, type Dashboard } from '../../dashboard/build.ts'
import { faultKinds } from '../faults/kinds.ts'
import type { MockResponse } from '../http.ts'

let built: Dashboard | undefined

/** The kinds of faults that the form offers, each with the fields that it starts with. */
const faultOptions = Object.entries(faultKinds)
  .map(([kind, { example }]) => `<option${example ? ` data-fields='${JSON.stringify(example)}'` : ''}>${kind}</option>`)
  .join('')

const build = (): Dashboard => {
  const { html, hashes } = buildDashboard()
  return { html: html.replace('<select id="fault-kind">', (select) => select + faultOptions), hashes }
}

/** Allows only the script and the style of the page itself, and connections only to this mock. */
const contentSecurityPolicy = ({ style, script }: Dashboard['hashes']): string =>
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

const page = (tokenRequired: boolean): MockResponse => {
  const { html, hashes } = (built ??= build())
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(hashes),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
    body: tokenRequired ? html.replace('data-access="open"', 'data-access="token"') : html,
  }
}

const redirect: MockResponse = { status: 308, headers: { location: '/_mock/', 'cache-control': 'no-store' }, body: '' }

/**
 * Responds with the dashboard at `/_mock/`, and with nothing at any other path. The page contains no data, key or token:
 * it calls the admin API like any other client.
 */
export const dashboardAt = (path: string, tokenRequired: boolean): MockResponse | undefined => {
  if (path === '/_mock') return redirect
  return path === '/_mock/' ? page(tokenRequired) : undefined
}

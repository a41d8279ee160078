import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { dashboardAt } from './dashboard.ts'

const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const policyOf = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    (headers['content-security-policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ')
      return [name, values.join(' ')]
    }),
  )

it('the dashboard is one file whose policy allows its own script and style and nothing else', () => {
  const { status, headers, body = '' } = dashboardAt('/_mock/', false) ?? {}
  const [, style] = /<style>(.*?)<\/style>/s.exec(body) ?? []
  const [, script] = /<script>(.*?)<\/script>/s.exec(body) ?? []

  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  expect(policyOf(headers)).toEqual({
    'default-src': "'none'",
    'style-src': hash(style),
    'script-src': hash(script),
    'connect-src': "'self'",
    'img-src': 'data:',
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  })
  expect(script?.length).toBeGreaterThan(1000)
  expect(style?.length).toBeGreaterThan(1000)
  expect(body.match(/<(script|style)/g)).toHaveLength(2)
})

it('the dashboard loads nothing from elsewhere', () => {
  const { body = '' } = dashboardAt('/_mock/', false) ?? {}

  expect(body.match(/(src|srcset|action|href)\s*=\s*"(?!data:|#|(admin\.)?openapi\.json")[^"]*"/g)).toBeNull()
  expect(body.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\/\w|url\(|@import/)
})

it('the dashboard contains whether a token is required, not the token', () => {
  expect(dashboardAt('/_mock/', false)?.body).toContain('data-access="open"')
  expect(dashboardAt('/_mock/', true)?.body).toContain('data-access="token"')
})

it.each(['/_mock/guilds', '/_mock//', '/_mockery', '/'])('the dashboard is not at %s', (path) => {
  expect(dashboardAt(path, false)).toBeUndefined()
})

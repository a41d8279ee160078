import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { pageAt } from './index.ts'

const page = { path: '/_mock/', method: 'GET', asksForToken: false }
const hashOf = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const policyIn = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    (headers['content-security-policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ')
      return [name, values.join(' ')]
    }),
  )

it('is one file that may run its own script and style, and nothing else', () => {
  const { status, headers, body = '' } = pageAt(page) ?? {}
  const [, style] = /<style>(.*?)<\/style>/s.exec(body) ?? []
  const [, script] = /<script>(.*?)<\/script>/s.exec(body) ?? []

  expect(status).toBe(200)
  expect(policyIn(headers)).toEqual({
    'default-src': "'none'",
    'style-src': hashOf(style),
    'script-src': hashOf(script),
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

it('is kept by nobody and taken for nothing but a page', () => {
  expect(pageAt(page)?.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
})

it('loads nothing from anywhere', () => {
  const { body = '' } = pageAt(page) ?? {}

  expect(body.match(/(src|srcset|action|href)\s*=\s*"(?!data:|#|(admin\.)?openapi\.json")[^"]*"/g)).toBeNull()
  expect(body.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\/\w|url\(|@import/)
})

it('knows that there is a token, not which', () => {
  expect(pageAt(page)?.body).toContain('data-access="open"')
  expect(pageAt({ ...page, asksForToken: true })?.body).toContain('data-access="token"')
})

it('without its slash leads to where relative links work', () => {
  expect(pageAt({ ...page, path: '/_mock' })).toMatchObject({ status: 308, headers: { location: '/_mock/' } })
})

it('takes no other method', () => {
  expect(pageAt({ ...page, method: 'POST' })).toMatchObject({
    status: 405,
    headers: { allow: 'GET, HEAD' },
    body: '{"success":false,"message":"The page takes GET, HEAD, not POST."}',
  })
})

it.each(['/_mock/guilds', '/_mock//', '/_mockery', '/'])('is not at %s', (path) => {
  expect(pageAt({ ...page, path })).toBeUndefined()
})

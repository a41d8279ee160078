import { describe, expect, it } from 'vitest'
import { formatUnknownName, nearest } from './index.ts'

describe('nearest', () => {
  const known = ['pageUnit', 'groupOrder', 'timeoutMs', 'apiKey', 'baseUrl', 'limit', 'sortOrder', 'since']

  it.each([
    ['pageUnt', 'pageUnit'],
    ['PAGEUNIT', 'pageUnit'],
    ['page_unit', 'pageUnit'],
    ['timeout', 'timeoutMs'],
    ['gropuOrder', 'groupOrder'],
    ['key', 'apiKey'],
    ['token', 'apiKey'],
    ['url', 'baseUrl'],
    ['pageSize', 'limit'],
    ['order', 'sortOrder'],
    ['checkpoint', 'since'],
  ])('takes %s for %s', (name, meant) => {
    expect(nearest(name, known)).toBe(meant)
  })

  it.each(['zzzzzz', 'colour', 'x'.repeat(100_000)])('takes %.10s for none of the known names', (name) => {
    expect(nearest(name, known)).toBeUndefined()
  })
})

it('formatUnknownName keeps a name on one line and cuts a long one', () => {
  expect(formatUnknownName('field', 'a\nb', ['q'])).toBe(
    String.raw`Unknown field ${'`'}a\nb${'`'}. Known fields: ${'`q`'}.`,
  )
  expect(formatUnknownName('field', 'x'.repeat(101), ['q'])).toBe(
    `Unknown field \`${'x'.repeat(100)}…\`. Known fields: \`q\`.`,
  )
})

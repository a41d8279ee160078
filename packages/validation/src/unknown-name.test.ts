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

describe('formatUnknownName', () => {
  it('names the known name that was probably meant', () => {
    expect(formatUnknownName('option', 'rate', ['seed', 'rateLimit'])).toBe(
      'Unknown option `rate`. Did you mean `rateLimit`?',
    )
  })

  it('lists the known names where none is near', () => {
    expect(formatUnknownName('assumption', 'zzz', ['pageUnit', 'groupOrder'])).toBe(
      'Unknown assumption `zzz`. Known assumptions: `pageUnit`, `groupOrder`.',
    )
  })

  it('says so where no name is known', () => {
    expect(formatUnknownName('field', 'all', [])).toBe('Unknown field `all`. Known fields: none.')
  })

  it('puts the path in front of every name', () => {
    expect(formatUnknownName('option', 'maxRetry', ['maxRetries'], 'retry.')).toBe(
      'Unknown option `retry.maxRetry`. Did you mean `retry.maxRetries`?',
    )
  })

  it('keeps a name on one line and cuts a long one', () => {
    expect(formatUnknownName('field', 'a\nb', ['q'])).toBe(
      String.raw`Unknown field ${'`'}a\nb${'`'}. Known fields: ${'`q`'}.`,
    )
    expect(formatUnknownName('field', 'x'.repeat(101), ['q'])).toBe(
      `Unknown field \`${'x'.repeat(100)}…\`. Known fields: \`q\`.`,
    )
  })
})

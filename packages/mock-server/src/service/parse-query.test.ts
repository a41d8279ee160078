import { describe, expect, it } from 'vitest'
import { assume, type Assumptions } from '../assumptions/index.ts'
import { queryOf } from '../request-matcher.ts'
import { parseQuery } from './parse-query.ts'

const parse = (endpoint: 'guild' | 'user', search: string, assumptions: Partial<Assumptions> = {}) =>
  parseQuery(endpoint, queryOf(search), assume(assumptions))

describe('defaults', () => {
  it('are those of the spec on list-all', () => {
    expect(parse('guild', '')).toEqual({
      parsed: { page: 1, limit: 20, sortBy: 'createdAt', sortOrder: 'desc' },
      violations: [],
    })
  })

  it('are assumptions for one user', () => {
    const assumptions = { userLimit: 7, userSortBy: 'amount', userSortOrder: 'asc' } as const

    expect(parse('user', '', assumptions).parsed).toEqual({ page: 1, limit: 7, sortBy: 'amount', sortOrder: 'asc' })
  })
})

it('parses every parameter', () => {
  const search =
    'page=2&limit=100&platformId=8412&from=daily%20reward&minAmount=0&maxAmount=1e%2B3' +
    '&startDate=2026-01-01T00:00:00Z&endDate=2026-01-01T02:00:00%2B01:00&sortBy=name&sortOrder=asc'

  expect(parse('guild', search)).toEqual({
    parsed: {
      page: 2,
      limit: 100,
      platformId: '8412',
      from: 'daily reward',
      minAmount: 0,
      maxAmount: 1000,
      startDate: Date.UTC(2026, 0, 1),
      endDate: Date.UTC(2026, 0, 1, 1),
      sortBy: 'name',
      sortOrder: 'asc',
    },
    violations: [],
  })
})

const valueOf = (search: string, invalidParameter: 'clamp' | 'default') => {
  const { parsed, violations } = parse('guild', search, { invalidParameter })
  expect(violations).toEqual([])
  return parsed[search.split('=')[0] as keyof typeof parsed]
}

describe('invalidParameter', () => {
  const cases: [string, string, unknown, unknown][] = [
    ['page=0', '`page` must be an integer ≥ 1, got "0"', 1, 1],
    ['page=-3', '`page` must be an integer ≥ 1, got "-3"', 1, 1],
    ['page=1.5', '`page` must be an integer ≥ 1, got "1.5"', 2, 1],
    ['page=0.4', '`page` must be an integer ≥ 1, got "0.4"', 1, 1],
    ['page=', '`page` must be an integer ≥ 1, got ""', 1, 1],
    ['page=1e3', '`page` must be an integer ≥ 1, got "1e3"', 1000, 1],
    ['page=%201', '`page` must be an integer ≥ 1, got " 1"', 1, 1],
    ['limit=0', '`limit` must be an integer from 1 to 100, got "0"', 1, 20],
    ['limit=101', '`limit` must be an integer from 1 to 100, got "101"', 100, 20],
    ['limit=100.5', '`limit` must be an integer from 1 to 100, got "100.5"', 100, 20],
    ['limit=50.4', '`limit` must be an integer from 1 to 100, got "50.4"', 50, 20],
    ['limit=0.2', '`limit` must be an integer from 1 to 100, got "0.2"', 1, 20],
    ['limit=1e999', '`limit` must be an integer from 1 to 100, got "1e999"', 100, 20],
    ['limit=many', '`limit` must be an integer from 1 to 100, got "many"', 20, 20],
    ['minAmount=-0.01', '`minAmount` must be a number ≥ 0, got "-0.01"', 0, undefined],
    ['maxAmount=1,5', '`maxAmount` must be a number ≥ 0, got "1,5"', undefined, undefined],
    ['maxAmount=1e999', '`maxAmount` must be a number ≥ 0', Number.MAX_VALUE, undefined],
    ['minAmount=NaN', '`minAmount` must be a number ≥ 0, got "NaN"', undefined, undefined],
    ['sortBy=price', '`sortBy` must be one of amount, quantity, total, createdAt, name', 'createdAt', 'createdAt'],
    ['sortOrder=ASC', '`sortOrder` must be one of asc, desc, got "ASC"', 'desc', 'desc'],
    ['startDate=2026-01-01', '`startDate` must be an ISO 8601 date-time with its offset', undefined, undefined],
    ['endDate=2026-02-30T00:00:00Z', '`endDate` must be an ISO 8601 date-time with its offset', undefined, undefined],
    ['endDate=2026-01-01T00:00:00+01:00', 'got "2026-01-01T00:00:00 01:00"', undefined, undefined],
  ]

  it.each(cases)('rejects %s: %s', (search, violation) => {
    expect(parse('guild', search).violations).toEqual([expect.stringContaining(violation)])
  })

  it.each(cases)('clamps %s (%s) to %s', (search, _violation, clamped) => {
    expect(valueOf(search, 'clamp')).toBe(clamped)
  })

  it.each(cases)('replaces %s (%s; clamped %s) by the default %s', (search, _violation, _clamped, byDefault) => {
    expect(valueOf(search, 'default')).toBe(byDefault)
  })
})

describe('values without a bound in the spec', () => {
  it.each([
    ['page=9007199254740993', 'page', 9_007_199_254_740_992],
    [`page=${'9'.repeat(400)}`, 'page', Number.MAX_VALUE],
    ['platformId=.', 'platformId', '.'],
    ['platformId=..', 'platformId', '..'],
    ['platformId=', 'platformId', ''],
    ['from=', 'from', ''],
  ] as const)('accepts %s', (search, name, value) => {
    const { parsed, violations } = parse('guild', search)

    expect([parsed[name], violations]).toEqual([value, []])
  })
})

describe('dateTimeForms', () => {
  const noOffset = '2026-01-31T10:00:00.123456'
  const at = Date.UTC(2026, 0, 31, 10, 0, 0, 123)

  it.each([
    ['offset', '2026-01-31T10:00:00.123Z', at],
    ['no-offset', '2026-01-31T10:00:00.123Z', at],
    ['no-offset', noOffset, at],
    ['no-offset', '2026-01-31T10:00', Date.UTC(2026, 0, 31, 10)],
    ['date', noOffset, at],
    ['date', '2026-01-31', Date.UTC(2026, 0, 31)],
  ] as const)('%s accepts %s', (dateTimeForms, text, startDate) => {
    expect(parse('guild', `startDate=${text}`, { dateTimeForms })).toMatchObject({
      parsed: { startDate },
      violations: [],
    })
  })

  it.each([
    ['offset', noOffset, 'an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z'],
    ['offset', '2026-01-31', 'an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z'],
    ['no-offset', '2026-01-31', 'an ISO 8601 date-time such as 2026-01-31T00:00:00'],
    ['no-offset', '2026-02-30T10:00', 'an ISO 8601 date-time such as 2026-01-31T00:00:00'],
    ['date', '2026-02-30', 'an ISO 8601 date or date-time such as 2026-01-31'],
    ['date', '2026', 'an ISO 8601 date or date-time such as 2026-01-31'],
  ] as const)('%s rejects %s', (dateTimeForms, text, expected) => {
    expect(parse('guild', `endDate=${text}`, { dateTimeForms }).violations).toEqual([
      `\`endDate\` must be ${expected}, got "${text}"`,
    ])
  })
})

describe('maxPage', () => {
  it.each([
    ['reject', ['`page` must be an integer from 1 to 5, got "6"'], 1],
    ['clamp', [], 5],
    ['default', [], 1],
  ] as const)('treats a larger page as invalidParameter says: %s', (invalidParameter, violations, page) => {
    const result = parse('user', 'page=6', { maxPage: 5, invalidParameter })

    expect(result.violations).toEqual(violations)
    expect(result.parsed.page).toBe(page)
  })

  it('is a page that is allowed', () => {
    expect(parse('user', 'page=5', { maxPage: 5 }).violations).toEqual([])
  })
})

describe('invertedRange', () => {
  const search = 'minAmount=2&maxAmount=1&startDate=2026-01-02T00:00:00Z&endDate=2026-01-01T00:00:00Z'

  it('is accepted and matches nothing by default', () => {
    expect(parse('guild', search).violations).toEqual([])
  })

  it.each([
    'minAmount=2&maxAmount=2',
    'minAmount=2',
    'maxAmount=2',
    'startDate=2026-01-02T00:00:00Z',
    'endDate=2026-01-02T00:00:00Z',
    'startDate=2026-01-02T00:00:00Z&endDate=2026-01-02T00:00:00Z',
  ])('is not a range with one bound, nor one of a single value: %s', (range) => {
    expect(parse('guild', range, { invertedRange: 'reject' }).violations).toEqual([])
  })

  it('is rejected with invertedRange reject', () => {
    expect(parse('guild', search, { invertedRange: 'reject' }).violations).toEqual([
      '`minAmount` must not be above `maxAmount`',
      '`startDate` must not be after `endDate`',
    ])
  })
})

describe('unlistedParameter', () => {
  it.each(['platformId=1', 'startDate=x', 'endDate=x', 'pages=2', '__proto__=1', 'constructor=1'])(
    'ignores the unlisted %s of one user',
    (search) => {
      expect(parse('user', search)).toEqual(parse('user', ''))
    },
  )

  it('rejects an unlisted parameter with unlistedParameter reject', () => {
    expect(parse('user', 'platformId=1&limit=5', { unlistedParameter: 'reject' }).violations).toEqual([
      '`platformId` is not a parameter of this endpoint',
    ])
  })

  it('rejects sorting by name for one user', () => {
    expect(parse('user', 'sortBy=name').violations).toEqual([
      '`sortBy` must be one of amount, quantity, total, createdAt, got "name"',
    ])
  })
})

describe('repeatedParameter', () => {
  it.each([
    ['first', 'a', []],
    ['last', 'b', []],
    ['reject', 'a', ['`from` must be given once, got it 2 times']],
  ] as const)('takes a repeated parameter as repeatedParameter says: %s', (repeatedParameter, from, violations) => {
    const result = parse('guild', 'from=a&from=b', { repeatedParameter })

    expect(result.violations).toEqual(violations)
    expect(result.parsed.from).toBe(from)
  })
})

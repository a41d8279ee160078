import { describe, expect, it } from 'vitest'
import { assume, type Assumptions } from './assumptions/index.ts'
import { readParameters } from './parameters.ts'

const read = (endpoint: 'guild' | 'user', search: string, assumptions: Partial<Assumptions> = {}) =>
  readParameters(endpoint, new URLSearchParams(search), assume(assumptions))

describe('defaults', () => {
  it('are those of the document on list-all', () => {
    expect(read('guild', '')).toEqual({
      wanted: { page: 1, limit: 20, sortBy: 'createdAt', sortOrder: 'desc' },
      flaws: [],
    })
  })

  it('are assumed for one user', () => {
    const assumptions = { userLimit: 7, userSortBy: 'amount', userSortOrder: 'asc' } as const

    expect(read('user', '', assumptions).wanted).toEqual({ page: 1, limit: 7, sortBy: 'amount', sortOrder: 'asc' })
  })
})

it('reads every parameter', () => {
  const search =
    'page=2&limit=100&platformId=8412&from=daily%20reward&minAmount=0&maxAmount=1e3' +
    '&startDate=2026-01-01T00:00:00Z&endDate=2026-01-01T02:00:00%2B01:00&sortBy=name&sortOrder=asc'

  expect(read('guild', search)).toEqual({
    wanted: {
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
    flaws: [],
  })
})

const valueOf = (search: string, invalidParameter: 'clamp' | 'default') => {
  const { wanted, flaws } = read('guild', search, { invalidParameter })
  expect(flaws).toEqual([])
  return wanted[search.split('=')[0] as keyof typeof wanted]
}

describe('invalidParameter', () => {
  const cases: [string, string, unknown, unknown][] = [
    ['page=0', 'page must be a whole number of at least 1, not "0"', 1, 1],
    ['page=-3', 'page must be a whole number of at least 1, not "-3"', 1, 1],
    ['page=1.5', 'page must be a whole number of at least 1, not "1.5"', 1, 1],
    ['page=', 'page must be a whole number of at least 1, not ""', 1, 1],
    ['page=1e3', 'page must be a whole number of at least 1, not "1e3"', 1, 1],
    ['page=%201', 'page must be a whole number of at least 1, not " 1"', 1, 1],
    ['page=99999999999999999999', 'page must be a whole number of at least 1', 9_007_199_254_740_991, 1],
    ['limit=0', 'limit must be a whole number from 1 to 100, not "0"', 1, 20],
    ['limit=101', 'limit must be a whole number from 1 to 100, not "101"', 100, 20],
    ['limit=many', 'limit must be a whole number from 1 to 100, not "many"', 20, 20],
    ['minAmount=-0.01', 'minAmount must be a number of at least 0, not "-0.01"', 0, undefined],
    ['maxAmount=1,5', 'maxAmount must be a number of at least 0, not "1,5"', undefined, undefined],
    ['maxAmount=1e999', 'maxAmount must be a number of at least 0', Number.MAX_VALUE, undefined],
    ['minAmount=NaN', 'minAmount must be a number of at least 0, not "NaN"', undefined, undefined],
    ['sortBy=price', 'sortBy must be one of amount, quantity, total, createdAt, name', 'createdAt', 'createdAt'],
    ['sortOrder=ASC', 'sortOrder must be one of asc, desc, not "ASC"', 'desc', 'desc'],
    ['startDate=2026-01-01', 'startDate must be an ISO 8601 date-time with its offset', undefined, undefined],
    ['endDate=2026-02-30T00:00:00Z', 'endDate must be an ISO 8601 date-time with its offset', undefined, undefined],
    ['endDate=2026-01-01T00:00:00+01:00', 'not "2026-01-01T00:00:00 01:00"', undefined, undefined],
    ['platformId=', 'platformId must be a user identifier', undefined, undefined],
  ]

  it.each(cases)('%s is rejected: %s', (search, flaw) => {
    expect(read('guild', search).flaws).toEqual([expect.stringContaining(flaw)])
  })

  it.each(cases)('%s is clamped (%s) to %s', (search, _flaw, clamped) => {
    expect(valueOf(search, 'clamp')).toBe(clamped)
  })

  it.each(cases)('%s becomes the default (%s; clamped %s) %s', (search, _flaw, _clamped, byDefault) => {
    expect(valueOf(search, 'default')).toBe(byDefault)
  })
})

describe('maxPage', () => {
  it.each([
    ['reject', ['page must be a whole number from 1 to 5, not "6"'], 1],
    ['clamp', [], 5],
    ['default', [], 1],
  ] as const)('above it, %s', (invalidParameter, flaws, page) => {
    const result = read('user', 'page=6', { maxPage: 5, invalidParameter })

    expect(result.flaws).toEqual(flaws)
    expect(result.wanted.page).toBe(page)
  })

  it('is allowed itself', () => {
    expect(read('user', 'page=5', { maxPage: 5 }).flaws).toEqual([])
  })
})

describe('invertedRange', () => {
  const search = 'minAmount=2&maxAmount=1&startDate=2026-01-02T00:00:00Z&endDate=2026-01-01T00:00:00Z'

  it('is let through to match nothing', () => {
    expect(read('guild', search).flaws).toEqual([])
  })

  it('or rejected', () => {
    expect(read('guild', search, { invertedRange: 'reject' }).flaws).toEqual([
      'minAmount must not be above maxAmount',
      'startDate must not be after endDate',
    ])
  })
})

describe('unlistedParameter', () => {
  it.each(['platformId=1', 'startDate=x', 'endDate=x', 'pages=2', '__proto__=1', 'constructor=1'])(
    'ignores %s of one user',
    (search) => {
      expect(read('user', search)).toEqual(read('user', ''))
    },
  )

  it('or rejects it', () => {
    expect(read('user', 'platformId=1&limit=5', { unlistedParameter: 'reject' }).flaws).toEqual([
      '"platformId" is not a parameter of this endpoint',
    ])
  })

  it('has no sorting by name for one user', () => {
    expect(read('user', 'sortBy=name').flaws).toEqual([
      'sortBy must be one of amount, quantity, total, createdAt, not "name"',
    ])
  })
})

describe('repeatedParameter', () => {
  it.each([
    ['first', 'a', []],
    ['last', 'b', []],
    ['reject', 'a', ['from must be given once, not 2 times']],
  ] as const)('%s', (repeatedParameter, from, flaws) => {
    const result = read('guild', 'from=a&from=b', { repeatedParameter })

    expect(result.flaws).toEqual(flaws)
    expect(result.wanted.from).toBe(from)
  })
})

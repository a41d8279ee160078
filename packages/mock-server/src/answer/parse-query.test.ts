import type { GuildQuery } from '@guild-ledger/sdk/contract'
import { describe, expect, it } from 'vitest'
import { assume, type Assumptions } from '../assumptions/values.ts'
import { queryOf } from '../request-matcher.ts'
import { operations } from './operations.ts'
import { parseQuery } from './parse-query.ts'

const parse = (endpoint: 'guild' | 'user', search: string, assumptions: Partial<Assumptions> = {}) =>
  parseQuery(endpoint, operations[endpoint].defaults, queryOf(search), assume(assumptions))

// What becomes of these with the other values of `invalidParameter`, the oracle of test/model.test.ts says.
describe('messages', () => {
  it.each<[string, string, Partial<Assumptions>?]>([
    ['page=0', '`page` must be an integer ≥ 1, got "0"'],
    ['page=1.5', '`page` must be an integer ≥ 1, got "1.5"'],
    ['page=', '`page` must be an integer ≥ 1, got ""'],
    ['page=1e3', '`page` must be an integer ≥ 1, got "1e3"'],
    ['page=%201', '`page` must be an integer ≥ 1, got " 1"'],
    ['page=6', '`page` must be an integer from 1 to 5, got "6"', { maxPage: 5 }],
    ['limit=101', '`limit` must be an integer from 1 to 100, got "101"'],
    ['minAmount=-0.01', '`minAmount` must be a number ≥ 0, got "-0.01"'],
    ['maxAmount=1,5', '`maxAmount` must be a number ≥ 0, got "1,5"'],
    ['minAmount=NaN', '`minAmount` must be a number ≥ 0, got "NaN"'],
    ['sortBy=price', '`sortBy` must be one of amount, quantity, total, createdAt, name, got "price"'],
    ['sortOrder=ASC', '`sortOrder` must be one of asc, desc, got "ASC"'],
    ['startDate=2026-01-01T00:00', '`startDate` must be an ISO 8601 date-time with its offset such as 2026-01-31T00'],
    ['endDate=2026-02-30T00:00:00Z', '`endDate` must be an ISO 8601 date-time with its offset'],
    ['endDate=2026-01-01T00:00:00+01:00', 'got "2026-01-01T00:00:00 01:00"'],
    ['endDate=2026-01-31', '`endDate` must be an ISO 8601 date-time such as 2026-01-', { dateTimeForms: 'no-offset' }],
    ['endDate=2026', '`endDate` must be an ISO 8601 date or date-time such as 2026-01-31', { dateTimeForms: 'date' }],
    ['minAmount=2&maxAmount=1', '`minAmount` must not be above `maxAmount`', { invertedRange: 'reject' }],
    [
      'startDate=2026-01-02T00:00:00Z&endDate=2026-01-01T00:00:00Z',
      '`startDate` must not be after `endDate`',
      { invertedRange: 'reject' },
    ],
    ['pages=1', '`pages` is not a parameter of this endpoint', { unlistedParameter: 'reject' }],
    ['page=1&page=2', '`page` must be given once, got it 2 times', { repeatedParameter: 'reject' }],
  ])('%s is rejected: %s', (search, violation, assumptions) => {
    expect(parse('guild', search, assumptions).violations).toEqual([expect.stringContaining(violation)])
  })
})

it.each<[string, keyof GuildQuery, unknown, Partial<Assumptions>?]>([
  // Values without a bound in the spec.
  ['page=9007199254740993', 'page', 9_007_199_254_740_992],
  [`page=${'9'.repeat(400)}`, 'page', Number.MAX_VALUE],
  ['platformId=..', 'platformId', '..'],
  ['platformId=', 'platformId', ''],
  ['from=', 'from', ''],
  ['minAmount=0.25', 'minAmount', 0.25],
  ['minAmount=2&maxAmount=2', 'minAmount', 2, { invertedRange: 'reject' }],
  ['maxAmount=1e%2B21', 'maxAmount', 1e21],
  ['limit=50.4', 'limit', 50, { invalidParameter: 'clamp' }],
  ['maxAmount=1e999', 'maxAmount', Number.MAX_VALUE, { invalidParameter: 'clamp' }],
  ['minAmount=x1', 'minAmount', undefined, { invalidParameter: 'clamp' }],
  ['minAmount=1x', 'minAmount', undefined, { invalidParameter: 'clamp' }],
  ['sortBy=7', 'sortBy', 'createdAt', { invalidParameter: 'clamp' }],
  ['from=a&from=b&from=c', 'from', 'c', { repeatedParameter: 'last' }],
  ['from=a&from=b', 'from', 'a,b', { repeatedParameter: 'joined' }],
  ['endDate=2026-01-31T10:00:07.1239', 'endDate', Date.UTC(2026, 0, 31, 10, 0, 7, 123), { dateTimeForms: 'no-offset' }],
  ['startDate=2026-01-31T10:00:07', 'startDate', Date.UTC(2026, 0, 31, 10, 0, 7), { dateTimeForms: 'no-offset' }],
  ['startDate=2026-01-31T10:00', 'startDate', Date.UTC(2026, 0, 31, 10), { dateTimeForms: 'no-offset' }],
  ['startDate=2026-01-31', 'startDate', Date.UTC(2026, 0, 31), { dateTimeForms: 'date' }],
])('%s is accepted: %s is %j with %j', (search, name, value, assumptions) => {
  const { parsed, violations } = parse('guild', search, assumptions)

  expect([parsed[name], violations]).toEqual([value, []])
})

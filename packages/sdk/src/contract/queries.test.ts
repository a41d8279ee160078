import { issuesOf } from '@guild-ledger/validation'
import { expect, it } from 'vitest'
import { guildQuery, operations, parameters, platformId, userQuery } from './index.ts'

const dateTime = 'a valid Date, or an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z'
it.each([
  ['page', 1.5, 'an integer ≥ 1'],
  ['page', '1', 'an integer ≥ 1'],
  ['page', Number.NaN, 'an integer ≥ 1'],
  ['page', Infinity, 'an integer ≥ 1'],
  ['limit', 0, 'an integer from 1 to 100'],
  ['maxAmount', -0.01, 'a number ≥ 0'],
  ['maxAmount', Infinity, 'a number ≥ 0'],
  ['sortBy', 'price', 'one of amount, quantity, total, createdAt, name'],
  ['sortOrder', 'up', 'one of asc, desc'],
  ['startDate', 'yesterday', dateTime],
  ['endDate', '2026-02-30T00:00:00Z', dateTime],
  ['endDate', new Date(Number.NaN), dateTime],
  ['platformId', '', 'a user identifier: not empty, not "." or ".."'],
  ['from', '\uD800', 'a string without lone surrogates'],
  ['from', null, 'a string'],
])('rejects %s %j in a guild query, and says what it must be', (name, value, expected) => {
  expect(issuesOf(guildQuery, { [name]: value })).toMatchObject([{ path: name, expected }])
})

it('accepts every documented parameter of a guild query within its limits', () => {
  const query = {
    page: 1,
    limit: 100,
    platformId: 'a/b ?#%2e',
    from: '',
    minAmount: 0,
    maxAmount: 0.5,
    startDate: new Date(0),
    endDate: '2024-02-29T23:59:59.999+02:00',
    sortBy: 'name',
    sortOrder: 'asc',
  }

  expect(issuesOf(guildQuery, query)).toEqual([])
})

it('accepts parameters of a query that are undefined', () => {
  expect(issuesOf(guildQuery, { page: undefined, from: undefined })).toEqual([])
})

it('has a row for each parameter of each operation', () => {
  const taken = Object.values(operations).flatMap(({ query }) => Object.keys(query.shape))
  expect(Object.keys(parameters).toSorted()).toEqual([...new Set(taken)].toSorted())
})

it.each(['platformId', 'startDate', 'endDate'])('rejects the parameter %s in a user query', (name) => {
  expect(issuesOf(userQuery, { [name]: '2026-01-01T00:00:00Z' })).toHaveLength(1)
})

it.each(['', '.', '..', '\uDC00'])('rejects the platformId %j', (id) => {
  expect(issuesOf(platformId, id)).toHaveLength(1)
})

it.each(['8412', '...', '%2e%2e', 'a/b', 'ünï'])('accepts the platformId %j', (id) => {
  expect(issuesOf(platformId, id)).toEqual([])
})

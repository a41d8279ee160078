import { cases, guildResponse, placesIn, replacedAt, transaction, userResponse } from '@guild-ledger/test-kit'
import { createChecker, issuesOf } from '@guild-ledger/validation'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import * as contract from './index.ts'

it.each(['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.123456Z', '2026-01-31T10:00:00+00:00', '2026-01-31T10:00Z'])(
  'accepts the UTC date-time %s in a transaction',
  (createdAt) => {
    expect(issuesOf(contract.transaction, { ...transaction, createdAt })).toEqual([])
  },
)

it.each(['2026-01-31T10:00:00', '2026-01-31T10:00:00+02:00', '2026-13-01T10:00:00Z', '31.01.2026', ''])(
  'rejects the date-time %j in a transaction',
  (createdAt) => {
    expect(issuesOf(contract.transaction, { ...transaction, createdAt })).toMatchObject([
      { path: 'createdAt', expected: 'an ISO 8601 date-time in UTC' },
    ])
  },
)

it.each(['amount', 'quantity', 'total'])('rejects a string as %s of a transaction', (field) => {
  expect(issuesOf(contract.transaction, { ...transaction, [field]: '1' })).toEqual([
    { path: field, expected: 'a number', received: '"1"' },
  ])
})

it('accepts fields of a response that the spec does not list', () => {
  const [group] = guildResponse.data

  expect(issuesOf(contract.guildResponse, { ...guildResponse, data: [{ ...group, rank: 1 }], x: 1 })).toEqual([])
})

it('reports where a response violates the contract, what is expected there and what was received', () => {
  const transactions = [transaction, { ...transaction, amount: null, name: undefined }]
  const body = { ...guildResponse, data: [{ platformId: '8412', transactions }] }

  expect(issuesOf(contract.guildResponse, body)).toEqual([
    { path: 'data[0].transactions[1].amount', expected: 'a number', received: 'null' },
    { path: 'data[0].transactions[1].name', expected: 'a string', received: 'undefined' },
  ])
})

it('rejects a success response whose success is false', () => {
  expect(issuesOf(contract.userResponse, { ...userResponse, success: false })).toEqual([
    { path: 'success', expected: 'true', received: 'false' },
  ])
})

const numbers = [0, -0, 1.5, 2 ** 53, -1, Number.NaN, Infinity]
const strings = ['', '2026-01-31T10:00:00Z', '2026-02-31T25:00:00Z', '0B9D1C1E-6F6A-4D3E-9C55-0A1F5F0C8A11', 'x']
const others = [undefined, null, true, false, [], {}, [[]], transaction, userResponse.data]
const odd = fc.oneof(fc.constantFrom<unknown>(...numbers, ...others), fc.constantFrom(...strings), fc.anything())

it.each([
  ['guild', guildResponse, contract.guildResponse],
  ['user', userResponse, contract.userResponse],
] as const)(
  'a fast check of a %s response accepts what its schema accepts, and reports the same issues',
  (_, response, schema) => {
    const { accepts, issues } = createChecker(schema)
    fc.assert(
      fc.property(fc.constantFrom(...placesIn(response)), odd, (place, value) => {
        const body = replacedAt(response, place, value)
        expect(accepts(body)).toBe(issuesOf(schema, body).length === 0)
        expect([...issues(body)]).toEqual(issuesOf(schema, body))
      }),
      { numRuns: cases(1000, 200) },
    )
    expect(accepts(response)).toBe(true)
  },
  30_000,
)

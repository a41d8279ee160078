import { expect, it } from 'vitest'
import { kindsOf, nameOf } from './kinds.ts'

const ordered = { sortBy: 'createdAt', sortOrder: 'asc', limit: '100' } as const
const invalidForGuild = 'an invalid value for /guild/ledger/transactions'

it.each([
  [{ page: '' }, 'an empty value', 'an invalid page or limit'],
  [{ page: '1.5' }, 'a fraction', 'an invalid page or limit'],
  [{ maxAmount: '-1' }, 'a number below the minimum', 'an invalid amount'],
  [{ endDate: '2026-01-31' }, 'a date without a time', 'an invalid date'],
  [{ startDate: '2026-02-30' }, 'a day that does not exist', 'an invalid date'],
])(
  'the kinds of %j are, from narrow to wide, %s of the parameter and of any, an invalid value, and %s',
  (query, kind, wide) => {
    const [name] = Object.keys(query)

    const found = kindsOf({ endpoint: 'guild', query: { ...ordered, ...query } }).map(nameOf)

    expect(found).toEqual([`${kind} (${name})`, kind, `an invalid value (${name})`, wide, invalidForGuild])
  },
)

it.each([
  [{ from: 'shop' }, []],
  [{ startDate: '2026-01-31T00:00:00.000Z' }, []],
  [{ startDate: '2026-01-31T00:00:00+01:00' }, ['a time with an offset (startDate)', 'a time with an offset']],
  [{ sortBy: 'total' }, ['a sort by total', 'a sort by a number']],
  [{ limit: '99' }, ['a limit below 100']],
  [{ limit: ['2', '3'] }, ['a repeated parameter (limit)', 'a limit below 100']],
  [{ minAmount: '5', maxAmount: '4' }, ['inverted amounts', 'a filter by amount']],
  [{ 'x-probe': '1' }, []],
])('the kinds of valid or unknown parameters %j are %j', (query, kinds) => {
  expect(kindsOf({ endpoint: 'guild', query: { ...ordered, ...query } }).map(nameOf)).toEqual(kinds)
})

it('knows defaults of list-all, and parameters of the other operation', () => {
  expect(kindsOf({ endpoint: 'guild', query: { limit: '100' } }).map(nameOf)).toEqual([
    'a list-all without sortBy',
    'a list-all without sortOrder',
  ])
  expect(kindsOf({ endpoint: 'user', platformId: '1', query: { startDate: 'x' } }).map(nameOf)).toEqual([
    'a parameter of the other operation (startDate)',
  ])
})

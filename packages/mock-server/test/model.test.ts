/**
 * @proves each page is as the spec and every value of the assumptions about it say
 * @against a second implementation without shared code, `oracle.ts`
 */
import * as fc from 'fast-check'
import { createMockLedger } from '@guild-ledger/mock-server'
import type { GuildQuery } from '@guild-ledger/sdk/contract'
import { cases } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { dataAssumptions } from '../src/assumptions/data.ts'
import { requestAssumptions } from '../src/assumptions/request.ts'
import { oracle, type OracleRequest, type OracleTransaction } from './oracle.ts'

// Few values each, so that ties, repeated parameters, empty pages and bounds that are met exactly come up all the time.
const createdAt = fc.constantFrom(
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '2026-01-02T12:30:07.500Z',
  '2026-01-03T00:00:00.000Z',
)
const user = fc.constantFrom('ann', 'bob', 'Cy', '0', 'nobody')
const source = fc.constantFrom('shop', 'Shop', 'workshop', 'sh\nop', '', 's_op', 'SH%', 'p.', 'shop,Shop')

const transaction: fc.Arbitrary<OracleTransaction> = fc.record({
  platformId: fc.constantFrom('ann', 'bob', 'Cy', '0'),
  transactionId: fc
    .integer({ min: 0, max: 99 })
    .map((n) => `0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a${n.toString().padStart(2, '0')}`),
  amount: fc.constantFrom(-1, 0, 0.1, 0.2, 1, 2.5, 5),
  quantity: fc.constantFrom(1, 2, 3),
  name: fc.constantFrom('axe', 'Axe', 'Bow', 'bow', 'Éclair', 'zoo', '🗡 axe', 'Ａｘｅ'),
  source,
  total: fc.constantFrom(0.1, 0.2, 0.7, 3, 19.99),
  createdAt,
})
const ledgerOf = (minLength: number, maxLength: number) =>
  fc.uniqueArray(transaction, { minLength, maxLength, selector: ({ transactionId }) => transactionId })

const texts: Readonly<Record<keyof GuildQuery | 'colour', fc.Arbitrary<string>>> = {
  page: fc.constantFrom('1', '1', '2', '3', '9', '0', '-1', '1.5', '0.4', '9007199254740993', 'x', ''),
  limit: fc.constantFrom('1', '2', '3', '5', '100', '101', '100.5', '2.4', '0', 'x'),
  platformId: fc.oneof({ weight: 5, arbitrary: user }, fc.constantFrom('.', '..', '')),
  from: source,
  minAmount: fc.constantFrom('0', '0.1', '1', '2.5', '-1', '5e0', 'x', ''),
  maxAmount: fc.constantFrom('0', '0.2', '1', '2.5', '-0.5', 'x'),
  startDate: fc.oneof(
    createdAt,
    fc.constantFrom('2026-01-02T13:30:07.500+01:00', '2026-01-02T12:30:07.500', '2026-01-02', 'yesterday'),
  ),
  endDate: fc.oneof(
    createdAt,
    fc.constantFrom('2026-01-02T13:30:07.500+01:00', '2026-01-03T00:00', '2026-01-03', 'tomorrow'),
  ),
  sortBy: fc.constantFrom('amount', 'quantity', 'total', 'createdAt', 'name', 'price'),
  sortOrder: fc.constantFrom('asc', 'desc', 'up'),
  colour: fc.constant('red'),
}
const pair = fc.constantFrom(...Object.entries(texts)).chain(([name, values]) => fc.tuple(fc.constant(name), values))
const request = fc.record({ user: fc.option(user), query: fc.array(pair, { maxLength: 5 }) })

/** Values to try of each assumption about what a response contains. */
const tried: Record<string, readonly (string | number | null)[]> = {
  pageUnit: ['transaction', 'group'],
  groupOrder: ['first-transaction', 'platform-id', 'platform-id-descending', 'ledger'],
  sourceMatch: [
    'exact',
    'case-insensitive',
    'contains',
    'contains-case-insensitive',
    'prefix',
    'like',
    'like-contains',
  ],
  startDateBound: ['inclusive', 'exclusive'],
  endDateBound: ['inclusive', 'exclusive'],
  dateTimeForms: ['offset', 'no-offset', 'date'],
  userLimit: [20, 1, 3],
  userSortBy: ['createdAt', 'amount', 'quantity', 'total'],
  userSortOrder: ['desc', 'asc'],
  notFoundWhen: ['no-match', 'empty-page', 'empty-ledger'],
  invalidParameter: ['reject', 'clamp', 'default'],
  invalidParameterStatus: [400, 422],
  invertedRange: ['empty', 'reject'],
  unlistedParameter: ['ignore', 'reject'],
  repeatedParameter: ['first', 'last', 'joined', 'reject'],
  maxLimit: [100, 2],
  maxPage: [null, 1, 2],
  nameOrder: ['code-point', 'case-insensitive', 'language'],
  tieOrder: ['transaction-id', 'ledger'],
  summaryScope: ['match', 'guild', 'page'],
  totalValueOf: ['total', 'amount'],
  totalUnit: ['page-unit', 'other'],
  emptyTotalPages: [0, 1],
  createdAtFormat: ['milliseconds', 'seconds', 'offset', 'microseconds'],
}
const assumptionValues = fc.record(
  Object.fromEntries(Object.entries(tried).map(([name, values]) => [name, fc.constantFrom(...values)])),
)

it('tries every value of every assumption about what a response contains', () => {
  const untried = Object.entries({ ...dataAssumptions, ...requestAssumptions }).flatMap(([name, definition]) => {
    const values: readonly unknown[] =
      'values' in definition ? definition.values.map(([value]) => value) : [definition.default]
    return values.filter((value) => !tried[name]?.some((one) => one === value)).map((value) => [name, value])
  })
  expect(untried).toEqual([])
})

type Values = Record<string, string | number | null>

/** Sends the requests whenever the ledger has grown, and compares the responses. Returns their statuses. */
const compare = (states: readonly OracleTransaction[][], requests: readonly OracleRequest[], values: Values) => {
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off', assumptions: values })
  return states.flatMap((ledger) => {
    mock.guild.add(ledger.slice(mock.guild.transactions.length))
    return requests.map((each) => {
      const path = each.user === null ? '' : `${encodeURIComponent(each.user)}/`
      const target = `/guild/ledger/${path}transactions?${new URLSearchParams(each.query).toString()}`

      const { status, body } = mock.respond({ method: 'GET', target, apiKey: mock.apiKey })
      const expected = oracle(ledger, each, values)

      expect({ target, status, body: expected.body && (JSON.parse(body) as unknown) }).toEqual({ target, ...expected })
      return status
    })
  })
}

// Two requests each on average.
const ledgers = cases(2000, 200)

it('the mock responds like a plain implementation of the spec, for many random ledgers', { timeout: 240_000 }, () => {
  const met: Record<number, number> = {}
  fc.assert(
    fc.property(
      ledgerOf(0, 12),
      fc.array(request, { minLength: 1, maxLength: 3 }),
      assumptionValues,
      (transactions, requests, values) => {
        for (const status of compare([transactions], requests, values)) met[status] = (met[status] ?? 0) + 1
      },
    ),
    { numRuns: ledgers, seed: 2026 },
  )
  // The cases must be many enough, and not all of one kind.
  expect((met[200] ?? 0) + (met[400] ?? 0) + (met[422] ?? 0) + (met[404] ?? 0)).toBeGreaterThan(1.9 * ledgers)
  expect(met[200]).toBeGreaterThan(ledgers / 5)
  expect(met[404]).toBeGreaterThan(ledgers / 25)
  expect((met[400] ?? 0) + (met[422] ?? 0)).toBeGreaterThan(ledgers / 5)
})

const defaults = Object.fromEntries(Object.entries(tried).map(([name, [first = null]]) => [name, first]))
const { nameOrder = [], tieOrder = [], sourceMatch = [] } = tried
const rules = fc.record({
  nameOrder: fc.constantFrom(...nameOrder),
  tieOrder: fc.constantFrom(...tieOrder),
  sourceMatch: fc.constantFrom(...sourceMatch),
})
const sorted = fc
  .tuple(
    fc.constantFrom('amount', 'quantity', 'total', 'createdAt', 'name', 'name'),
    fc.constantFrom('asc', 'desc'),
    fc.option(source),
  )
  .map(([sortBy, sortOrder, from]): OracleRequest => {
    const filter: OracleRequest['query'] = from === null ? [] : [['from', from]]
    return { user: null, query: [['limit', '100'], ['sortBy', sortBy], ['sortOrder', sortOrder], ...filter] }
  })

it('the mock sorts and filters like a plain implementation what it had, and what was added since', () => {
  const met = new Set<number>()
  fc.assert(
    fc.property(
      fc.noShrink(ledgerOf(9, 50)), // which would take minutes
      fc.integer({ min: 1, max: 8 }),
      fc.array(sorted, { minLength: 1, maxLength: 3 }),
      rules,
      (transactions, added, requests, values) => {
        const states = [transactions.slice(0, -added), transactions]
        for (const status of compare(states, requests, { ...defaults, ...values })) met.add(status)
      },
    ),
    { numRuns: cases(1000, 150) },
  )
  expect(met).toEqual(new Set([200, 404]))
})

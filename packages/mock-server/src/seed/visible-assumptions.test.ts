import { listAll } from '@guild-ledger/test-kit'
import { describe, expect, it } from 'vitest'
import { accessAssumptions } from '../assumptions/access.ts'
import { alternativesTo } from '../assumptions/alternatives.ts'
import { createMockLedger, type Assumptions, type MockLedgerOptions } from '../index.ts'

/** What bots request, chosen without a look at the seeded transactions. */
const queries = [
  '',
  '?page=2',
  '?page=1000',
  '?limit=100',
  '?limit=500',
  '?from=shop',
  '?from=lottery',
  '?from=sho',
  '?from=shop&from=quest',
  '?sort=newest',
  '?minAmount=100&maxAmount=10',
]
const guildQueries = [
  '?sortBy=name&sortOrder=asc',
  '?startDate=2026-01-01T00:00:00Z',
  '?startDate=2026-01-01T00:00:00',
  '?startDate=2026-01-01',
  '?endDate=2026-01-31T00:00:00Z',
]

type Mock = ReturnType<typeof createMockLedger>

const respond = (mock: Mock, target: string): string => {
  const { status, body } = mock.respond({ method: 'GET', target, apiKey: mock.apiKey })
  return `${status} ${body}`
}

const responses = (mock: Mock): string[] => {
  const user = `/guild/ledger/${mock.guild.transactions.at(-1)?.platformId}/transactions`
  const targets = [
    ...[...queries, ...guildQueries].map((query) => listAll + query),
    ...queries.map((query) => user + query),
  ]
  return targets.map((target) => respond(mock, target))
}

describe.each<[string, MockLedgerOptions]>([
  ['the default ledger', {}],
  ['a ledger with three users', { users: 3, transactions: 250 }],
  ['a small ledger', { transactions: 120 }],
  ['another seed', { seed: 2 }],
])('%s', (_, options) => {
  const mock = createMockLedger({ rateLimit: 'off', ...options })
  const withAssumptions = <Result>(assumptions: Partial<Assumptions>, use: () => Result): Result => {
    mock.reset()
    mock.assume(assumptions)
    return use()
  }

  it.each(alternativesTo(mock.assumptions).filter(({ key }) => !(key in accessAssumptions)))(
    'a request without knowledge of the data gets another response with $key=$value',
    ({ key, value }) => {
      // Without matches there is a 404 unless this says otherwise.
      const others: Partial<Assumptions> = key === 'emptyTotalPages' ? { notFoundWhen: 'empty-ledger' } : {}

      const before = withAssumptions(others, () => responses(mock))
      const after = withAssumptions({ ...others, [key]: value }, () => responses(mock))

      expect(after.filter((response, i) => response !== before[i])).not.toEqual([])
    },
  )

  it.each(['amount', 'quantity', 'total', 'createdAt', 'name'])('the first page sorted by %s has ties', (sortBy) => {
    const respondSorted = () => respond(mock, `${listAll}?sortBy=${sortBy}`)

    const [byId, byLedger] = [
      withAssumptions({}, respondSorted),
      withAssumptions({ tieOrder: 'ledger' }, respondSorted),
    ]

    expect(byLedger).not.toBe(byId)
  })
})

import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { transaction } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { requestOf, type Parameters } from './candidate.ts'
import { contested } from './contested.ts'
import { createKnowledge } from './knowledge.ts'
import type { Inference } from './learn.ts'
import type { Aspect } from './model/aspects.ts'
import { createLedgerCopy } from './model/ledger-copy.ts'

const entries = [2, 10, 10].map((amount, i): LedgerEntry => ({
  ...transaction,
  platformId: '1',
  transactionId: `${i}`,
  amount,
}))
const copy = createLedgerCopy(entries)

interface Given {
  readonly aspect: Aspect
  readonly observed?: string
  readonly parameters: Parameters
  readonly targets?: readonly string[]
  readonly variables?: readonly string[]
}

const contestedBy = ({ aspect, observed = '', parameters, targets = [], variables = [] }: Given): Set<string> => {
  const evidence = {
    request: requestOf(null, parameters),
    targets,
    copies: [copy],
    response: { status: 200, headers: {}, body: {} },
  }
  const conflicts = [{ evidence, aspect, observed, variables }]
  return contested({ knowledge: createKnowledge(), conflicts, unstable: [] } as unknown as Inference)
}

it('contests what sorts are about if more than the order of equal values is unexplained', () => {
  const sort = { aspect: 'order', parameters: { sortBy: 'amount', sortOrder: 'asc' }, variables: ['tieOrder'] } as const

  expect(contestedBy({ ...sort, observed: '1,2,0' })).toContain('userSortBy')
  expect(contestedBy({ ...sort, observed: '0,2,1' })).toEqual(new Set(['tieOrder']))
})

it('contests the largest page if the number of a page is unexplained, and what rests on it', () => {
  const found = contestedBy({ aspect: 'page', parameters: {}, targets: ['summaryScope'], variables: ['summaryScope'] })

  expect(found).toEqual(new Set(['summaryScope', 'maxPage', 'pageUnit', 'totalUnit']))
})

it.each([
  [{ from: 'shop' }, ['sourceMatch']],
  [{ startDate: '2026-01-01T00:00:00Z', endDate: '2026-01-02T00:00:00Z' }, ['startDateBound', 'endDateBound']],
])('contests the filters of %j if the number of matches is unexplained', (parameters, filters) => {
  const found = contestedBy({ aspect: 'total', parameters, variables: ['totalUnit'] })

  expect(found).toEqual(new Set(['totalUnit', 'emptyTotalPages', ...filters]))
})

it('contests only what a check is about', () => {
  const about = ['startDateBound', 'endDateBound']

  expect(contestedBy({ aspect: 'total', parameters: {}, targets: about, variables: about })).toEqual(new Set(about))
})

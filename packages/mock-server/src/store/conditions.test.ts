import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { expect, it } from 'vitest'
import { conditionsOf, passing, passOf } from './conditions.ts'
import type { Filter } from './selection.ts'
import { createTable } from './table.ts'

/** Transaction `i` has the amount `i`. Four belong to ann, two to bob; one is from a shop, five are from two kinds of quests. */
const table = createTable(() =>
  [
    ['ann', 'shop'],
    ['ann', 'quest'],
    ['ann', 'quest'],
    ['ann', 'side quest'],
    ['bob', 'quest'],
    ['bob', 'side quest'],
  ].map(([platformId, source], amount) => ({ platformId, source, amount }) as LedgerEntry),
)
const exactly = (text: string) => ({ text, match: 'exact' }) as const
const quests = { text: 'quest', match: 'contains' } as const

it.each<[string, Filter, object]>([
  ['nothing', {}, { group: undefined, ranges: [], hasChecks: false }],
  ['a user', { platformId: 'bob' }, { group: { field: 'platformId', code: 1 }, ranges: [], hasChecks: false }],
  ['a source', { source: exactly('quest') }, { group: { field: 'source', code: 1 }, ranges: [], hasChecks: false }],
  ['two sources', { source: quests }, { group: undefined, ranges: [], hasChecks: true }],
  [
    'a user with more transactions than the source has',
    { platformId: 'ann', source: exactly('quest') },
    { group: { field: 'source', code: 1 }, ranges: [], hasChecks: true },
  ],
  [
    'a user with fewer transactions than the source has',
    { platformId: 'bob', source: exactly('quest') },
    { group: { field: 'platformId', code: 1 }, ranges: [], hasChecks: true },
  ],
  [
    'a user and two sources',
    { platformId: 'ann', source: quests },
    { group: { field: 'platformId', code: 0 }, ranges: [], hasChecks: true },
  ],
  [
    'the smallest amount',
    { minAmount: 2, maxAmount: Infinity },
    { group: undefined, ranges: [{ field: 'amount', min: 2, max: Infinity }], hasChecks: false },
  ],
  [
    'the last time',
    { minCreatedAt: -Infinity, maxCreatedAt: 7 },
    { group: undefined, ranges: [{ field: 'createdAt', min: -Infinity, max: 7 }], hasChecks: false },
  ],
  ['bounds that are no bounds', { minAmount: -Infinity }, { group: undefined, ranges: [], hasChecks: false }],
])('reads a filter by %s', (_what, filter, expected) => {
  expect(conditionsOf(table, filter)).toEqual({ ...expected, checks: expect.any(Function) })
})

it('leaves out the check of a field that is known to be right', () => {
  const conditions = conditionsOf(table, { platformId: 'ann', source: quests })
  const wanted = (except?: 'platformId' | 'source') => conditions?.checks(except).map(({ isWanted }) => [...isWanted])

  expect(wanted()).toEqual([
    [1, 0],
    [0, 1, 1],
  ])
  expect(wanted('platformId')).toEqual([[0, 1, 1]])
  expect(wanted('source')).toEqual([[1, 0]])
})

it.each<[Filter, number[]]>([
  [{}, [0, 1, 2, 3, 4, 5]],
  [{ minAmount: 2, maxAmount: 4 }, [2, 3, 4]],
  [{ platformId: 'ann' }, [0, 1, 2, 3]],
  [{ platformId: 'bob', source: quests }, [4, 5]],
  [{ platformId: 'ann', source: exactly('quest'), minAmount: 2 }, [2]],
])('lets pass what matches %j, one by one and all at once', (filter, expected) => {
  const { ranges, checks } = conditionsOf(table, filter) ?? { ranges: [], checks: () => [] }
  const all = Uint32Array.of(0, 1, 2, 3, 4, 5)

  expect([...all].filter(passOf(table, ranges, checks()))).toEqual(expected)
  expect([...passing(table, all, ranges, checks())]).toEqual(expected)
})

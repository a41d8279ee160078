import { expect, it } from 'vitest'
import type { Alternative } from '../assumptions/index.ts'
import { roundsOf } from './rounds.ts'

const group: Alternative = { key: 'pageUnit', value: 'group' }
const ledger: Alternative = { key: 'tieOrder', value: 'ledger' }
const guild: Alternative = { key: 'summaryScope', value: 'guild' }
const roundsFor = (testsOf: Map<Alternative, string[]>) =>
  roundsOf({
    alternatives: [...testsOf.keys()],
    testsOf: (alternative) => new Set(testsOf.get(alternative)),
    usesOwnMocks: (id) => id.startsWith('own'),
  }).map(({ shared, tests }) => ({ shared, tests: Object.fromEntries(tests) }))

it('puts tests with mocks of their own under different values into one round', () => {
  const rounds = roundsFor(
    new Map([
      [group, ['own 1']],
      [ledger, ['own 2', 'own 1']],
    ]),
  )

  expect(rounds).toEqual([
    { shared: undefined, tests: { 'own 1': group, 'own 2': ledger } },
    { shared: undefined, tests: { 'own 1': ledger } },
  ])
})

it('gives tests that share mocks a round for each value, with other tests beside them', () => {
  const rounds = roundsFor(
    new Map([
      [group, ['shared 1', 'own 1']],
      [ledger, ['own 1']],
      [guild, ['shared 1', 'shared 2']],
    ]),
  )

  expect(rounds).toEqual([
    { shared: group, tests: { 'shared 1': group, 'own 1': group } },
    { shared: guild, tests: { 'shared 1': guild, 'shared 2': guild, 'own 1': ledger } },
  ])
})

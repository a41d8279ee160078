import { expect, it } from 'vitest'
import type { Alternative } from '../assumptions/index.ts'
import { valueRows } from './value-rows.ts'

const group: Alternative = { key: 'pageUnit', value: 'group' }
const ledger: Alternative = { key: 'tieOrder', value: 'ledger' }
const guild: Alternative = { key: 'summaryScope', value: 'guild' }
const page: Alternative = { key: 'summaryScope', value: 'page' }

const rowsFor = (touched: Map<Alternative, string[]>, areApart = (_one: Alternative, _other: Alternative) => false) =>
  valueRows({
    trials: [...touched].map(([alternative, tests]) => ({ alternative, tests: new Set(tests) })),
    affects: (alternative, test) => touched.get(alternative)?.includes(test) ?? false,
    areApart,
  }).map((row) => row.map(({ alternative }) => alternative.value))

it('puts values of different assumptions together that affect different tests', () => {
  const touched = new Map([
    [group, ['a', 'b']],
    [ledger, ['b']],
    [guild, ['c']],
    [page, ['d']],
  ])

  expect(rowsFor(touched)).toEqual([
    ['group', 'guild'],
    ['ledger', 'page'],
  ])
})

it('keeps two values apart when it is asked to', () => {
  const touched = new Map([
    [group, ['a']],
    [ledger, ['b']],
  ])

  expect(rowsFor(touched)).toEqual([['group', 'ledger']])
  expect(rowsFor(touched, () => true)).toEqual([['group'], ['ledger']])
})

it('gives a value a run of its own that needs one', () => {
  const trials = [
    { alternative: group, tests: new Set(['a']) },
    { alternative: ledger, tests: new Set(['b']), isAlone: true },
    { alternative: guild, tests: new Set(['c']) },
  ]

  const rows = valueRows({ trials, affects: () => false, areApart: () => false })

  expect(rows.map((row) => row.map(({ alternative }) => alternative.value))).toEqual([['group', 'guild'], ['ledger']])
})

it('puts a repeat only with those values that affect its test under which the test passes', () => {
  const trials = [group, ledger, guild].map((alternative, at) => ({
    alternative,
    tests: new Set([String(at)]),
    isRepeat: true,
  }))

  const rows = valueRows({
    trials,
    affects: (_alternative, test) => test === '0',
    passes: (alternative) => alternative === guild,
    areApart: () => false,
  })

  expect(rows.map((row) => row.map(({ alternative }) => alternative.value))).toEqual([['group', 'guild'], ['ledger']])
})

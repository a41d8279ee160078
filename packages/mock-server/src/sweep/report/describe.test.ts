import { expect, it } from 'vitest'
import type { Break, SweepReport } from '../types.ts'
import { headline, linesOfBreak, summaryLines } from './describe.ts'

const nothing: SweepReport = {
  tests: 1,
  breaks: [],
  survives: [],
  untouched: [],
  pinned: [],
  setAside: [],
  notTried: [],
  notTriedAfterHang: [],
  skipped: [],
  cost: { runs: 2, testRuns: 0, withoutTrace: 48, seconds: 1.4 },
}
const lock = { accepted: [], unaccepted: [], stale: [], notTried: [] }
const hangs: Break = {
  test: 'waits',
  values: { pageUnit: 'group' },
  kind: 'hangs',
  message: undefined,
  location: undefined,
  replay: '',
}

it('names the tests that have no result under a value, with the reason of each, and counts them', () => {
  const notTriedAfterHang = [
    { test: 'waits', values: ['pageUnit=group', 'tieOrder=ledger'], reason: 'hung before' },
    { test: 'skips', values: ['pageUnit=group'], reason: 'skips itself' },
    { test: 'waits', values: ['maxPage=1'], reason: 'run ended' },
    { test: 'comes last', values: ['maxPage=1'], reason: 'run ended' },
  ] as const
  const report = { ...nothing, tests: 4, notTriedAfterHang }

  expect(summaryLines({ report, lock }).slice(0, 3)).toEqual([
    ['Not tried: the test hung under another value', 'waits under pageUnit=group tieOrder=ledger'],
    ['Not tried: the test skips itself under the value', 'skips under pageUnit=group'],
    ['Not tried: another test hung or ended the run', 'waits under maxPage=1, comes last under maxPage=1'],
  ])
  expect(headline({ report, lock })).toBe(
    '0 of 4 tests depend on unspecified behaviour. 3 tests not tried under some values.',
  )
})

it.each([
  [1, 0, '0 of 1 test depends on unspecified behaviour.'],
  [1, 1, '1 of 1 test depends on unspecified behaviour.'],
  [2, 0, '0 of 2 tests depend on unspecified behaviour.'],
  [2, 1, '1 of 2 tests depends on unspecified behaviour.'],
  [3, 2, '2 of 3 tests depend on unspecified behaviour.'],
])('says of %j tests that %j depend on unspecified behaviour', (tests, count, expected) => {
  const unaccepted = Array.from({ length: count }, (_, at) => ({ ...hangs, test: `${at}` }))

  expect(headline({ report: { ...nothing, tests }, lock: { ...lock, unaccepted } })).toBe(expected)
})

it('says of a test that hangs without a message that it did not end', () => {
  expect(linesOfBreak(hangs)).toContainEqual(['Hangs', 'the test did not end in time'])
  expect(linesOfBreak({ ...hangs, kind: 'fails' })).toContainEqual(['Fails', 'without a message'])
})

it.each([
  [3, 3, '3 of 3 test runs needed'],
  [2, 3, '2 of 3 test runs needed, the others depend on nothing that was changed'],
])(
  'says of %j of %j test runs why the others were not needed, if there are any',
  (testRuns, withoutTrace, expected) => {
    const report = { ...nothing, cost: { runs: 2, testRuns, withoutTrace, seconds: 1.4 } }

    expect(summaryLines({ report, lock })).toEqual([['Cost', `2 runs in 1 s; ${expected}`]])
  },
)

it('counts the values for which there was no time', () => {
  expect(headline({ report: { ...nothing, tests: 4, notTried: ['maxPage=1'] }, lock })).toBe(
    '0 of 4 tests depend on unspecified behaviour. 1 value left out: time was up.',
  )
})

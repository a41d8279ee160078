import { expect, it } from 'vitest'
import type { SweepReport } from '../types.ts'
import { headline, summaryLines } from './describe.ts'

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

it('counts the values for which there was no time', () => {
  expect(headline({ report: { ...nothing, tests: 4, notTried: ['maxPage=1'] }, lock })).toBe(
    '0 of 4 tests depend on unspecified behaviour. 1 value left out: time was up.',
  )
})

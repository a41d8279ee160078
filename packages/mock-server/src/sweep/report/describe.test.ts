import { expect, it } from 'vitest'
import type { SweepReport } from '../types.ts'
import { summaryLines } from './describe.ts'

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
const lock = { accepted: [], unaccepted: [], stale: [] }

it('names the tests that have no result under a value, with everything that may be the reason', () => {
  const notTriedAfterHang = [{ test: 'a.test.ts > waits', values: ['pageUnit=group', 'tieOrder=ledger'] }]

  expect(summaryLines({ report: { ...nothing, notTriedAfterHang }, lock })[0]).toEqual([
    'Not tried: the test hung under another value or skipped itself, or another test hung or ended the run',
    'a.test.ts > waits under pageUnit=group tieOrder=ledger',
  ])
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { acceptedIn, acceptNew, readLock, staleEntries, withAccepted } from './lock.ts'
import type { SweepFindings } from './sweep.ts'
import type { TestResult } from './types.ts'

const entry = { test: 'a', values: 'pageUnit=group', reason: 'Support confirmed it.' }
const parse = (one: object) => acceptedIn({ accepted: [one] }, Date.UTC(2026, 10, 23))

it('a lock takes entries until the day on which they expire', () => {
  expect(parse({ ...entry, expires: '2026-11-24' })).toEqual([{ ...entry, expires: '2026-11-24' }])
})

it.each<[object, string]>([
  [{ ...entry, expires: '2026-11-23' }, 'it expired on 2026-11-23: remove it, or set a later day if it still holds'],
  [{ ...entry, expires: '2027-02-30' }, '`expires` must be a day such as 2027-01-31, got "2027-02-30"'],
  [{ ...entry, expires: 'soon' }, '`expires` must be a day such as 2027-01-31, got "soon"'],
  [{ ...entry, reason: ' ' }, 'it must have a reason'],
  [{ ...entry, until: '2027-01-31' }, 'Unknown field `until`. Known fields'],
  [{ ...entry, values: 'pageUnit=x' }, '`pageUnit` must be one of transaction, group, got "x"'],
])('a lock rejects %j', (one, message) => {
  expect(() => parse(one)).toThrow(message)
  expect(() => parse(one)).toThrow('accepted[0]: ')
})

it('a lock rejects what has no entries', () => {
  expect(() => acceptedIn({})).toThrow('it must be an object with an array "accepted"')
})

const broken = (test: string, values: string): TestResult => ({
  test,
  result: 'breaks',
  breaks: [{ values, kind: 'fails', replay: '' }],
  passed: [],
  notJudged: [],
  pinned: [],
})
const findings: SweepFindings = { results: [], reached: 1, runs: 1, seconds: 1, untouched: [], onRequest: [], late: [] }

it('a lock accepts a break by test and values, or of every test', () => {
  const results = [broken('a', 'pageUnit=group'), broken('b', 'pageUnit=group'), broken('b', 'maxPage=1')]
  const reasons = (test: string) =>
    withAccepted(results, [{ ...entry, test }]).map(({ breaks }) => breaks[0]?.accepted === entry.reason)

  expect(reasons('a')).toEqual([true, false, false])
  expect(reasons('*')).toEqual([true, true, false])
})

it('a lock calls an entry stale that accepts nothing, if its value was tried', () => {
  expect(staleEntries({ ...findings, results: [broken('b', 'pageUnit=group')] }, [entry])).toEqual([entry])
  expect(staleEntries({ ...findings, results: [broken('a', 'pageUnit=group')] }, [entry])).toEqual([])
  expect(staleEntries({ ...findings, late: ['pageUnit=group'] }, [entry])).toEqual([])
})

it('a lock gets the breaks that it does not accept yet, with a reason', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sweep-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'sweep.lock')
  const results = withAccepted([broken('a', 'pageUnit=group'), broken('b', 'maxPage=1')], [entry])

  expect(acceptNew(file, [entry], results, 'known')).toBe(1)
  expect(await readLock(file, false)).toEqual([entry, { test: 'b', values: 'maxPage=1', reason: 'known' }])
})

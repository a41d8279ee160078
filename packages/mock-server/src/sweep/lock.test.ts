import { expect, it } from 'vitest'
import { compareWithLock, parseLock } from './lock.ts'
import type { Break, SweepReport } from './types.ts'

const entry = (test: string, values: string, reason = 'known') => ({ test, values, reason })
const textOf = (...accepted: unknown[]) => JSON.stringify({ accepted })
const brokenBy = (test: string, values: Break['values']): Break => ({
  test,
  values,
  kind: 'fails',
  message: undefined,
  location: undefined,
  replay: '',
})
const reportOf = (...breaks: Break[]): SweepReport => ({
  tests: 2,
  breaks,
  survives: [],
  untouched: [],
  pinned: [],
  setAside: [],
  notTried: ['tieOrder=ledger'],
  notTriedAfterHang: [{ test: 'stuck', values: ['pageUnit=group', 'createdAtFormat=seconds'], reason: 'run ended' }],
  skipped: ['nameOrder'],
  cost: { runs: 0, testRuns: 0, withoutTrace: 0, seconds: 0 },
})

it.each([
  ['{', 'sweep.lock is not JSON.'],
  ['[]', 'sweep.lock must be an object with an array "accepted".'],
  ['null', 'sweep.lock must be an object with an array "accepted".'],
  [textOf(entry('t', 'pageUnit=group', ' ')), 'sweep.lock, entry 1 must have a reason.'],
  [textOf(entry('t', 'pageUnit=group'), null), 'sweep.lock, entry 2 must have a test.'],
  [textOf(entry('t', 'pageUnits=group')), 'sweep.lock, entry 1: pageUnits=group: Unknown assumption'],
  [
    textOf(entry('t', 'pageUnit=user')),
    'sweep.lock, entry 1: pageUnit=user: `pageUnit` must be one of transaction, group, got "user"',
  ],
])('rejects the lock file %s', (text, message) => {
  expect(() => parseLock(text, 'sweep.lock')).toThrow(message)
})

it('tells accepted breaks from new ones and finds entries that are stale', () => {
  const lock = parseLock(
    textOf(
      entry('a', 'pageUnit=group'),
      entry('a', 'groupOrder=ledger'),
      entry('*', 'maxPage=1'),
      entry('*', 'userLimit=1'),
      entry('a', 'tieOrder=ledger'),
      entry('a', 'nameOrder=case-insensitive'),
      entry('a', 'pageUnit=group,maxPage=1'),
      entry('stuck', 'pageUnit=group'),
    ),
    'sweep.lock',
  )
  const accepted = [brokenBy('a', { pageUnit: 'group' }), brokenBy('b', { maxPage: 1 })]
  const fresh = brokenBy('b', { pageUnit: 'group' })

  const comparison = compareWithLock(reportOf(...accepted, fresh), lock, false)

  expect(comparison.accepted).toEqual(accepted)
  expect(comparison.unaccepted).toEqual([fresh])
  // Values that were skipped or not tried, and pairs of a sweep without pairs, may still fail.
  expect(comparison.stale.map(({ values }) => values)).toEqual(['groupOrder=ledger', 'userLimit=1'])
})

it('accepts a pair whatever the order of its values', () => {
  const lock = parseLock(textOf(entry('a', 'maxPage=1,pageUnit=group')), 'sweep.lock')

  const { unaccepted } = compareWithLock(reportOf(brokenBy('a', { pageUnit: 'group', maxPage: 1 })), lock, true)

  expect(unaccepted).toEqual([])
})

it.each(['stuck', '*'])('names the values that a test was not tried under, without those accepted for %s', (test) => {
  const { notTried, stale } = compareWithLock(reportOf(), [entry(test, 'pageUnit=group')], false)

  expect(notTried).toEqual([{ test: 'stuck', values: ['createdAtFormat=seconds'], reason: 'run ended' }])
  expect(stale).toEqual([])
})

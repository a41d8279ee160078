import { expect, it } from 'vitest'
import { formatAssumptions, type AssumptionKey } from '../assumptions/index.ts'
import { sweep } from './sweep.ts'
import type { Runner, TestStatus } from './types.ts'

/** A test: the values that change responses to it, and those under which it fails. */
interface FakeTest {
  readonly touches: readonly string[]
  readonly failsUnder: readonly string[]
  /** A value that makes it pass even so. */
  readonly passesUnder?: string
  /** What it touches only where there are several values. */
  readonly touchesThen?: readonly string[]
  /** How it ends where it would fail; the tests after one that hangs do not run. */
  readonly status?: TestStatus
  readonly isCommand?: true
  readonly pinned?: readonly AssumptionKey[]
}

/** A command that always runs all of some tests. */
const suiteOf = (tests: Readonly<Record<string, FakeTest>>) => {
  const runs: string[] = []
  const runner: Runner = {
    selectsTests: false,
    async run({ assumptions, variants }) {
      const values = formatAssumptions(assumptions)
      runs.push(values)
      const names = values.split(',')
      let isStopped = false
      return Object.entries(tests).map(
        ([name, { touches, failsUnder, passesUnder = '', touchesThen = [], status: ending = 'failed', ...rest }]) => {
          const fails = names.some((value) => failsUnder.includes(value)) && !names.includes(passesUnder)
          const status: TestStatus = isStopped ? 'not-run' : fails ? ending : 'passed'
          isStopped ||= status === 'hung'
          // What the test touches beside each of several values.
          const disturbed = variants && [...touches, ...touchesThen].filter((value) => names.includes(value))
          const touched = disturbed ? (disturbed.length > 1 ? disturbed : []) : touches
          return { id: name, name, status, durationMs: 1, touched, ...rest }
        },
      )
    },
    replay: () => '',
    close: async () => {},
  }
  return { runner, runs }
}

const breaksIn = ({ breaks }: Awaited<ReturnType<typeof sweep>>) =>
  breaks.map(({ test, values }) => `${test}: ${formatAssumptions(values)}`)

const dates = ['createdAtFormat=seconds', 'createdAtFormat=offset']

it('does not blame a value for a test that fails beside each of the other values it is tried with', async () => {
  const { runner, runs } = suiteOf({
    'reads dates, and removes what it added at its end': { touches: dates, failsUnder: dates },
    'counts what is there': { touches: ['missingScopeStatus=403'], failsUnder: dates },
  })

  const report = await sweep({ runner })

  expect(runs).toContain('createdAtFormat=seconds,missingScopeStatus=403')
  expect(breaksIn(report)).toEqual([
    'reads dates, and removes what it added at its end: createdAtFormat=seconds',
    'reads dates, and removes what it added at its end: createdAtFormat=offset',
  ])
  expect(report.setAside).toEqual([{ test: 'counts what is there', reason: 'fails after others' }])
})

it('finds a test that fails because of what another test received', async () => {
  const { runner } = suiteOf({
    'fills a cache': { touches: dates, failsUnder: [] },
    'reads the cache': { touches: [], failsUnder: ['createdAtFormat=offset'] },
    'is robust': { touches: ['pageUnit=group'], failsUnder: [] },
  })

  const report = await sweep({ runner })

  expect(breaksIn(report)).toEqual(['reads the cache: createdAtFormat=offset'])
  expect(report.setAside).toEqual([])
})

it('does not count the command as a test', async () => {
  const { runner } = suiteOf({
    'reads dates': { touches: dates, failsUnder: [] },
    command: { touches: dates, failsUnder: [], isCommand: true },
  })

  const { cost } = await sweep({ runner })

  // One test under two of 48 values.
  expect(cost).toMatchObject({ testRuns: 2, withoutTrace: 48 })
})

it('repeats failures together with values under which their tests pass', async () => {
  const { runner, runs } = suiteOf({
    'depends on one': { touches: [...dates, 'pageUnit=group'], failsUnder: ['pageUnit=group'] },
    'depends on another': { touches: [...dates, 'pageUnit=group'], failsUnder: ['createdAtFormat=offset'] },
  })

  const report = await sweep({ runner })

  expect(breaksIn(report)).toEqual(['depends on one: pageUnit=group', 'depends on another: createdAtFormat=offset'])
  expect(runs.filter(Boolean)).toEqual([
    'pageUnit=group',
    'createdAtFormat=seconds',
    'createdAtFormat=offset',
    'pageUnit=group,createdAtFormat=offset',
  ])
})

it('repeats a failure alone if its test passes beside other values', async () => {
  const { runner, runs } = suiteOf({
    'depends on one, which another hides': {
      touches: [...dates, 'pageUnit=group'],
      failsUnder: ['pageUnit=group'],
      passesUnder: 'createdAtFormat=offset',
    },
    'depends on another': {
      touches: ['createdAtFormat=offset', 'pageUnit=group'],
      failsUnder: ['createdAtFormat=offset'],
    },
  })

  const report = await sweep({ runner })

  expect(breaksIn(report)).toEqual([
    'depends on one, which another hides: pageUnit=group',
    'depends on another: createdAtFormat=offset',
  ])
  expect(report.setAside).toEqual([])
  expect(runs.filter(Boolean).slice(3)).toEqual(['pageUnit=group,createdAtFormat=offset', 'pageUnit=group'])
})

it('stops once for a test that hangs in a run of several values, and tries the other values together again', async () => {
  const { runner, runs } = suiteOf({
    hangs: { touches: ['createdAtFormat=seconds'], failsUnder: ['createdAtFormat=seconds'], status: 'hung' },
    'comes after it': { touches: ['pageUnit=group'], failsUnder: ['pageUnit=group'] },
    'comes last': { touches: ['tieOrder=ledger'], failsUnder: [] },
  })

  const report = await sweep({ runner })

  expect(breaksIn(report)).toEqual(['comes after it: pageUnit=group', 'hangs: createdAtFormat=seconds'])
  expect(report.notTriedAfterHang).toEqual([])
  expect(runs.filter(Boolean)).toEqual([
    'pageUnit=group,tieOrder=ledger,createdAtFormat=seconds',
    'pageUnit=group,tieOrder=ledger',
    'createdAtFormat=seconds',
    'pageUnit=group',
  ])
})

it('tries a value alone at once under which a test hangs, if other values may be the cause', async () => {
  const { runner, runs } = suiteOf({
    hangs: {
      touches: ['createdAtFormat=seconds'],
      touchesThen: ['pageUnit=group', 'tieOrder=ledger'],
      failsUnder: ['createdAtFormat=seconds'],
      status: 'hung',
    },
    'comes after it': { touches: ['pageUnit=group'], failsUnder: [] },
    'comes last': { touches: ['tieOrder=ledger'], failsUnder: [] },
  })

  const report = await sweep({ runner })

  expect(breaksIn(report)).toEqual(['hangs: createdAtFormat=seconds'])
  // Together, alone, and once more.
  expect(runs.filter((values) => values.includes('seconds'))).toHaveLength(3)
})

it('says that a test was not tried under a value under which it skips itself', async () => {
  const { runner, runs } = suiteOf({
    'skips itself': { touches: dates, failsUnder: ['createdAtFormat=offset'], status: 'skipped' },
    'is robust': { touches: ['pageUnit=group'], failsUnder: [] },
  })

  const report = await sweep({ runner })

  expect(report.notTriedAfterHang).toEqual([
    { test: 'skips itself', values: ['createdAtFormat=offset'], reason: 'skips itself' },
  ])
  expect(report.survives).toContainEqual({ test: 'skips itself', values: ['createdAtFormat=seconds'] })
  expect(report.setAside).toEqual([])
  // Once for each value: there is no failure to repeat.
  expect(runs.filter(Boolean)).toEqual(['pageUnit=group,createdAtFormat=seconds', 'createdAtFormat=offset'])
})

it('says the same where the value shares a run with others', async () => {
  const { runner } = suiteOf({
    'skips itself': { touches: ['pageUnit=group'], failsUnder: ['pageUnit=group'], status: 'skipped' },
    'is robust': { touches: ['tieOrder=ledger'], failsUnder: [] },
  })

  const report = await sweep({ runner })

  expect(report.notTriedAfterHang).toEqual([
    { test: 'skips itself', values: ['pageUnit=group'], reason: 'skips itself' },
  ])
  expect(report.survives).toEqual([{ test: 'is robust', values: ['tieOrder=ledger'] }])
})

it('says of the tests what they pin, and not of the command', async () => {
  const { runner } = suiteOf({
    pins: { touches: [], failsUnder: [], pinned: ['pageUnit'] },
    'is robust': { touches: ['tieOrder=ledger'], failsUnder: [] },
    command: { touches: ['tieOrder=ledger'], failsUnder: [], pinned: ['pageUnit', 'maxPage'], isCommand: true },
  })

  const report = await sweep({ runner })

  expect(report.pinned).toEqual([{ test: 'pins', values: ['pageUnit'] }])
  // A test that is set aside may pin it.
  expect(report.untouched).not.toContain('maxPage')
})

import { expect, it } from 'vitest'
import { formatAssumptions } from '../assumptions/index.ts'
import { sweep } from './sweep.ts'
import type { Runner } from './types.ts'

/** A test: the values that change responses to it, and those under which it fails. */
interface FakeTest {
  readonly touches: readonly string[]
  readonly failsUnder: readonly string[]
  readonly isCommand?: true
}

/** A command that always runs all of some tests. */
const suiteOf = (tests: Readonly<Record<string, FakeTest>>) => {
  const runs: string[] = []
  const runner: Runner = {
    selectsTests: false,
    async run({ assumptions, variants }) {
      const values = formatAssumptions(assumptions)
      runs.push(values)
      return Object.entries(tests).map(([name, { touches, failsUnder, ...rest }]) => {
        const fails = values.split(',').some((value) => failsUnder.includes(value))
        const touched = variants ? [] : touches
        return { id: name, name, status: fails ? 'failed' : 'passed', durationMs: 1, touched, ...rest }
      })
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

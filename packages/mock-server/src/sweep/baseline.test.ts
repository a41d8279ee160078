import { expect, it } from 'vitest'
import { measureBaseline } from './baseline.ts'
import type { Runner, TestResult } from './types.ts'

const runnerOf = (tests: readonly Pick<TestResult, 'id' | 'status' | 'touched'>[]): Runner => ({
  selectsTests: true,
  run: async ({ trace = false }) =>
    tests.map(({ id, status, touched = [] }) => ({ id, name: id, status, durationMs: 1, ...(trace && { touched }) })),
  replay: () => '',
  close: async () => {},
})

it('sets a test aside that skips itself after it got responses, but none that is skipped at once', async () => {
  const runner = runnerOf([
    { id: 'passes', status: 'passed', touched: ['pageUnit=group'] },
    { id: 'skips itself after a response', status: 'skipped', touched: ['pageUnit=group'] },
    { id: 'is skipped at once', status: 'skipped' },
  ])

  const { setAside, stable } = await measureBaseline(runner, {}, ['pageUnit=group'])

  expect(setAside).toEqual([{ test: 'skips itself after a response', reason: 'skips itself' }])
  expect([...stable.keys()]).toEqual(['passes'])
})

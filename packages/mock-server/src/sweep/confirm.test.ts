import { expect, it } from 'vitest'
import { attemptResults, separatingParts } from './confirm.ts'
import type { Runner, TestStatus } from './types.ts'

it.each([
  [0, 0],
  [1, 1],
  [2, 2],
  [3, 3],
  [6, 4],
  [7, 5],
  [50, 8],
])('separates each of %i tests from each other one with %i runs', (count, runs) => {
  const ids = Array.from({ length: count }, (_, i) => `t${i}`)

  const parts = separatingParts(ids)

  for (const one of ids) {
    for (const other of ids) expect(one === other || parts.some((part) => part.has(one) && !part.has(other))).toBe(true)
    expect(parts.some((part) => part.has(one))).toBe(true)
  }
  expect(parts).toHaveLength(runs)
})

/** A runner in which a test that hangs keeps those after it from running. */
const runnerWith = (hanging: readonly string[], selectsTests: boolean): { runner: Runner; runs: string[][] } => {
  const runs: string[][] = []
  const runner: Runner = {
    selectsTests,
    async run({ tests = new Set() }) {
      const ids = [...tests]
      runs.push(ids)
      const first = ids.findIndex((id) => hanging.includes(id))
      const statusAt = (at: number): TestStatus =>
        at === first ? 'hung' : first >= 0 && at > first ? 'not-run' : 'passed'
      return ids.map((id, at) => ({ id, name: id, status: statusAt(at), durationMs: 0 }))
    },
    replay: () => '',
    close: async () => {},
  }
  return { runner, runs }
}

const ids = ['a', 'b', 'c', 'd', 'e']
const baseline = {
  stable: new Map(ids.map((id) => [id, { id, name: id, status: 'passed' as const, durationMs: 0 }])),
  limits: { timeoutMs: 1, testTimeoutMs: 1 },
}
const attempt = { assumptions: {}, tests: new Set(ids) }

it('runs tests again that did not run because another one hung, without that one', async () => {
  const { runner, runs } = runnerWith(['b', 'd'], true)

  const { failures, notRun } = await attemptResults(runner, baseline, attempt)

  expect(runs).toEqual([ids, ['c', 'd', 'e'], ['e']])
  expect(failures.map(({ id, status }) => [id, status])).toEqual([
    ['b', 'hung'],
    ['d', 'hung'],
  ])
  expect([...notRun]).toEqual([])
})

it('names the tests that did not run where a run always has all tests', async () => {
  const { runner, runs } = runnerWith(['b'], false)

  const { notRun } = await attemptResults(runner, baseline, attempt)

  expect(runs).toEqual([ids])
  expect([...notRun.keys()]).toEqual(['c', 'd', 'e'])
})

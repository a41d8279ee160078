import { expect, it } from 'vitest'
import type { TraceEvent } from '../../assumptions/index.ts'
import type { ReportedTest } from './junit-results.ts'
import { runningTests } from './running-tests.ts'

const test = (id: string): ReportedTest => ({
  result: { id, name: id, status: 'passed', durationMs: 1 },
  traceNames: [`/bot.test.js > ${id}`],
  suiteNames: [],
})
const known = ['a', 'b', 'c'].map(test)
const responseTo = (...tests: string[]): TraceEvent => ({
  touched: [],
  pinned: [],
  tests: tests.map((id) => `/bot.test.js > ${id}`),
})
const events = [responseTo('a'), responseTo('b'), responseTo()]

it('are the ones that the test runner names', () => {
  expect([...runningTests({ running: ['/bot.test.js > c'], events, known, reported: [] })]).toEqual(['c'])
})

it('are otherwise the one without a result that got the last response', () => {
  expect([...runningTests({ running: [], events, known, reported: [] })]).toEqual(['b'])
  expect([...runningTests({ running: [], events, known, reported: [test('b')] })]).toEqual(['a'])
})

it('are unknown where neither tells', () => {
  expect([...runningTests({ running: [], events: [responseTo()], known, reported: [] })]).toEqual([])
})

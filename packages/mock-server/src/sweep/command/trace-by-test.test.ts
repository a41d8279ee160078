import { expect, it } from 'vitest'
import type { TraceEvent } from '../../assumptions/index.ts'
import { junitTests } from './junit-results.ts'
import { traceByTest } from './trace-by-test.ts'

const [file, xml] = [
  'report.xml',
  `<testsuites><testsuite name="pages"><testcase name="counts" classname="pages" file="/bot.test.js"/></testsuite>
  <testcase name="sorts" classname="test" file="/bot.test.js"/>
  <testcase name="pages" classname="test" file="/bot.test.js"/>
  <testcase name="is skipped" classname="test" file="/bot.test.js"><skipped/></testcase></testsuites>`,
]
const groupIn = (...tests: string[]): TraceEvent => ({
  touched: [{ key: 'pageUnit', value: 'group' }],
  pinned: [],
  tests,
})
const touchedBy = (event: TraceEvent) => {
  const tests = junitTests([{ file, xml }])
  const traceOf = traceByTest([event], tests)
  const [counts = '', sorts = '', , skipped = ''] = tests.map(({ result }) => result.id)
  return [traceOf(counts).touched, traceOf(sorts).touched, traceOf(skipped).touched]
}

it('tells what each test touches, by its file and full name', () => {
  expect(touchedBy(groupIn('/bot.test.js > pages > counts'))).toEqual([['pageUnit=group'], [], []])
})

it('tells what a test touches that skips itself after a response', () => {
  expect(touchedBy(groupIn('/bot.test.js > is skipped'))).toEqual([[], [], ['pageUnit=group']])
})

it.each([
  ['is unknown', []],
  ['is not in the report', ['/bot.test.js > <root>']],
  ['may be a hook of a suite with the name of a test', ['/bot.test.js > pages']],
])('takes a response to concern all tests that ran when the test that got it %s', (_case, tests) => {
  expect(touchedBy(groupIn(...tests))).toEqual([['pageUnit=group'], ['pageUnit=group'], []])
})

import { expect, it } from 'vitest'
import { unnamedFailuresIn } from './unnamed-failures.ts'

const passed = '<testcase name="passes"/>'
const failed = '<testcase name="fails"><failure/></testcase>'
const toDo = '<testcase name="later"><skipped type="todo"/><failure/></testcase>'
const group = (...cases: string[]) => `<testsuite name="group">${cases.join('')}</testsuite>`
/** What node:test writes: a test with subtests is a test suite, whose own failure only shows in the number at the end. */
const report = (cases: string, fail: number, cancelled = 0) => ({
  file: 'report.xml',
  xml: `<testsuites>${cases}
    <!-- tests 9 -->
    <!-- suites 9 -->
    <!-- pass 9 -->
    <!-- fail ${fail} -->
    <!-- cancelled ${cancelled} -->
  </testsuites>`,
})

it.each([
  ['a test with subtests fails by itself', report(group(passed), 1), 1],
  ['a test with subtests fails by itself, and another test fails', report(failed + group(passed), 2), 1],
  ['it and a test in a suite fail (not distinguishable from a subtest)', report(group(failed) + group(passed), 2), 0],
  ['a test that is still to do fails, too', report(toDo + group(passed), 1), 1],
  ['a subtest fails', report(group(failed) + group(passed), 2), 0],
  ['a subtest is cancelled', report(group(failed), 1, 1), 0],
  ['a test in a suite fails', report(group(failed), 1), 0],
  ['a test fails', report(failed, 1), 0],
  ['no test fails', report(group(passed), 0), 0],
  ['another test runner wrote the report', { file: 'report.xml', xml: `<testsuites>${group(failed)}</testsuites>` }, 0],
  ['the report is cut', { file: 'report.xml', xml: `<testsuites>${group(passed)}` }, 0],
])('counts the failures that a report does not name, where %s', (_case, one, expected) => {
  expect(unnamedFailuresIn([one])).toBe(expected)
})

import { expect, it } from 'vitest'
import { junitTests } from './junit.ts'

const runs = (xml: string) =>
  junitTests([{ file: 'r.xml', xml }]).map(({ run: { name, status, message } }) => [name, status, message])

it('junitTests names tests by file or class, suites and name, each once', () => {
  expect(
    runs(`<testsuites><testsuite name="s"><testcase name="a &lt;b&gt;" classname="pkg.test_x"/>
      <testcase name="a &lt;b&gt;" classname="pkg.test_x"/></testsuite>
      <testcase name="top" classname="test" file="${process.cwd()}/x.test.js"/></testsuites>`),
  ).toEqual([
    ['x.test.js > top', 'passed', undefined],
    ['pkg.test_x > s > a <b>', 'passed', undefined],
    ['pkg.test_x > s > a <b> (2)', 'passed', undefined],
  ])
})

it('junitTests tells failures, time-outs, skipped and expected failures apart', () => {
  expect(
    runs(`<testsuite name="pytest"><testcase name="1"><failure message="AssertionError: x&#10;y">trace</failure></testcase>
      <testcase name="2"><error message='failed on setup with "no fixture"'/></testcase>
      <testcase name="3"><failure message="test timed out after 100ms"/></testcase>
      <testcase name="4"><skipped/></testcase><testcase name="5"><skipped type="pytest.xfail"/></testcase></testsuite>`),
  ).toEqual([
    ['1', 'failed', 'AssertionError: x'],
    ['2', 'failed', 'failed on setup: no fixture'],
    ['3', 'hung', 'test timed out after 100ms'],
    ['4', 'skipped', undefined],
    ['5', 'passed', undefined],
  ])
})

it('junitTests takes the whole tests of a report that is cut', () => {
  expect(runs('<testsuites><testcase name="1"/><testcase name="2"></testcase><testcase name="3"><fail')).toEqual([
    ['1', 'passed', undefined],
    ['2', 'passed', undefined],
  ])
})

it.each([
  ['{}', 'r.xml is not JUnit XML: its root is not <testsuites>.'],
  ['<html/>', 'r.xml is not JUnit XML: its root is not <testsuites>.'],
  ['<testsuites><a', 'r.xml is not XML: '],
])('junitTests rejects %j', (xml, message) => {
  expect(() => runs(xml)).toThrow(message)
})

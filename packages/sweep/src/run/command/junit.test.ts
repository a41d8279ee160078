import { expect, it } from 'vitest'
import { junitTests } from './junit.ts'
import { commandRun } from './missing.ts'

const runs = (xml: string) =>
  junitTests([{ file: 'r.xml', xml }]).map(({ run: { name, status, message } }) => [name, status, message])

it('junitTests names tests by file or class, suites and name, each once', () => {
  expect(
    runs(`<testsuites><testsuite name="rspec"><testsuite name="s"><testcase name="a &lt;b&gt;" classname="pkg.test_x"/>
      <testcase name="a &lt;b&gt;" classname="pkg.test_x"/></testsuite></testsuite><testsuite name="JUnit Jupiter">
      <testcase name="top" classname="test" file="${process.cwd()}/x.test.js"/></testsuite>
      <testsuite name="s" file="${process.cwd()}/m.js"><testcase name="s counts all" classname="counts all"/></testsuite>
      <testsuite name="/app/phpunit.xml"><testsuite name="A\\B"><testsuite name="A\\B::testC">
      <testcase name="testC #0" classname="A.B" file="/app/B.php"/></testsuite></testsuite></testsuite>
      <testsuite name="C"><testsuite name="C::testD"><testcase name="testD #0" classname="C" file="C.php"/></testsuite>
      </testsuite><testsuite name="a.js"><testcase name="s" classname="a.js" file="a.js"/><testsuite name="s">
      <testcase name="passes" classname="a.js &gt; s"/><testcase name="fails" classname="a.js &gt; s" file="helper.js"/>
      </testsuite></testsuite></testsuites>`),
  ).toEqual([
    ['pkg.test_x > s > a <b>', 'passed', undefined],
    ['pkg.test_x > s > a <b> (2)', 'passed', undefined],
    ['x.test.js > top', 'passed', undefined],
    ['m.js > s counts all', 'passed', undefined],
    ['A.B > testC #0', 'passed', undefined],
    ['C.php > C > testD #0', 'passed', undefined],
    ['a.js > s', 'passed', undefined],
    ['a.js > s > passes', 'passed', undefined],
    ['a.js > s > fails', 'passed', undefined],
  ])
})

it('junitTests tells failures, time-outs, skipped and expected failures apart', () => {
  expect(
    runs(`<testsuite name="pytest"><testcase name="1"><failure message="AssertionError: x&#10;y">trace</failure></testcase>
      <testcase name="2"><error message='failed on setup with "no fixture"'/></testcase>
      <testcase name="3"><failure message="test timed out after 100ms"/></testcase>
      <testcase name="4"><skipped/></testcase><testcase name="5"><skipped type="pytest.xfail"/></testcase>
      <testcase name="6" status="notrun"/><testcase name="7" status="disabled"/></testsuite>`),
  ).toEqual([
    ['1', 'failed', 'AssertionError: x'],
    ['2', 'failed', 'failed on setup: no fixture'],
    ['3', 'hung', 'test timed out after 100ms'],
    ['4', 'skipped', undefined],
    ['5', 'passed', undefined],
    ['6', 'skipped', undefined],
    ['7', 'skipped', undefined],
  ])
})

it.each([
  ['Go', '<failure message="Failed">=== RUN TestA\n  a_test.go:3: got 97</failure>', 'failed', 'a_test.go:3: got 97'],
  ['testify', '<failure>a.go:3: \n\tError Trace:\ta.go:3\n\tError:\tgot 97</failure>', 'failed', 'Error: got 97'],
  ['Go, in a panic', '<failure>--- FAIL: TestA (0.00s)\npanic: odd</failure>', 'failed', 'panic: odd'],
  ['PHPUnit', String.raw`<failure>A\B::testA&#10;Failed asserting it.</failure>`, 'failed', 'Failed asserting it.'],
  ['GoogleTest', '<failure message="a.cc:31&#10;Expected:&#10;  5"/>', 'failed', 'Expected: 5'],
  ['Rust', '<failure message="thread \'a\' panicked at a.rs:3:5">left: 97</failure>', 'failed', 'left: 97'],
  ['AVA', '<failure>\n  ---\n    name: Error\n    message: got 97\n  ...</failure>', 'failed', 'got 97'],
  ['XCTest', '<failure message="failed"/>', 'failed', 'failed'],
  ['Playwright', '<failure message="a.ts:3:5 a">Test timeout of 9ms exceeded.</failure>', 'hung', 'a.ts:3:5 a'],
  ['nextest', '<failure type="test timeout">late</failure>', 'hung', 'late'],
])('junitTests says how a test of %s failed', (_runner, failure, status, message) => {
  expect(runs(`<testsuite><testcase name="1">${failure}</testcase></testsuite>`)).toEqual([['1', status, message]])
})

it('commandRun says why a command failed that has no report', () => {
  const end = { exitCode: 1, signal: null, timedOut: false }
  const messageOf = (output: string) => commandRun('npm test', { ...end, output }, []).message

  expect(messageOf('FAIL "a"\n  got 97\n\u001B[90m\n  at a (a.mjs:3:1)\n\n  Total: 3')).toBe('got 97')
  expect(messageOf('  Message:\n    Error: got 97\n  Stack:\n    at a (a.mjs:3:1)\nSeed 3')).toBe('Error: got 97')
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

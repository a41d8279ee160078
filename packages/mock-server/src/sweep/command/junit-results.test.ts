import { expect, it } from 'vitest'
import { junitTests } from './junit-results.ts'

const report = (cases: string) => [
  { file: 'report.xml', xml: `<?xml version="1.0"?>\n<testsuites>${cases}</testsuites>` },
]

it('reads what pytest writes', () => {
  const xml = `<testsuite name="pytest" tests="2"><testcase classname="tests.test_bot" name="test_sum[a&amp;b]" time="0.25" />
    <testcase classname="tests.test_bot" name="test_page" time="0.5"><failure message="AssertionError: assert 1 == 2&#10;more">tests/test_bot.py:12: AssertionError</failure></testcase></testsuite>`

  expect(junitTests(report(xml)).map(({ result }) => result)).toEqual([
    { id: 'tests.test_bot > test_sum[a&b]', name: 'tests.test_bot > test_sum[a&b]', status: 'passed', durationMs: 250 },
    {
      id: 'tests.test_bot > test_page',
      name: 'tests.test_bot > test_page',
      status: 'failed',
      durationMs: 500,
      message: 'AssertionError: assert 1 == 2',
      location: 'tests/test_bot.py:12',
    },
  ])
})

it('reads what node:test writes, and takes a timeout for a hang', () => {
  const xml = `<testsuite name="pages"><testcase name="counts" classname="test" file="src/bot.test.js" time="0.1"/></testsuite>
    <testcase name="ends" classname="test" file="src/bot.test.js" time="1"><failure type="testTimeoutFailure" message="test timed out after 1000ms"><![CDATA[at <b>]]></failure></testcase>
    <testcase name="later" classname="test" file="src/bot.test.js"><skipped/></testcase>`

  expect(junitTests(report(xml)).map(({ result }) => [result.name, result.status])).toEqual([
    ['src/bot.test.js > pages > counts', 'passed'],
    ['src/bot.test.js > ends', 'hung'],
    ['src/bot.test.js > later', 'skipped'],
  ])
})

it.each([
  ['passed', '<skipped type="pytest.xfail" message=""/>'],
  ['skipped', '<skipped type="pytest.skip" message="no"/>'],
  ['skipped', '<skipped type="todo" message="true"/><failure type="testCodeFailure" message="no"/>'],
])('takes a test for %s that is reported with %s', (status, result) => {
  const xml = `<testcase classname="c" name="n">${result}</testcase>`

  expect(junitTests(report(xml)).map((test) => test.result.status)).toEqual([status])
})

it('names tests by the file and the suites, where the class name has neither', () => {
  const bun = `<testsuite name="a.test.js" file="a.test.js"><testcase name="t" classname="" file="a.test.js"/>
    <testsuite name="s"><testcase name="t" classname="s" file="a.test.js"/></testsuite></testsuite>`
  const jest = '<testsuite name="s"><testcase classname="s t" name="s t"/></testsuite>'
  const mocha = '<testsuite name="Mocha Tests"><testcase classname="s" name="t"/></testsuite>'

  expect(junitTests(report(bun + jest + mocha)).map(({ result }) => result.name)).toEqual([
    'a.test.js > t',
    'a.test.js > s > t',
    's t',
    's > t',
  ])
})

it('tells tests of two files of node:test apart that have the same suites and names', () => {
  const suite = (file: string) =>
    `<testsuite name="s"><testcase classname="s" name="t" file="${file}"/>
      <testsuite name="inner"><testcase classname="s.inner" name="inner test" file="${file}"/></testsuite></testsuite>`

  expect(junitTests(report(suite('a.test.js') + suite('b.test.js'))).map(({ result }) => result.id)).toEqual([
    'a.test.js > s > t',
    'a.test.js > s > inner > inner test',
    'b.test.js > s > t',
    'b.test.js > s > inner > inner test',
  ])
})

it('reads the failure of a fixture of pytest, without the sentence around it', () => {
  const xml = `<testcase classname="c" name="n">
    <error message="failed on teardown with &quot;AssertionError: assert 0 == 1&#10; +  where 0 = groups()&quot;">text</error></testcase>`

  expect(junitTests(report(xml)).map(({ result }) => result.message)).toEqual([
    'failed on teardown: AssertionError: assert 0 == 1',
  ])
})

it('gives tests of the same name a number each', () => {
  const xml = '<testsuite><testcase classname="c" name="n"/><testcase classname="c" name="n"/></testsuite>'

  expect(junitTests(report(xml)).map(({ result }) => result.id)).toEqual(['c > n', 'c > n (2)'])
})

it.each([
  '',
  'no xml',
  '<testsuites>',
  '<testsuites></testsuite>',
  '{"tests":1}',
  '<a b=1/>',
  '<a/><b/>',
  '<testsuites/>tail',
])('rejects the report %j with one sentence that names the file', (xml) => {
  expect(() => junitTests([{ file: 'report.xml', xml }])).toThrow(
    'report.xml is not XML: the test runner has to write JUnit XML there.',
  )
})

it('rejects XML that is no JUnit report', () => {
  expect(() => junitTests([{ file: 'report.xml', xml: '<coverage/>' }])).toThrow(
    'report.xml is not JUnit XML: its root is <coverage>, not <testsuites>.',
  )
})

it.each([
  ['', ['c > a: passed']],
  ['<testcase classname="c" name="b"', ['c > a: passed']],
  ['<testcase classname="c" name="b"><failure message="x"/>', ['c > a: passed']],
  ['<testcase classname="c" name="b"><failure message="x"/></testcase><testc', ['c > a: passed', 'c > b: failed']],
])('reads the tests that come before the end of a report that is cut after %j', (rest, expected) => {
  const [{ file, xml }] = report('<testsuite name="pytest"><testcase classname="c" name="a"/>') as [
    { file: string; xml: string },
  ]
  const cut = xml.replace('</testsuites>', rest)

  const tests = junitTests([{ file, xml: cut }], true).map(({ result }) => `${result.id}: ${result.status}`)

  expect(tests).toEqual(expected)
})

import { relative } from 'node:path'
import { firstLine, isTimeout, locationIn } from '../failure-text.ts'
import { SweepInputError } from '../input-error.ts'
import type { TestResult } from '../types.ts'
import { parseXml, type XmlElement } from './parse-xml.ts'

const testcasesIn = (element: XmlElement, suites: readonly string[] = []): [XmlElement, readonly string[]][] =>
  element.children.flatMap((child): [XmlElement, readonly string[]][] => {
    // Where the report is cut, it is unknown how its last test ended.
    if (child.name === 'testcase') return child.isCut ? [] : [[child, suites]]
    if (child.name !== 'testsuite') return []
    return testcasesIn(child, [...suites, child.attributes.name ?? ''])
  })

/** File or class, then the suites that are not the report's own, then the test. */
const nameOf = ({ attributes }: XmlElement, suites: readonly string[]): string => {
  const { classname = '', name = '' } = attributes
  const file = attributes.file && relative('', attributes.file)
  // node:test: the class name has the suites, and the file is on the test.
  if (file !== undefined && suites.length > 0 && classname === suites.join('.'))
    return [file, ...suites, name].join(' > ')
  // Bun: the class name has a suite or nothing. Jest: it repeats the name.
  const isPlace = !['', 'test', name, ...(file === undefined ? [] : suites)].includes(classname)
  const place = isPlace ? classname : file
  const generic = new Set(['', 'test', 'pytest', 'Mocha Tests', place, file])
  const inner = suites.filter((suite) => !generic.has(suite) && !name.startsWith(suite))
  return [place, ...inner, name].filter(Boolean).join(' > ')
}

/** pytest quotes the failure of a fixture in a sentence. */
const fixtureFailure = /^(failed on (?:setup|teardown)) with "([\s\S]*)"$/

const resultOf = ([testcase, suites]: [XmlElement, readonly string[]]): TestResult => {
  const name = nameOf(testcase, suites)
  const durationMs = Number(testcase.attributes.time ?? 0) * 1000 || 0
  const skipped = testcase.children.find((child) => child.name === 'skipped')
  // node:test: a test that is still to do may fail.
  if (skipped?.attributes.type === 'todo') return { id: name, name, status: 'skipped', durationMs }
  const failure = testcase.children.find((child) => child.name === 'failure' || child.name === 'error')
  if (failure) {
    const { message = '', type = '' } = failure.attributes
    const status = isTimeout(`${message}\n${type}\n${failure.text}`) ? 'hung' : 'failed'
    const text = message.replace(fixtureFailure, '$1: $2') || failure.text
    return { id: name, name, status, durationMs, message: firstLine(text), location: locationIn(failure.text) }
  }
  // pytest: a test that fails, as it is expected to, ran.
  const ran = skipped === undefined || skipped.attributes.type === 'pytest.xfail'
  return { id: name, name, status: ran ? 'passed' : 'skipped', durationMs }
}

/** A test in a report, and how a trace may name it. */
export interface ReportedTest {
  readonly result: TestResult
  readonly traceNames: readonly string[]
  /** How a trace may name the suites that it is in. */
  readonly suiteNames: readonly string[]
}

const reportedTestOf = ([testcase, suites]: [XmlElement, readonly string[]]): ReportedTest => {
  const { file, classname, name = '' } = testcase.attributes
  const traceNames = [[file, ...suites, name].join(' > '), [classname, name].join(' > ')]
  const suiteNames = suites.map((_suite, at) => [file, ...suites.slice(0, at + 1)].join(' > '))
  return { result: resultOf([testcase, suites]), traceNames, suiteNames }
}

/** Tests of the same name get a number. */
const withUniqueIds = (tests: readonly ReportedTest[]): ReportedTest[] => {
  const counts = new Map<string, number>()
  return tests.map(({ result, ...names }) => {
    const count = (counts.get(result.id) ?? 0) + 1
    counts.set(result.id, count)
    if (count === 1) return { result, ...names }
    const numbered = { id: `${result.id} (${count})`, name: `${result.name} (${count})` }
    return { result: { ...result, ...numbered }, ...names }
  })
}

/**
 * The tests in JUnit XML reports. With `mayBeCut`, the end of a report may be missing.
 *
 * @throws {SweepInputError} A report is not XML, or no JUnit.
 */
export const junitTests = (
  reports: readonly { readonly file: string; readonly xml: string }[],
  mayBeCut = false,
): ReportedTest[] =>
  withUniqueIds(
    reports.flatMap(({ file, xml }) => {
      const root = parseXml(xml, file, mayBeCut)
      if (root.name !== 'testsuites' && root.name !== 'testsuite') {
        throw new SweepInputError(`${file} is not JUnit XML: its root is <${root.name}>, not <testsuites>.`)
      }
      const top = root.name === 'testsuite' ? { ...root, children: [root] } : root
      return testcasesIn(top).map(reportedTestOf)
    }),
  )

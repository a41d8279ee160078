import { isAbsolute } from 'node:path'
import { XMLParser } from 'fast-xml-parser'
import { SweepError, type TestRun } from '../../types.ts'
import { firstLine, isTimeout } from '../failure-text.ts'
import { locationIn, shownPath } from '../location.ts'

/** One report file. */
export interface ReportFile {
  readonly file: string
  readonly xml: string
}

/** A test in a report, and how a trace may name it. */
export interface ReportedTest {
  readonly run: TestRun
  readonly traceNames: readonly string[]
  /** How a trace may name the suites that it is in. */
  readonly suiteNames: readonly string[]
}

type Attributes = Readonly<Partial<Record<`@${string}`, string>>>
/** Something inside a testcase, such as a failure. */
type Outcome = Attributes & { readonly '#text'?: string }
type Testcase = Attributes & { readonly [Name in 'failure' | 'error' | 'skipped']?: readonly Outcome[] }
interface Suite extends Partial<Record<'@name' | '@file', string>> {
  readonly testcase?: readonly Testcase[]
  readonly testsuite?: readonly Suite[]
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  alwaysCreateTextNode: true,
  parseTagValue: false,
  htmlEntities: true,
  isArray: (name) => ['testsuite', 'testcase', 'failure', 'error', 'skipped'].includes(name),
})

/** The end of a report may be missing where its writer was stopped: then the last whole test is the end. */
const whole = (xml: string): string => {
  if (/<\/testsuites?>\s*(?:<!--[\s\S]*?-->\s*)*$/.test(xml)) return xml
  const last = [...xml.matchAll(/<testcase\b[^<>]*\/>|<\/testcase>/g)].at(-1)
  return last ? xml.slice(0, last.index + last[0].length) : xml
}

const rootOf = ({ file, xml }: ReportFile): Suite => {
  try {
    const { testsuites, testsuite } = parser.parse(whole(xml)) as { testsuites?: Suite; testsuite?: Suite[] }
    if (testsuites ?? testsuite) return testsuites ?? { testsuite: testsuite ?? [] }
  } catch (error) {
    throw new SweepError(`${file} is not XML: ${(error as Error).message}.`, { cause: error })
  }
  throw new SweepError(`${file} is not JUnit XML: its root is not <testsuites>.`)
}

/** A testcase, and the names of the suites around it. */
type Found = readonly [testcase: Testcase, suites: readonly string[]]

/** Mocha: the file is on the suite. */
const testcasesIn = (
  { testcase = [], testsuite = [], '@file': file }: Suite,
  suites: readonly string[] = [],
): Found[] => [
  ...testcase.map((one): Found => [{ ...(file && { '@file': file }), ...one }, suites]),
  ...testsuite.flatMap((suite) => testcasesIn(suite, [...suites, suite['@name'] ?? ''])),
]

/** File or class, then the suites that are not the report's own, then the test. */
const nameOf = ([testcase, suites]: Found): string => {
  const { '@classname': classname = '', '@name': name = '' } = testcase
  const file = testcase['@file'] && shownPath(testcase['@file'])
  // node:test, node-tap: the class name has the suites. The file is on the test, or is the outermost suite.
  if (file !== undefined && suites.length > 0 && classname === suites.join('.'))
    return [...(suites[0] === file ? [] : [file]), ...suites, name].join(' > ')
  if (suites.length > 1 && classname === suites.join(' > ')) return `${classname} > ${name}`
  // Bun: the class name has a suite or nothing. Jest: it repeats the name. Mocha: it repeats the end of the name.
  const isRepeated = ` ${name}`.endsWith(` ${classname}`)
  const isPlace = !isRepeated && !['', 'test', ...(file === undefined ? [] : suites)].includes(classname)
  const place = isPlace ? classname : file
  const generic = new Set(['', 'test', 'pytest', 'rspec', 'JUnit Jupiter', 'Mocha Tests', place, file])
  // PHPUnit: a suite is its file, the class with other separators, or both class and test.
  const isKnown = (suite: string) =>
    isAbsolute(suite) || suite.replaceAll('\\', '.').split('::')[0] === (suite.includes('::') ? classname : place)
  const inner = suites.filter((suite) => !generic.has(suite) && !name.startsWith(suite) && !isKnown(suite))
  return [place, ...inner, name].filter(Boolean).join(' > ')
}

/** pytest quotes the failure of a fixture in a sentence. */
const fixtureFailure = /^(failed on (?:setup|teardown)) with "([\s\S]*)"$/

const runOf = (found: Found): TestRun => {
  const [{ skipped: [skipped] = [], failure = [], error = [], '@file': file = '', '@time': time, ...rest }] = found
  const common = { name: nameOf(found), file, durationMs: Number(time ?? 0) * 1000 || 0 }
  // node:test: a test that is still to do may fail.
  if (skipped?.['@type'] === 'todo') return { ...common, status: 'skipped' }
  const [failed] = [...failure, ...error]
  if (failed) {
    const { '@message': message = '', '@type': type = '', '#text': stack = '' } = failed
    const status = isTimeout(`${message}\n${type}\n${stack}`) ? 'hung' : 'failed'
    const text = `${message.replace(fixtureFailure, '$1: $2')}\n${stack}`
    return { ...common, status, message: firstLine(text), location: locationIn(stack) }
  }
  // GoogleTest and CTest: only the status says that a test is switched off. pytest: a test that fails, as expected, ran.
  const isOff = skipped !== undefined || ['notrun', 'disabled'].includes(rest['@status'] ?? '')
  const ran = !isOff || skipped?.['@type'] === 'pytest.xfail'
  return { ...common, status: ran ? 'passed' : 'skipped' }
}

const reportedOf = (found: Found): ReportedTest => {
  const [{ '@file': file, '@classname': classname, '@name': name = '' }, suites] = found
  return {
    run: runOf(found),
    traceNames: [[file, ...suites, name].join(' > '), [classname, name].join(' > ')],
    suiteNames: suites.map((_suite, at) => [file, ...suites.slice(0, at + 1)].join(' > ')),
  }
}

/**
 * The tests in JUnit XML reports, each by a name of its own.
 *
 * @throws {SweepError} A report is not XML, or no JUnit.
 */
export const junitTests = (reports: readonly ReportFile[]): ReportedTest[] => {
  const counts = new Map<string, number>()
  return reports
    .flatMap((report) => testcasesIn(rootOf(report)).map(reportedOf))
    .map((test) => {
      const { name } = test.run
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      return count === 1 ? test : { ...test, run: { ...test.run, name: `${name} (${count})` } }
    })
}

import { parseXml, type XmlElement } from './parse-xml.ts'

/** The numbers that node:test writes at the end. They do not count suites. */
const numbers =
  /<!-- tests \d+ -->\s*<!-- suites \d+ -->\s*<!-- pass \d+ -->\s*<!-- fail (\d+) -->\s*<!-- cancelled (\d+) -->/g

const elementsIn = (element: XmlElement): XmlElement[] => [element, ...element.children.flatMap(elementsIn)]

const isFailed = ({ name, children }: XmlElement): boolean =>
  name === 'testcase' &&
  children.some((child) => child.name === 'failure') &&
  // A test that is still to do does not count.
  children.every((child) => child.name !== 'skipped')

/**
 * How many tests failed that a report does not name. node:test writes a test with subtests as a test suite, without its
 * own failure; only the number of failures at the end has it. The result may be too low, but never too high.
 */
const unnamedFailures = ({ file, xml }: { readonly file: string; readonly xml: string }): number => {
  const last = [...xml.matchAll(numbers)].at(-1)
  if (!last) return 0
  const [failed = 0, cancelled = 0] = last.slice(1).map(Number)
  const elements = elementsIn(parseXml(xml, file, true))
  // A failed subtest makes the test around it fail; a suite looks the same.
  const isExplained = (element: XmlElement) => element.name === 'testsuite' && elementsIn(element).some(isFailed)
  const named = elements.filter((element) => isFailed(element) || isExplained(element)).length
  return Math.max(0, failed + cancelled - named)
}

/** How many tests failed that the reports do not name. */
export const unnamedFailuresIn = (reports: readonly { readonly file: string; readonly xml: string }[]): number =>
  reports.map(unnamedFailures).reduce((sum, count) => sum + count, 0)

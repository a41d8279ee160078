import { formatAssumptions } from '../../assumptions/index.ts'
import type { SweepReport } from '../types.ts'
import { linesOfBreak, notTriedLabels, type ReportInput } from './describe.ts'

// XML 1.0 has no way to write these.
const unwritable =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

const escaped = (text: string): string =>
  text
    .replaceAll(unwritable, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

const testcase = (values: string, test: string, inner?: string): string => {
  const head = `    <testcase classname="${escaped(values)}" name="${escaped(test)}"`
  return inner === undefined ? `${head}/>` : `${head}>\n      ${inner}\n    </testcase>`
}

const failure = (message: string, text: string): string =>
  `<failure message="${escaped(message)}">${escaped(text)}</failure>`

const skipped = (message: string): string => `<skipped message="${escaped(message)}"/>`

/** What has no result: tests without one under a value, tests that were set aside, and values without time. */
const skippedIn = ({ notTried, notTriedAfterHang, setAside }: SweepReport): string[] => [
  ...notTriedAfterHang.flatMap(({ test, values, reason }) =>
    values.map((value) => testcase(value, test, skipped(`Not tried: ${notTriedLabels[reason]}.`))),
  ),
  ...setAside.map(({ test, reason }) => testcase('any value', test, skipped(`Set aside: ${reason}.`))),
  ...notTried.map((values) => testcase(values, 'all tests', skipped('Not tried, because the time was up.'))),
]

/**
 * The report as JUnit XML: a test case for each test and each value that concerns it. What has no result is a test case
 * that is skipped.
 */
export const junitReport = ({ report, lock }: ReportInput): string => {
  const failures = [
    ...lock.unaccepted.map((one) =>
      testcase(
        formatAssumptions(one.values),
        one.test,
        failure(
          one.message ?? one.kind,
          linesOfBreak(one)
            .map(([label, text]) => `${label}: ${text}`)
            .join('\n'),
        ),
      ),
    ),
    ...lock.stale.map(({ test, values }) =>
      testcase(values, test, failure('Accepted, but it does not fail any more: remove the entry.', '')),
    ),
  ]
  const passes = [
    ...report.survives.flatMap(({ test, values }) => values.map((value) => testcase(value, test))),
    ...lock.accepted.map(({ test, values }) => testcase(formatAssumptions(values), test)),
  ]
  const withoutResult = skippedIn(report)
  const cases = [...failures, ...passes, ...withoutResult]
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="sweep" tests="${cases.length}" failures="${failures.length}" skipped="${withoutResult.length}">
${cases.join('\n')}
  </testsuite>
</testsuites>
`
}

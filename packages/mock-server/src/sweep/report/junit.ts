import { formatAssumptions } from '../../assumptions/index.ts'
import { linesOfBreak, type ReportInput } from './describe.ts'

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

const testcase = (values: string, test: string, failure?: { message: string; text: string }): string => {
  const head = `    <testcase classname="${escaped(values)}" name="${escaped(test)}"`
  if (!failure) return `${head}/>`
  return `${head}>\n      <failure message="${escaped(failure.message)}">${escaped(failure.text)}</failure>\n    </testcase>`
}

/** The report as JUnit XML: a test case for each test and each value that concerns it. */
export const junitReport = ({ report, lock }: ReportInput): string => {
  const failures = [
    ...lock.unaccepted.map((one) =>
      testcase(formatAssumptions(one.values), one.test, {
        message: one.message ?? one.kind,
        text: linesOfBreak(one)
          .map(([label, text]) => `${label}: ${text}`)
          .join('\n'),
      }),
    ),
    ...lock.stale.map(({ test, values }) =>
      testcase(values, test, { message: 'Accepted, but it does not fail any more: remove the entry.', text: '' }),
    ),
  ]
  const passes = [
    ...report.survives.flatMap(({ test, values }) => values.map((value) => testcase(value, test))),
    ...lock.accepted.map(({ test, values }) => testcase(formatAssumptions(values), test)),
  ]
  const cases = [...failures, ...passes]
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="sweep" tests="${cases.length}" failures="${failures.length}">
${cases.join('\n')}
  </testsuite>
</testsuites>
`
}

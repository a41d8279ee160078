import { firstLine, locationIn } from '../failure-text.ts'
import { idsOf, isFailure } from '../test-results.ts'
import type { TestResult } from '../types.ts'
import type { CommandResult } from './spawn.ts'

interface Results {
  readonly tests: readonly TestResult[]
  /** The results of the first run. */
  readonly expected: readonly TestResult[]
  /** How many more tests failed than in the first run, without being named; none by default. */
  readonly unnamedFailures?: number
}

/** A failure that is none of a known test: the test runner reports it for a file. */
const unknownFailureIn = ({ tests, expected }: Results): TestResult | undefined => {
  const known = idsOf(expected)
  return tests.find((result) => isFailure(result) && !known.has(result.id))
}

const isFirst = 'This is the first test that has no result.'
const gotLastResponse = 'This test got the last response.'

/**
 * Where a run ended early, the tests that have no result did not run, except for those that were running then. If it is
 * unknown which these are, and no other test explains the end, it is the first one without a result. With `isByTrace`,
 * those that were running are known by their responses only.
 */
export const withMissing = (
  { tests, expected }: Results,
  { timedOut }: CommandResult,
  running: ReadonlySet<string> = new Set(),
  isByTrace = false,
): TestResult[] => {
  const reported = idsOf(tests)
  const missing = expected.filter(({ id, status }) => !reported.has(id) && status !== 'skipped')
  const passing = idsOf(expected.filter(({ status }) => status === 'passed'))
  const ofFile = unknownFailureIn({ tests, expected })
  const isExplained = !timedOut && !ofFile && tests.some((result) => isFailure(result) && passing.has(result.id))
  const known = idsOf(expected)
  const hasNew = tests.some(({ id, status }) => status === 'passed' && !known.has(id))
  const unknownEnd = hasNew
    ? 'The report has other tests instead: the name of a test must not depend on a response.'
    : 'The run ended before the test did.'
  const { message = unknownEnd, location } = ofFile ?? {}
  const isKnown = missing.some(({ id }) => running.has(id))
  const status = timedOut ? ('hung' as const) : ('failed' as const)
  const guess = timedOut ? 'The command did not end in time.' : message.replace(/\.?$/, '.')
  const certain = timedOut ? 'The test did not end.' : message
  const culprit = isKnown
    ? {
        status,
        message: isByTrace ? `${guess} ${gotLastResponse}` : certain,
        location,
        ...(isByTrace && { mayBeOther: true as const }),
      }
    : { status, message: `${guess} ${isFirst}`, location, mayBeOther: true as const }
  return [
    ...tests,
    ...missing.map(({ id, name }, at) => {
      const isCulprit = isKnown ? running.has(id) : at === 0 && tests.length > 0 && !isExplained
      return { id, name, durationMs: 0, ...(isCulprit ? culprit : { status: 'not-run' as const }) }
    }),
  ]
}

/** A failure that would not count otherwise: of a test that was skipped in the first run, or of one without a name. */
const hiddenFailureIn = ({
  tests,
  expected,
  unnamedFailures = 0,
}: Results): Pick<TestResult, 'message' | 'location'> | undefined => {
  const skipped = idsOf(expected.filter(({ status }) => status === 'skipped'))
  const found = tests.find((result) => isFailure(result) && skipped.has(result.id))
  if (found) {
    const { name, message = 'no message', location } = found
    return { message: `${name}, which is skipped before any value is changed: ${message}`, location }
  }
  const message = 'A test with subtests failed by itself. The report does not name it.'
  return unnamedFailures > 0 ? { message } : undefined
}

/** The last error in some output, or else its last line that says something. */
const lastError = (output: string): string | undefined => {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/^(?:Node\.js v\d|\s+at |\})/.test(line))
  return lines.findLast((line) => /^[\w.]*(?:Error|Exception)\b/.test(line)) ?? lines.at(-1)
}

/** The command as a whole: it fails where no known test did but its exit code says so, or where no test has a result. */
export const commandResult = (
  name: string,
  { exitCode, signal = null, timedOut, output }: CommandResult,
  results: Results,
): TestResult => {
  const known = idsOf(results.expected)
  const explained = results.tests.some((result) => isFailure(result) && known.has(result.id))
  const endedBefore = results.tests.length > 0 && results.tests.every(({ status }) => status === 'not-run')
  const hidden = hiddenFailureIn(results)
  const fails = hidden !== undefined || ((exitCode !== 0 || endedBefore) && !explained)
  const status = timedOut && !explained ? 'hung' : fails ? 'failed' : 'passed'
  const end = signal === null || timedOut ? lastError(output) : `The command was ended by ${signal}.`
  const said = exitCode === 0 ? 'The command ended before its tests did.' : (end ?? `The exit code is ${exitCode}.`)
  const { message = firstLine(said), location = locationIn(output) } = hidden ?? unknownFailureIn(results) ?? {}
  const details = status === 'passed' ? {} : { message, location }
  return { id: name, name, status, durationMs: 0, isCommand: true, ...details }
}

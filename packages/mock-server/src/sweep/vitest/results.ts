import type { TestCase, TestModule, TestSuite } from 'vitest/node'
import { firstLine, isTimeout, locationIn } from '../failure-text.ts'
import type { TestResult } from '../types.ts'
import { settingsName, type TestTrace } from './settings.ts'

type Failure = NonNullable<ReturnType<TestCase['result']>['errors']>[number]

const detailsOf = (error: Failure | undefined, file: string): Pick<TestResult, 'message' | 'location'> => ({
  message: firstLine(error?.message ?? ''),
  location: locationIn(error?.stack ?? '', file),
})

/** The error of a file in which a test no longer compares a snapshot. That is no failure of the test, nor of the others. */
const obsoleteSnapshots = 'Obsolete snapshots found'

/** The error of a file or suite that a test is in, such as that of an import, of `beforeAll` or of `afterAll`. */
const errorAround = (test: TestCase): { error: Failure; part: string } | undefined => {
  const parts: (TestModule | TestSuite)[] = []
  for (let part: TestCase | TestModule | TestSuite = test; part.type !== 'module';) parts.unshift((part = part.parent))
  return parts
    .flatMap((part) => part.errors().map((error) => ({ error, part: part.id })))
    .find(({ error }) => !error.message.startsWith(obsoleteSnapshots))
}

/** A file that cannot be loaded has no tests, and fails itself. */
export const resultOfFile = (module: TestModule): TestResult[] => {
  const error = module.errors()[0]
  if (!error || [...module.children.allTests()].length > 0) return []
  const { moduleId, relativeModuleId } = module
  return [{ id: module.id, name: relativeModuleId, status: 'failed', durationMs: 0, ...detailsOf(error, moduleId) }]
}

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`

const traceIn = (test: TestCase): TestTrace | undefined => (test.meta() as { [settingsName]?: TestTrace })[settingsName]

/** Whether a file uses a mock that a test of another one created. Then none of the tests may have a value of its own. */
export const borrowMocks = (modules: readonly TestModule[]): boolean =>
  modules.some(({ children }) => [...children.allTests()].some((test) => traceIn(test)?.borrowsMocks))

const traceOf = (test: TestCase): Partial<TestResult> => {
  const trace = traceIn(test)
  if (!trace) return {}
  const { touched, pinned } = trace
  const others = [...test.module.children.allTests()]
  return { touched, pinned, usesOwnMocks: !others.some((other) => traceIn(other)?.sharesMocks) }
}

/** Results of the tests of a module that did not get to run: what Vitest has of them is from an earlier run. */
export const notRunIn = (module: TestModule): TestResult[] =>
  [...module.children.allTests()].map((test) => ({
    id: test.id,
    name: nameOf(test),
    status: 'not-run',
    durationMs: 0,
  }))

/** The first of some tests, and those of the others that are in its suite, or in the file where it has none. */
const inSuiteOfFirst = (tests: readonly TestCase[]): TestCase[] => {
  const inSuite = new Set(tests[0]?.parent.children.allTests())
  return tests.filter((test) => inSuite.has(test))
}

/** How a test without a result ended. */
type Unended = Pick<TestResult, 'hungSetUp' | 'message'> & { readonly status: 'hung' | 'failed' | 'not-run' }

/** What Vitest notes at a test that had not ended when it was asked to stop the run. */
const cancelledNote = 'The test run was aborted by the user.'

const isUnended = (test: TestCase): boolean => {
  const result = test.result()
  return result.state === 'pending' || (result.state === 'skipped' && result.note === cancelledNote)
}

/**
 * How tests without a result ended, in a run that had to be stopped, or in which a process ended by itself. It ends
 * with the test or the set-up that is running.
 */
export const unendedTests = (
  module: TestModule,
  requested: ReadonlySet<string>,
  running: ReadonlySet<string>,
  wasStopped: boolean,
): ReadonlyMap<string, Unended> => {
  const unended = [...module.children.allTests()].filter((test) => requested.has(test.id) && isUnended(test))
  const started = unended.filter(({ id }) => running.has(id))
  // No test was running where a hook or an import hangs: then no test in the suite of the first one can run.
  const kept = started.length > 0 || module.state() === 'queued' ? [] : inSuiteOfFirst(unended)
  const causeOf = (part: string, setUp?: string): Unended =>
    wasStopped
      ? { status: 'hung', message: `The ${part} did not end.`, ...(setUp !== undefined && { hungSetUp: setUp }) }
      : { status: 'failed', message: `The process ended during the ${part}.` }
  const ofTest = causeOf('test')
  const ofSetUp = causeOf('set-up of the test', kept[0]?.parent.id ?? module.id)
  return new Map(
    unended.map((test): [string, Unended] => {
      if (started.includes(test)) return [test.id, ofTest]
      return [test.id, kept.includes(test) ? ofSetUp : { status: 'not-run' }]
    }),
  )
}

/** Status of a test that did not fail. One that was selected, and reached, skipped itself. */
const statusOf = (test: TestCase, isRequested: boolean, unended: Unended | undefined): TestResult['status'] => {
  if (test.result().state === 'passed') return 'passed'
  return isRequested && (unended || test.options.mode === 'skip') ? 'not-run' : 'skipped'
}

/**
 * Result of a test. One that was requested, but not reached, shares the failure of its suite or file, or else did not
 * run. One that passed shares it, too: `afterAll` found something wrong.
 */
export const resultOf = (test: TestCase, isRequested: boolean, unended?: Unended): TestResult => {
  const { state, errors } = test.result()
  const common = { id: test.id, name: nameOf(test), durationMs: test.diagnostic()?.duration ?? 0, ...traceOf(test) }
  if (state === 'failed') {
    const status = errors.some(({ message }) => isTimeout(message)) ? 'hung' : 'failed'
    return { ...common, status, ...detailsOf(errors[0], test.module.moduleId) }
  }
  if (unended && unended.status !== 'not-run') return { ...common, ...unended }
  const around = (isRequested || state === 'passed') && !unended ? errorAround(test) : undefined
  if (!around) return { ...common, status: statusOf(test, isRequested, unended) }
  const details = detailsOf(around.error, test.module.moduleId)
  if (!isTimeout(around.error.message)) return { ...common, status: 'failed', ...details }
  return { ...common, status: 'hung', hungSetUp: around.part, ...details }
}

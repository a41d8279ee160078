import type { TestCase, TestModule } from 'vitest/node'
import { firstLine, isTimeout, locationIn } from '../failure-text.ts'
import type { TestResult } from '../types.ts'
import { settingsName, type TestTrace } from './settings.ts'

type Failure = NonNullable<ReturnType<TestCase['result']>['errors']>[number]

const detailsOf = (error: Failure | undefined, file: string): Pick<TestResult, 'message' | 'location'> => ({
  message: firstLine(error?.message ?? ''),
  location: locationIn(error?.stack ?? '', file),
})

/** The error that kept tests of a module from running, such as that of an import or of `beforeAll`. */
const errorBeforeTests = (module: TestModule): Failure | undefined =>
  [module, ...module.children.allSuites()].flatMap((part) => part.errors())[0]

/** A file that cannot be loaded has no tests, and fails itself. */
export const resultOfFile = (module: TestModule): TestResult[] => {
  const error = module.errors()[0]
  if (!error || [...module.children.allTests()].length > 0) return []
  const { moduleId, relativeModuleId } = module
  return [{ id: module.id, name: relativeModuleId, status: 'failed', durationMs: 0, ...detailsOf(error, moduleId) }]
}

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`

const traceIn = (test: TestCase): TestTrace | undefined => (test.meta() as { [settingsName]?: TestTrace })[settingsName]

const traceOf = (test: TestCase): Partial<TestResult> => {
  const trace = traceIn(test)
  if (!trace) return {}
  const { touched, pinned } = trace
  const others = [...test.module.children.allTests()]
  return { touched, pinned, usesOwnMocks: !others.some((other) => traceIn(other)?.sharesMocks) }
}

/** How tests without a result ended that were in a run that had to be stopped. */
export const unendedTests = (
  module: TestModule,
  requested: ReadonlySet<string>,
  running: ReadonlySet<string>,
): ReadonlyMap<string, 'hung' | 'not-run'> => {
  const unended = [...module.children.allTests()].filter(
    (test) => requested.has(test.id) && test.result().state === 'pending',
  )
  const started = unended.filter(({ id }) => running.has(id))
  // No test was running where a hook or an import hangs: then it is the first test that cannot run.
  const hung = new Set(started.length > 0 || module.state() === 'queued' ? started : unended.slice(0, 1))
  return new Map(unended.map((test) => [test.id, hung.has(test) ? 'hung' : 'not-run']))
}

/** Result of a test; one that was requested, but not reached, shares the failure of its module. */
export const resultOf = (test: TestCase, isRequested: boolean, unended?: 'hung' | 'not-run'): TestResult => {
  const { state, errors } = test.result()
  const common = { id: test.id, name: nameOf(test), durationMs: test.diagnostic()?.duration ?? 0, ...traceOf(test) }
  if (state === 'passed') return { ...common, status: 'passed' }
  if (state === 'failed') {
    const status = errors.some(({ message }) => isTimeout(message)) ? 'hung' : 'failed'
    return { ...common, status, ...detailsOf(errors[0], test.module.moduleId) }
  }
  if (unended === 'hung') return { ...common, status: 'hung', message: 'The test did not end.' }
  if (unended) return { ...common, status: 'not-run' }
  const error = errorBeforeTests(test.module)
  return error && isRequested
    ? { ...common, status: 'failed', ...detailsOf(error, test.module.moduleId) }
    : { ...common, status: 'skipped' }
}

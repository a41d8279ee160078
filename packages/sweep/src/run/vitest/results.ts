import { posix } from 'node:path'
import type { TestCase, TestModule, TestSuite, Vitest } from 'vitest/node'
import type { TestRun, TestTrace } from '../../types.ts'
import { firstLine, isTimeout } from '../failure-text.ts'
import { locationIn } from '../location.ts'
import { settingsName } from './settings.ts'

/** An error as Vitest keeps it. */
interface Failure {
  readonly message?: string
  readonly stack?: string
}

/** An error that no test caught, such as a rejected promise without a handler. */
interface UncaughtError extends Failure {
  readonly VITEST_TEST_PATH?: string
  /** Name of the test that ran, without those of its suites; absent between tests. */
  readonly VITEST_TEST_NAME?: string
}

/** Names of a file and its tests: of a file that several projects run, the project comes first. */
export const fileNameOf = (module: TestModule, modules: readonly TestModule[], root: string): string => {
  const { moduleId, project } = module
  const isShared = modules.some((other) => other.moduleId === moduleId && other.project !== project)
  return `${isShared ? `|${project.name}| ` : ''}${posix.relative(root, moduleId)}`
}

/** The tests of a file by name; a name that occurs again gets a number. */
export const testsByName = (module: TestModule, file: string): Map<string, TestCase> => {
  const tests = new Map<string, TestCase>()
  for (const test of module.children.allTests()) {
    const name = `${file} > ${test.fullName}`
    let unique = name
    for (let count = 2; tests.has(unique); count++) unique = `${name} (${count})`
    tests.set(unique, test)
  }
  return tests
}

const detailsOf = ({ message = '', stack = '' }: Failure, file: string): Pick<TestRun, 'message' | 'location'> => ({
  message: firstLine(message),
  location: locationIn(stack, file),
})

/** The error of a file in which a test no longer compares a snapshot. That is no failure of the test. */
const obsoleteSnapshots = 'Obsolete snapshots found'

/** The error of a file or suite that a test is in, such as that of an import, of `beforeAll` or of `afterAll`. */
const errorAround = (test: TestCase): Failure | undefined => {
  const parts: (TestModule | TestSuite)[] = []
  for (let part: TestCase | TestModule | TestSuite = test; part.type !== 'module';) parts.unshift((part = part.parent))
  return parts.flatMap((part) => part.errors()).find(({ message }) => !message.startsWith(obsoleteSnapshots))
}

/** What Vitest notes at a test that had not ended when it was asked to stop the run. */
const cancelledNote = 'The test run was aborted by the user.'

const isUnended = (test: TestCase): boolean => {
  const result = test.result()
  return result.state === 'pending' || (result.state === 'skipped' && result.note === cancelledNote)
}

/** How a run ended. */
export interface RunEnd {
  /** Ids of tests that started and did not end. */
  readonly running: ReadonlySet<string>
  /** Whether the sweep stopped it. */
  readonly timedOut: boolean
  readonly uncaught: readonly UncaughtError[]
  /** Whether a test of this name is repeated only because the sweep asked for it: then its first attempt counts. */
  readonly repeats: (name: string) => boolean
}

/** Whether two attempts of a test failed in the same way. */
const isRepeated = (errors: readonly Failure[]): boolean => {
  const half = errors.length / 2
  return (
    errors.length > 0 && errors.every(({ message }, at) => message === errors[(at + half) % errors.length]?.message)
  )
}

/** How a test ended, without the errors that no test caught. */
const endOf = (
  test: TestCase,
  { running, timedOut }: RunEnd,
  repeats: boolean,
): Omit<TestRun, 'name' | 'file' | 'durationMs'> => {
  const { state, errors = [] } = test.result()
  const { moduleId } = test.module
  if (state === 'failed' || (repeats && errors.length > 0)) {
    const status = errors.some(({ message }) => isTimeout(message)) ? 'hung' : 'failed'
    return { status, isRepeated: state === 'failed' && isRepeated(errors), ...detailsOf(errors[0] ?? {}, moduleId) }
  }
  if (isUnended(test)) {
    // Where no test of the file was running, a hook or an import hangs, or ended the process: the first one is the place.
    const unended = [...test.module.children.allTests()].filter(isUnended)
    const started = unended.filter(({ id }) => running.has(id))
    const isCulprit = started.length > 0 ? started.includes(test) : test === unended[0]
    if (!isCulprit) return { status: 'not-run' }
    const part = started.length > 0 ? 'test' : 'set-up of the test'
    return timedOut
      ? { status: 'hung', message: `The ${part} did not end.` }
      : { status: 'failed', message: `The process ended during the ${part}.` }
  }
  const around = test.options.mode === 'skip' && state !== 'skipped' ? undefined : errorAround(test)
  if (around && (state === 'passed' || test.options.mode === 'run'))
    return { status: 'failed', ...detailsOf(around, moduleId) }
  return { status: state === 'passed' ? 'passed' : 'skipped' }
}

/** The errors of the last run that no test caught, unless the project ignores them. */
export const uncaughtErrorsOf = ({ config, state }: Vitest): readonly UncaughtError[] =>
  config.dangerouslyIgnoreUnhandledErrors ? [] : (state.getUnhandledErrors() as UncaughtError[])

/** The test of a file that gets the blame for an error that no test caught: the one that ran, or else the last one. */
const blamed = (runs: readonly TestRun[], { VITEST_TEST_NAME: name }: UncaughtError): TestRun | undefined => {
  const passed = runs.filter(({ status }) => status === 'passed')
  return (name === undefined ? undefined : passed.find((run) => run.name.endsWith(` > ${name}`))) ?? passed.at(-1)
}

/** How the tests of a file ended, by the names they have in the report. */
export const resultsOf = (module: TestModule, file: string, end: RunEnd): TestRun[] => {
  const runs = [...testsByName(module, file)].map(([name, test]): TestRun => {
    const trace = (test.meta() as { [settingsName]?: TestTrace })[settingsName]
    return { name, file, durationMs: test.diagnostic()?.duration ?? 0, trace, ...endOf(test, end, end.repeats(name)) }
  })
  for (const error of end.uncaught.filter(({ VITEST_TEST_PATH: path }) => path === module.moduleId)) {
    const run = blamed(runs, error)
    if (run) runs[runs.indexOf(run)] = { ...run, status: 'failed', ...detailsOf(error, module.moduleId) }
  }
  return runs
}

/** The tests of a file that a run does not have: it could not be loaded, or defines others under these values. */
export const missingOf = (module: TestModule, file: string, missing: readonly string[]): TestRun[] => {
  const [error] = module.errors()
  const others = 'The file has other tests instead: the name of a test must not depend on a response.'
  const details = error ? detailsOf(error, module.moduleId) : { message: others }
  return missing.map((name) => ({ name, file, status: 'failed', durationMs: 0, ...details }))
}

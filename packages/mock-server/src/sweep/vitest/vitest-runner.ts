import { relative } from 'node:path'
import type { TestModule, TestSpecification } from 'vitest/node'
import { createTemporaryFolder } from '../temporary-folder.ts'
import type { Runner, RunRequest, TestResult } from '../types.ts'
import { inOneWorker } from './one-worker.ts'
import { replayInBrowser, replayLine } from './replay-line.ts'
import { createBrowserTests } from './browser-tests.ts'
import { borrowMocks, notRunIn, resultOf, resultOfFile, unendedTests } from './results.ts'
import { endWorkers, takeRunningTests } from './running-tests.ts'
import { settingsName, type WorkerSettings } from './settings.ts'
import { runWithin } from './run-within.ts'
import { startVitest } from './start-vitest.ts'
import { testNames } from './test-names.ts'
import { checkOutsideErrors, uncaughtErrorsOf, withUncaughtErrors } from './uncaught-errors.ts'

/** Specifications of the requested tests, one for each file. */
const narrowed = (modules: readonly TestModule[], tests: ReadonlySet<string>): TestSpecification[] =>
  modules.flatMap((module) => {
    const testIds = [...module.children.allTests()].map(({ id }) => id).filter((id) => tests.has(id))
    return testIds.length === 0 ? [] : [module.project.createSpecification(module.moduleId, { testIds })]
  })

/** Milliseconds that Vitest gets to close. */
const closeMs = 5000

/**
 * Runs single tests with Vitest: one instance for the whole sweep, and in each run only the requested tests.
 *
 * @throws {SweepInputError} The project has no Vitest, Vitest cannot run the tests, or no test file matches the arguments.
 */
export const createVitestRunner = async (args: readonly string[] = []): Promise<Runner> => {
  const browserTests = createBrowserTests()
  const { vitest, specifications: everything, options } = await startVitest(args, browserTests.reporter)
  const folder = createTemporaryFolder(endWorkers)
  let modules: readonly TestModule[] = []
  let names: ReadonlyMap<string, string> = new Map()

  return {
    selectsTests: true,
    async run({ assumptions, valuesByTest = new Map(), tests, trace = false, timeoutMs, testTimeoutMs }: RunRequest) {
      const settings: WorkerSettings = {
        assumptions,
        valuesByTest: Object.fromEntries(valuesByTest),
        trace,
        folder: folder.path,
        ...(testTimeoutMs !== undefined && { testTimeoutMs }),
      }
      vitest.provide(settingsName as never, settings as never)
      const specifications = tests ? narrowed(modules, tests) : [...everything]
      const earlier = new Set(vitest.state.getTestModules())
      // Under other values, a snapshot that is missing is a failure: the sweep writes none.
      if (tests || Object.keys(assumptions).length > 0) vitest.config.snapshotOptions.updateSnapshot = 'none'
      const inBrowser = () => [...browserTests.running].map((id) => names.get(id) ?? id)
      const runAll = () => runWithin(vitest, { specifications, timeoutMs, inBrowser })
      const timedOut = trace ? await inOneWorker(vitest.projects, runAll) : await runAll()
      const running = takeRunningTests(folder.path)
      const uncaught = uncaughtErrorsOf(vitest)
      if (!tests) checkOutsideErrors(uncaught)
      const ran = new Set(specifications.map(({ moduleId, project }) => `${project.name} ${moduleId}`))
      const ended = vitest.state
        .getTestModules()
        .filter(({ moduleId, project }) => ran.has(`${project.name} ${moduleId}`))
      if (!tests) {
        modules = ended
        names = testNames(modules, vitest.config.root)
      }
      const isRequested = ({ id }: { id: string }) => tests?.has(id) ?? true
      const resultsIn = (module: TestModule): TestResult[] => {
        // A run that reaches a file has a new module for it.
        if (earlier.has(module)) return notRunIn(module).filter(isRequested)
        const unended = tests ? unendedTests(module, tests, running, timedOut) : new Map<string, never>()
        const results = [...module.children.allTests()]
          .filter(isRequested)
          .map((test) => resultOf(test, tests !== undefined, unended.get(test.id)))
        return [...resultOfFile(module), ...withUncaughtErrors(results, module.moduleId, uncaught)]
      }
      const shared = borrowMocks(ended) && { usesOwnMocks: false }
      const nameOf = ({ id, name }: TestResult) => names.get(id) ?? name
      return ended.flatMap(resultsIn).map((result) => ({ ...result, ...shared, name: nameOf(result) }))
    },
    replay({ id }, values) {
      const test = modules.flatMap(({ children }) => [...children.allTests()]).find((one) => one.id === id)
      const { moduleId = '', project } = test?.module ?? {}
      if (project?.config.browser.enabled) return replayInBrowser(values)
      const ofProject = project && vitest.projects.length > 1 ? [`--project=${project.name}`] : []
      return replayLine(relative(process.cwd(), moduleId), test?.fullName ?? '', values, [...options, ...ofProject])
    },
    async close() {
      // It would wait until stopped for a page in an endless loop.
      let timer: NodeJS.Timeout | undefined
      await Promise.race([vitest.close(), new Promise((resolve) => (timer = setTimeout(resolve, closeMs)))])
      clearTimeout(timer)
      folder.remove()
    },
  }
}

import { createRequire } from 'node:module'
import { relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as VitestNode from 'vitest/node'
import type { TestModule, TestSpecification, Vitest } from 'vitest/node'
import { SweepInputError } from '../input-error.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import type { Runner, RunRequest, TestResult } from '../types.ts'
import { replayLine } from './replay-line.ts'
import { replayOptions } from './replay-options.ts'
import { notRunIn, resultOf, resultOfFile, unendedTests } from './results.ts'
import { endWorkers, takeRunningTests } from './running-tests.ts'
import { settingsName, type WorkerSettings } from './settings.ts'
import { testNames } from './test-names.ts'
import { uncaughtErrorsOf, withUncaughtErrors } from './uncaught-errors.ts'

/** The sources run as they are; built, this code and the setup file are in one folder. */
const setupFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './setup.ts' : './sweep-vitest-setup.js', import.meta.url),
)

/** The Vitest of the project, not one that may be installed with this package. */
const loadVitest = async (): Promise<typeof VitestNode> => {
  try {
    const path = createRequire(resolve('package.json')).resolve('vitest/node')
    return (await import(pathToFileURL(path).href)) as typeof VitestNode
  } catch (error) {
    throw new SweepInputError('--vitest needs Vitest 5 in this project: npm install --save-dev vitest.', {
      cause: error,
    })
  }
}

const start = async (args: readonly string[]): Promise<{ vitest: Vitest; filters: string[]; options: string[] }> => {
  const { createVitest, parseCLI } = await loadVitest()
  const parsed = (some: readonly string[]) => parseCLI(['vitest', 'run', ...some])
  const { filter, options } = parsed(args)
  const vitest = await createVitest({
    ...options,
    watch: false,
    bail: 0,
    reporters: [{}],
    silent: true,
    coverage: { enabled: false },
  })
  for (const { config } of vitest.projects) config.setupFiles.unshift(setupFile)
  return { vitest, filters: filter, options: replayOptions(args, (some) => parsed(some).filter) }
}

/** Specifications of the requested tests, one for each file. */
const narrowed = (modules: readonly TestModule[], tests: ReadonlySet<string>): TestSpecification[] =>
  modules.flatMap((module) => {
    const testIds = [...module.children.allTests()].map(({ id }) => id).filter((id) => tests.has(id))
    return testIds.length === 0 ? [] : [module.project.createSpecification(module.moduleId, { testIds })]
  })

/** Milliseconds that tests get to end after the request to stop; then their workers are killed. */
const graceMs = 1000

/** Whether a run had to be stopped. */
const runWithin = async (vitest: Vitest, specifications: TestSpecification[], timeoutMs?: number): Promise<boolean> => {
  let timedOut = false
  const timers: NodeJS.Timeout[] = []
  const cancel = () => void vitest.cancelCurrentRun('keyboard-input')
  const stop = () => {
    timedOut = true
    cancel()
    // The second request ends a worker that does not respond, such as one in an endless loop.
    timers.push(setTimeout(cancel, graceMs))
  }
  if (timeoutMs !== undefined) timers.push(setTimeout(stop, timeoutMs))
  await vitest.runTestSpecifications(specifications)
  timers.forEach(clearTimeout)
  return timedOut
}

/**
 * Runs single tests with Vitest: one instance for the whole sweep, and in each run only the requested tests.
 *
 * @throws {SweepInputError} The project has no Vitest, or no test file matches the arguments.
 */
export const createVitestRunner = async (args: readonly string[] = []): Promise<Runner> => {
  const { vitest, filters, options } = await start(args)
  const folder = createTemporaryFolder(endWorkers)
  const everything = await vitest.globTestSpecifications(filters)
  if (everything.length === 0) throw new SweepInputError('No test was found: no file matches the arguments of Vitest.')
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
      const specifications = tests ? narrowed(modules, tests) : everything
      const earlier = new Set(vitest.state.getTestModules())
      // Under other values, a snapshot that is missing is a failure: the sweep writes none.
      if (tests || Object.keys(assumptions).length > 0) vitest.config.snapshotOptions.updateSnapshot = 'none'
      const timedOut = await runWithin(vitest, specifications, timeoutMs)
      const running = takeRunningTests(folder.path)
      const uncaught = uncaughtErrorsOf(vitest)
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
      return ended.flatMap(resultsIn).map((result) => ({ ...result, name: names.get(result.id) ?? result.name }))
    },
    replay({ id }, values) {
      const test = modules.flatMap(({ children }) => [...children.allTests()]).find((one) => one.id === id)
      const { moduleId = '', project } = test?.module ?? {}
      const ofProject = project && vitest.projects.length > 1 ? [`--project=${project.name}`] : []
      return replayLine(relative(process.cwd(), moduleId), test?.fullName ?? '', values, [...options, ...ofProject])
    },
    async close() {
      await vitest.close()
      folder.remove()
    },
  }
}

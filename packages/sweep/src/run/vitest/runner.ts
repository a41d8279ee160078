import { relative } from 'node:path'
import { assumeVariable, formatAssumptions } from '@guild-ledger/mock-server/assumptions'
import type { TestModule, TestSpecification, Vitest } from 'vitest/node'
import { SweepError, type Runner, type RunRequest, type TestRun } from '../../types.ts'
import { shellQuoted } from '../failure-text.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { endWorkers, takeRunningTests } from './processes.ts'
import { fileNameOf, missingOf, resultsOf, testsByName, uncaughtErrorsOf } from './results.ts'
import { settingsName, type WorkerSettings } from './settings.ts'
import { startVitest, vitestError } from './start.ts'

/** Milliseconds that tests get to end after the request to stop; then their workers are killed. */
const graceMs = 1000
/** Milliseconds that Vitest gets to end the run after that, or to close. */
const stopMs = 20_000

/** Runs tests for a limited time. Returns whether the run had to be stopped. */
const runWithin = async (vitest: Vitest, specifications: TestSpecification[], runMs = 2 ** 31 - 1) => {
  const timers: NodeJS.Timeout[] = []
  let timedOut = false
  const stopped = new Promise<never>((_resolve, reject) => {
    const cancel = () => void vitest.cancelCurrentRun('keyboard-input')
    const stop = () => {
      timedOut = true
      cancel()
      const files = specifications.map(({ moduleId }) => relative('', moduleId)).join(', ')
      const message = `A test in ${files} did not end in time, and Vitest cannot stop it: leave it out, or give it a shorter limit.`
      // The second request ends a worker that does not respond, such as one in an endless loop.
      timers.push(setTimeout(cancel, graceMs), setTimeout(reject, graceMs + stopMs, new SweepError(message)))
    }
    timers.push(setTimeout(stop, runMs))
  })
  const run = vitest.runTestSpecifications(specifications).catch((error: unknown) => {
    throw vitestError(error)
  })
  try {
    await Promise.race([run, stopped])
  } finally {
    timers.forEach(clearTimeout)
  }
  return timedOut
}

/**
 * Runs the tests of a project with its Vitest: one instance for all runs, each with new workers.
 *
 * @throws {SweepError} The project has no Vitest, Vitest cannot run the tests, or no test file matches the arguments.
 */
export const createVitestRunner = async (args: readonly string[] = []): Promise<Runner> => {
  const { vitest, version, specifications: all, options } = await startVitest(args)
  const folder = createTemporaryFolder(endWorkers)
  /** Modules of the first run, by the names of their files, and the names of their tests. */
  const known = new Map<string, { readonly module: TestModule; readonly tests: ReturnType<typeof testsByName> }>()

  /** How often each project repeats a test that fails. */
  const retries = new Map(vitest.projects.map((project) => [project, project.config.retry]))

  const specificationsFor = ({ files, tests }: RunRequest): TestSpecification[] => {
    if (!files && !tests) return [...all]
    return [...known].flatMap(([file, { module, tests: ofFile }]) => {
      const testIds = [...ofFile].filter(([name]) => tests?.has(name)).map(([, { id }]) => id)
      if (tests && testIds.length === 0) return []
      if (!tests && !files?.has(file)) return []
      return [module.project.createSpecification(module.moduleId, tests ? { testIds } : {})]
    })
  }

  return {
    name: `vitest ${version}`,
    selects: true,
    async run(request) {
      const { values, tests, limits } = request
      const settings: WorkerSettings = { values, folder: folder.path, ...(limits && { testMs: limits.testMs }) }
      vitest.provide(settingsName as never, settings as never)
      // Under other values, a snapshot that is missing is a failure: the sweep writes none.
      if (limits) vitest.config.snapshotOptions.updateSnapshot = 'none'
      for (const [project, retry] of retries) project.config.retry = limits && !retry ? 1 : retry
      const specifications = specificationsFor(request)
      const earlier = new Set(vitest.state.getTestModules())
      const timedOut = await runWithin(vitest, specifications, limits?.runMs)
      const end = { timedOut, running: takeRunningTests(folder.path), uncaught: uncaughtErrorsOf(vitest) }
      const outside = end.uncaught.find(({ VITEST_TEST_PATH }) => VITEST_TEST_PATH === undefined)
      if (outside && known.size === 0) throw vitestError(outside)
      const isIn = new Set(specifications.map(({ moduleId, project }) => `${project.name} ${moduleId}`))
      const modules = vitest.state.getTestModules()
      return modules
        .filter(({ moduleId, project }) => isIn.has(`${project.name} ${moduleId}`))
        .flatMap((module): TestRun[] => {
          const file = fileNameOf(module, modules, vitest.config.root)
          const before = known.get(file)
          const names = [...(before?.tests.keys() ?? [])].filter((name) => tests?.has(name) ?? true)
          // A run that reaches a file has a new module for it.
          if (earlier.has(module)) return names.map((name) => ({ name, file, status: 'not-run', durationMs: 0 }))
          if (!before) known.set(file, { module, tests: testsByName(module, file) })
          const repeats = (name: string) => limits !== undefined && !before?.tests.get(name)?.options.retry
          const found = resultsOf(module, file, { ...end, repeats }).filter(({ name }) => tests?.has(name) ?? true)
          if (found.length === 0 && names.length === 0) return missingOf(module, file, [file])
          const missing = names.filter((name) => found.every((run) => run.name !== name))
          return [...found, ...missingOf(module, file, missing)]
        })
    },
    replay(test, values, unit = 'test') {
      const [file = '', { module, tests }] = [...known].find(([, one]) => one.tests.has(test)) ?? ['', {}]
      if (!module || !tests) return ''
      if (module.project.config.browser.enabled)
        return `Add assumptions: ${JSON.stringify(values)} to the options of createMockLedger in this test.`
      const name = tests.get(test)?.fullName ?? ''
      // Vitest takes the name for a regular expression; a line cannot have control characters or halves of characters.
      const pattern = name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`).replaceAll(/[\p{Cc}\p{Cs}]/gu, '[^]')
      const ofProject = file.startsWith('|') ? [`--project=${module.project.name}`] : []
      const ofTest = unit === 'test' ? [`--testNamePattern=${pattern}`] : []
      const words = [relative('', module.moduleId), ...ofTest, ...options, ...ofProject]
      const variable = `${assumeVariable}=${shellQuoted(formatAssumptions(values))}`
      return [variable, 'npx vitest run', ...words.map(shellQuoted)].join(' ')
    },
    async close() {
      // It would wait until stopped for a page in an endless loop.
      let timer: NodeJS.Timeout | undefined
      await Promise.race([vitest.close(), new Promise((resolve) => (timer = setTimeout(resolve, stopMs / 4)))])
      clearTimeout(timer)
      folder.remove()
    },
  }
}

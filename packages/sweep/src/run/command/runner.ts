// A named import of what is new in Node would end an older one before it is told that it is too old.
import fs, { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  assumeVariable,
  formatAssumptions,
  traceVariable,
  type TraceEvent,
} from '@guild-ledger/mock-server/assumptions'
import { decodeText } from '@guild-ledger/validation'
import { SweepError, toSweepError, type Runner, type RunRequest, type TestRun } from '../../types.ts'
import { shellQuoted } from '../failure-text.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { takeTrace } from '../trace-file.ts'
import { summarize } from '../trace.ts'
import { junitTests, type ReportedTest, type ReportFile } from './junit.ts'
import { commandRun, missingRuns } from './missing.ts'
import { serveMock } from './serve.ts'
import { runCommand, type CommandEnd } from './spawn.ts'

/** How to run the tests of a bot with a command. */
export interface CommandRunnerOptions {
  /** Program and arguments. */
  readonly command: readonly string[]
  /** Glob pattern of the JUnit XML reports that the command writes; without it the unit is the command as a whole. */
  readonly junit?: string
  /**
   * Options of `guild-ledger-mock`, such as `['--transactions', '40']`: a mock server is started for each run, and its URL and
   * API key are passed as `GUILD_LEDGER_BASE_URL` and `GUILD_LEDGER_API_KEY`. Without it, no server is started.
   */
  readonly serve?: readonly string[]
}

const xmlIn = (file: string): string => {
  try {
    return decodeText(readFileSync(file))
  } catch (error) {
    throw toSweepError(`${file}: ${(error as Error).message}`, error)
  }
}

/** When each file that matches was written last, by a clock that may be another than that of this machine. */
const filesOf = (pattern = ''): ReadonlyMap<string, number> => {
  const files = existsSync(pattern) ? [pattern] : fs.globSync(pattern).toSorted()
  return new Map(files.map((file) => [file, statSync(file).ctimeMs]))
}

/** The names of the tests that an event is for; none where that is unknown, such as in hooks and shared servers. */
const namesIn = ({ tests = [] }: TraceEvent, nameByTrace: ReadonlyMap<string, string>): string[] => {
  const names = tests.flatMap((name) => nameByTrace.get(name) ?? [])
  return names.length === tests.length ? names : []
}

/** The options of the sweep that start such a server. */
const serveOptions = (options: readonly string[]): string =>
  options.length > 0 ? `--mock ${shellQuoted(options.map(shellQuoted).join(' '))}` : '--serve'

/** Runs tests with any command: the mocks in its processes get their values from an environment variable. */
export const createCommandRunner = ({ command, junit, serve }: CommandRunnerOptions): Runner => {
  const name = command.map(shellQuoted).join(' ')
  const folder = createTemporaryFolder()
  const traceFile = join(folder.path, 'trace.ndjson')
  let expected: readonly TestRun[] = []
  let known: readonly ReportedTest[] = []

  const start = async ({ values, limits }: RunRequest): Promise<{ end: CommandEnd; events: readonly TraceEvent[] }> => {
    const events: TraceEvent[] = []
    const settings = { assumptions: values, onTrace: (event: TraceEvent) => void events.push(event) }
    const served = serve ? await serveMock(serve, settings) : undefined
    const variables = {
      // Node starts in three quarters of the time if it finds what it compiled in the run before.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder.path, 'node'),
      [assumeVariable]: formatAssumptions(values),
      [traceVariable]: traceFile,
      ...served?.variables,
    }
    try {
      const end = await runCommand(command, variables, limits?.runMs)
      return { end, events: [...events, ...takeTrace(traceFile)] }
    } catch (error) {
      throw new SweepError(`${command[0]} cannot be run: ${(error as Error).message}.`, { cause: error })
    } finally {
      await served?.close()
    }
  }

  /** The tests in the reports written since. A later run may leave something else, if it did not get to its end. */
  const reportedSince = (before: ReturnType<typeof filesOf>): ReportedTest[] => {
    if (junit === undefined) return []
    let reports: ReportFile[] = []
    try {
      const written = [...filesOf(junit)].filter(([file, time]) => before.get(file) !== time)
      reports = written.map(([file]) => ({ file, xml: xmlIn(file) }))
      const tests = junitTests(reports)
      if (tests.length + expected.length > 0) return tests
    } catch (error) {
      if (expected.length > 0) return []
      throw error
    }
    throw new SweepError(`No test was found in ${reports.length} reports that were written and match ${junit}.`)
  }

  return {
    name,
    selects: false,
    async run(request) {
      const before = filesOf(junit)
      const { end, events } = await start(request)
      const reported = reportedSince(before)
      if (expected.length === 0) known = reported
      const nameByTrace = new Map(
        [...known, ...reported].flatMap(({ run, traceNames }) => traceNames.map((one) => [one, run.name] as const)),
      )
      // A hook of a suite has the name of the suite.
      for (const { suiteNames } of known) for (const suite of suiteNames) nameByTrace.delete(suite)
      const ofAll = events.filter((event) => namesIn(event, nameByTrace).length === 0)
      const lastTraced = events.map((event) => namesIn(event, nameByTrace)[0]).findLast((one) => one !== undefined)
      const found = reported.map(({ run }) => run)
      const tests = [...found, ...missingRuns(found, expected, end, lastTraced)].map((run): TestRun => {
        const own = events.filter((event) => namesIn(event, nameByTrace).includes(run.name))
        // A test that is skipped gets nothing of what belongs to nobody.
        return { ...run, trace: summarize(run.status === 'skipped' ? own : [...ofAll, ...own]) }
      })
      const all = [...tests, { ...commandRun(name, end, tests), trace: summarize(events) }]
      if (expected.length === 0) expected = all
      return all
    },
    replay: (_test, values) =>
      serve
        ? `npx @guild-ledger/sweep ${serveOptions(serve)} --replay ${shellQuoted(formatAssumptions(values))} -- ${name}`
        : `${assumeVariable}=${shellQuoted(formatAssumptions(values))} ${name}`,
    async close() {
      folder.remove()
    },
  }
}

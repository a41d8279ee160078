import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  assumeVariable,
  formatAssumptions,
  traceVariable,
  variantsVariable,
  type TraceEvent,
} from '../../assumptions/index.ts'
import { summarize } from '../trace-summary.ts'
import { SweepInputError } from '../input-error.ts'
import { shellQuoted } from '../shell-quoted.ts'
import type { Runner, RunRequest, TestResult, Values } from '../types.ts'
import { commandResult, withMissing } from './early-end.ts'
import { junitTests, type ReportedTest } from './junit-results.ts'
import { serveMock } from './serve.ts'
import { createPytestPlugin, failsToImport } from './pytest-plugin.ts'
import { runCommand } from './spawn.ts'
import { unnamedFailuresIn } from './unnamed-failures.ts'
import { runningTests } from './running-tests.ts'
import { traceByTest } from './trace-by-test.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { traceFileAt } from '../trace-file.ts'

/** How to run the tests of a bot with a command. */
export interface CommandRunnerOptions {
  /** Program and arguments. */
  readonly command: readonly string[]
  /** Glob pattern of the JUnit XML reports that the command writes; without it the unit is the command as a whole. */
  readonly junit?: string
  /**
   * Whether to start a mock server for each run, and to pass its URL and API key as `GUILD_LEDGER_BASE_URL` and
   * `GUILD_LEDGER_API_KEY`.
   *
   * @default false
   */
  readonly serve?: boolean
}

/** Reports written since `start`: what earlier runs left is none of this run's. */
const reportsSince = (pattern: string, start: number) =>
  globSync(pattern)
    .filter((file) => statSync(file).mtimeMs >= start)
    .toSorted()
    .map((file) => ({ file, xml: readFileSync(file, 'utf8') }))

/** A command that did not get to its end may leave a part of a report, or something else. */
const isReadable = (report: Parameters<typeof junitTests>[0][number]): boolean => {
  try {
    junitTests([report], true)
    return true
  } catch {
    return false
  }
}

/** Runs tests with any command: the mocks in its processes get their values from an environment variable. */
export const createCommandRunner = ({ command, junit, serve = false }: CommandRunnerOptions): Runner => {
  const name = command.map(shellQuoted).join(' ')
  const folder = createTemporaryFolder()
  const traceFile = traceFileAt(join(folder.path, 'trace.ndjson'))
  let expected: readonly TestResult[] = []
  let known: readonly ReportedTest[] = []
  let knownUnnamed = 0
  let hasPlugin = serve

  const startOnce = async ({ assumptions, trace = false, variants, timeoutMs }: RunRequest, events: TraceEvent[]) => {
    const variables = {
      [assumeVariable]: formatAssumptions(assumptions),
      [traceVariable]: trace ? traceFile.path : '',
      [variantsVariable]: variants ? JSON.stringify(variants) : '',
    }
    const pytest = hasPlugin ? createPytestPlugin(folder.path) : undefined
    const onTrace = (event: TraceEvent) => {
      const tests = pytest?.runningTests()
      events.push({ ...event, ...(tests && { tests }) })
    }
    const served = serve
      ? await serveMock(assumptions, { ...(trace && { onTrace }), ...(variants && { variants }) })
      : undefined
    try {
      const all = { ...variables, ...pytest?.variables, ...served?.variables }
      const ended = await runCommand(command, all, timeoutMs)
      return { ended, running: pytest?.runningTests() ?? [] }
    } catch (error) {
      throw new SweepInputError(`${command[0]} cannot be run: ${(error as Error).message}.`, { cause: error })
    } finally {
      await served?.close()
    }
  }

  const start = async (request: RunRequest, events: TraceEvent[]) => {
    const outcome = await startOnce(request, events)
    if (!hasPlugin || !failsToImport(outcome.ended.output)) return outcome
    hasPlugin = false
    return startOnce(request, events)
  }

  return {
    selectsTests: false,
    async run(request) {
      const events: TraceEvent[] = []
      const startedAt = Date.now()
      const { ended, running } = await start(request, events)
      const reports = junit === undefined ? [] : reportsSince(junit, startedAt)
      if (junit !== undefined && reports.length === 0 && expected.length === 0) {
        throw new SweepInputError(`No test was found: the command wrote no file that matches ${junit}.`)
      }
      const mayBeCut = ended.timedOut || expected.length > 0
      const readable = mayBeCut ? reports.filter(isReadable) : reports
      const reported = junitTests(readable, mayBeCut)
      const all = request.trace ? [...events, ...traceFile.take()] : []
      const tests = withMissing(
        { tests: reported.map(({ result }) => result), expected },
        ended,
        runningTests({ running, events: all, known, reported }),
        running.length === 0,
      )
      if (junit !== undefined && tests.length === 0 && expected.length === 0) {
        throw new SweepInputError(`No test was found: the files that match ${junit} have none.`)
      }
      const unnamed = unnamedFailuresIn(readable)
      if (expected.length === 0) [expected, known, knownUnnamed] = [tests, reported, unnamed]
      const asWhole = commandResult(name, ended, { tests, expected, unnamedFailures: unnamed - knownUnnamed })
      if (!request.trace) return [...tests, asWhole]
      const traceOf = traceByTest(all, reported)
      return [...tests.map((test) => ({ ...test, ...traceOf(test.id) })), { ...asWhole, ...summarize(all) }]
    },
    replay: (_test, values: Values) =>
      serve
        ? `npx guild-ledger-mock sweep --serve --replay ${shellQuoted(formatAssumptions(values))} -- ${name}`
        : `${assumeVariable}=${shellQuoted(formatAssumptions(values))} ${name}`,
    async close() {
      folder.remove()
    },
  }
}

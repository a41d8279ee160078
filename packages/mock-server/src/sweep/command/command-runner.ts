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
import { firstLine, locationIn } from '../failure-text.ts'
import { SweepInputError } from '../input-error.ts'
import { shellQuoted } from '../shell-quoted.ts'
import type { Runner, RunRequest, TestResult, Values } from '../types.ts'
import { junitTests, type ReportedTest } from './junit-results.ts'
import { serveMock } from './serve.ts'
import { createPytestPlugin } from './pytest-plugin.ts'
import { runCommand, type CommandResult } from './spawn.ts'
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

/** The tests in the reports; a command that was stopped may have left half of one, which says nothing. */
const testsIn = (reports: Parameters<typeof junitTests>[0], { timedOut }: CommandResult): ReportedTest[] => {
  try {
    return junitTests(reports)
  } catch (error) {
    if (timedOut) return []
    throw error
  }
}

/** The command as a whole: it fails where no test did but its exit code says so. */
const commandResult = (name: string, { exitCode, timedOut, output }: CommandResult, tests: readonly TestResult[]) => {
  const explained = tests.some(({ status }) => status === 'failed' || status === 'hung')
  const fails = exitCode !== 0 && !explained
  const status = timedOut && !explained ? 'hung' : fails ? 'failed' : 'passed'
  const last = output.trim().split('\n').at(-1) ?? ''
  const details = status === 'passed' ? {} : { message: firstLine(last), location: locationIn(output) }
  return { id: name, name, status, durationMs: 0, isCommand: true, ...details } as const
}

/** Where the time was up, the test that was running is the first one that has no result; the rest did not run. */
const withHung = (
  tests: readonly TestResult[],
  expected: readonly TestResult[],
  { timedOut }: CommandResult,
): readonly TestResult[] => {
  if (!timedOut) return tests
  const known = new Set(tests.map(({ id }) => id))
  const missing = expected.filter(({ id }) => !known.has(id))
  return [
    ...tests,
    ...missing.map(({ id, name }, at) => {
      const isHung = at === 0 && tests.length > 0
      return { id, name, durationMs: 0, ...(isHung ? hung : { status: 'not-run' as const }) }
    }),
  ]
}

const hung = { status: 'hung', message: 'The test did not end.' } as const

/** Runs tests with any command: the mocks in its processes get their values from an environment variable. */
export const createCommandRunner = ({ command, junit, serve = false }: CommandRunnerOptions): Runner => {
  const name = command.map(shellQuoted).join(' ')
  const folder = createTemporaryFolder()
  const traceFile = traceFileAt(join(folder.path, 'trace.ndjson'))
  let expected: readonly TestResult[] = []

  const start = async ({ assumptions, trace = false, variants, timeoutMs }: RunRequest, events: TraceEvent[]) => {
    const variables = {
      [assumeVariable]: formatAssumptions(assumptions),
      [traceVariable]: trace ? traceFile.path : '',
      [variantsVariable]: variants ? JSON.stringify(variants) : '',
    }
    const pytest = serve && trace ? createPytestPlugin(folder.path) : undefined
    const onTrace = (event: TraceEvent) => {
      const tests = pytest?.runningTests()
      events.push({ ...event, ...(tests && { tests }) })
    }
    const served = serve
      ? await serveMock(assumptions, { ...(trace && { onTrace }), ...(variants && { variants }) })
      : undefined
    try {
      return await runCommand(command, { ...variables, ...pytest?.variables, ...served?.variables }, timeoutMs)
    } catch (error) {
      throw new SweepInputError(`${command[0]} cannot be run: ${(error as Error).message}.`, { cause: error })
    } finally {
      await served?.close()
    }
  }

  return {
    selectsTests: false,
    async run(request) {
      const events: TraceEvent[] = []
      const startedAt = Date.now()
      const ended = await start(request, events)
      const reports = junit === undefined ? [] : reportsSince(junit, startedAt)
      if (junit !== undefined && reports.length === 0 && expected.length === 0) {
        throw new SweepInputError(`No test was found: the command wrote no file that matches ${junit}.`)
      }
      const reported = testsIn(reports, ended)
      const tests = withHung(
        reported.map(({ result }) => result),
        expected,
        ended,
      )
      if (junit !== undefined && tests.length === 0 && expected.length === 0) {
        throw new SweepInputError(`No test was found: the files that match ${junit} have none.`)
      }
      if (expected.length === 0) expected = tests
      const asWhole = commandResult(name, ended, tests)
      if (!request.trace) return [...tests, asWhole]
      const all = [...events, ...traceFile.take()]
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

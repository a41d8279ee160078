import { stripVTControlCharacters } from 'node:util'
import type { TestRun } from '../../types.ts'
import { firstLine } from '../failure-text.ts'
import { locationIn } from '../location.ts'
import type { CommandEnd } from './spawn.ts'

/**
 * The tests of the first run that a later one has no result for: one of them ended it, unless another test failed instead;
 * the others did not run.
 */
export const missingRuns = (
  found: readonly TestRun[],
  expected: readonly TestRun[],
  { timedOut }: CommandEnd,
  lastTraced: string | undefined,
): TestRun[] => {
  const names = new Set(found.map(({ name }) => name))
  const missing = expected.filter((one) => !names.has(one.name) && one.status !== 'skipped' && !one.isCommand)
  const known = new Set(expected.map(({ name }) => name))
  /** A failure that is none of a known test: the test runner reports it for a file. */
  const ofFile = found.find(({ name, status }) => status === 'failed' && !known.has(name))
  const isExplained = !timedOut && !ofFile && found.some(({ status }) => status === 'failed')
  const hasOthers = found.some(({ name, status }) => status === 'passed' && !known.has(name))
  // The one that got the last response in the trace, or else the first one.
  const named = missing.find(({ name }) => name === lastTraced)
  const culprit = isExplained ? undefined : (named ?? missing[0])
  const guess = named ? '' : ' It is the first test that has no result.'
  const ended = hasOthers
    ? 'The report has other tests instead: the name of a test must not depend on a response.'
    : (ofFile?.message ?? 'The run ended before the test did.')
  return missing.map(({ name, file }) => {
    const common = { name, file, durationMs: 0 }
    if (name !== culprit?.name) return { ...common, status: 'not-run' }
    const message = `${timedOut ? 'The test did not end.' : ended}${guess}`
    return { ...common, status: timedOut ? 'hung' : 'failed', message, location: ofFile?.location }
  })
}

/** The last error in some output, or else what stands before a stack, or the last line that says something. */
const lastError = (output: string): string | undefined => {
  const text = stripVTControlCharacters(output)
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^(?:Node\.js v\d|\s+at |\})/.test(line))
  const error = lines.findLast((line) => /^\s*[\w.]*(?:Error|Exception)\b/.test(line))
  return error ?? /^(.*\S)\s*\n\s+at /m.exec(text)?.[1] ?? lines.at(-1)
}

/** The command as a whole: it fails where its exit code says so, or it has to be stopped, and no test explains that. */
export const commandRun = (name: string, end: CommandEnd, tests: readonly TestRun[]): TestRun => {
  const { exitCode, signal, timedOut, output } = end
  const isExplained = tests.some(({ status }) => status === 'failed' || status === 'hung')
  const common = { name, file: '', durationMs: 0, isCommand: true } as const
  if (isExplained || (exitCode === 0 && !timedOut)) return { ...common, status: 'passed' }
  if (timedOut) return { ...common, status: 'hung', message: 'The command did not end in time.' }
  const said = signal ? `The command was ended by ${signal}.` : lastError(output)
  return {
    ...common,
    status: 'failed',
    message: firstLine(said ?? `Exit code ${exitCode}`),
    location: locationIn(output),
  }
}

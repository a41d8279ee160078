import type { TestContext } from 'vitest'
import type { Guild, MockLedger, ScriptedFault } from '../index.ts'
import { changedValues, formatAssumptions } from '../assumptions/alternatives.ts'
import { processWideAssumptions } from '../assumptions/process-wide.ts'
import { formatRequests } from '../request-log/format-requests.ts'
import type { LoggedRequest } from '../request-log/request-log.ts'
import { replayLine } from './replay-line.ts'

/** What to do about a fault that no request met, once its test has passed. */
export type OnUnusedFault = 'warn' | 'fail' | 'ignore'

const line = ({ fault, waits }: ScriptedFault): string => {
  const why =
    waits > 0 ? `${waits} more matching requests would have passed first` : 'no request that it changes matched'
  return `  ${JSON.stringify(fault)}: ${why}`
}

/** The faults that never happened, one on each line. */
export const formatUnusedFaults = (unused: readonly ScriptedFault[]): string[] =>
  unused.length > 0 ? ['Faults that never happened:', ...unused.map(line)] : []

const listed = (heading: string, requests: readonly LoggedRequest[]): string[] =>
  requests.length > 0 ? [`${heading}:`, formatRequests(requests)] : []

const withUnknownKey = (mock: MockLedger): LoggedRequest[] => mock.requests.filter(({ keyId }) => keyId === null)

/**
 * Prepares the report about a guild, for the case that its test fails: the requests, the assumptions in force, and the
 * command that runs the test again.
 */
export const prepareReport = (mock: MockLedger, guild: Guild, { file, fullTestName }: TestContext['task']) => {
  const unknownBefore = withUnknownKey(mock).length
  return (): string => {
    const { requests } = guild
    const changed = formatAssumptions(changedValues(guild.assumptions), ', ')
    return [
      ...(requests.length > 0 ? listed(`Requests to ${guild.id}`, requests) : [`No requests to ${guild.id}`]),
      ...formatUnusedFaults(guild.unusedFaults),
      ...listed('Requests with an unknown API key', withUnknownKey(mock).slice(unknownBefore)),
      changed === ''
        ? 'Assumptions: all have their default values'
        : `Assumptions: ${changed}, the others as by default`,
      `Replay: ${replayLine(file.name, fullTestName, changedValues(processWideAssumptions()))}`,
    ].join('\n')
  }
}

export const attachToFailure = (
  { task, onTestFailed }: Pick<TestContext, 'task' | 'onTestFailed'>,
  report: () => string,
): void => {
  // Errors of earlier attempts, where the test is retried.
  const earlier = task.result?.errors?.length ?? 0
  onTestFailed(() => {
    const error = task.result?.errors?.[earlier]
    if (!error) return
    const { message, stack } = error
    error.message = `${message}\n\n${report()}`
    if (stack !== undefined) error.stack = stack.replace(message, () => error.message)
  })
}

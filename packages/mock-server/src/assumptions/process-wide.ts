import { within } from '@guild-ledger/validation'
import { assume, parseAssumptionList, checkedAssumptions, type AssumptionKey, type Assumptions } from './values.ts'
import type { Alternative } from './alternatives.ts'
import { runningTest } from './running-test.ts'

/** What one response of a mock, or one new API key, depends on. */
export interface TraceEvent {
  /** What was decided: a response, or whether a guild may have another API key. */
  readonly of: 'response' | 'key'
  /** How the request came, where it was not by a call of the mock. */
  readonly via?: 'network' | 'interception'
  /** The values in force for it, without those that are the default. */
  readonly inForce: Partial<Assumptions>
  /** Other values under which it would differ. */
  readonly touched: readonly Alternative[]
  /** Assumptions it depends on, but whose value the mock or the guild was given. */
  readonly pinned: readonly AssumptionKey[]
  /** Tests that were running, as `file > name`; left out where that is unknown. */
  readonly tests?: readonly string[]
}

/** Settings for every mock in this process. */
export interface ProcessWide {
  /** Values that mocks start from if they are created from now on; what a mock or a guild is given takes precedence. */
  readonly assumptions?: Partial<Assumptions>
  /** Called for each response, and for each new API key, of every mock. */
  readonly onTrace?: (event: TraceEvent) => void
}

/** Where the settings are: a symbol that all copies of this module in a process share, in browsers and Workers too. */
const slot = Symbol.for('guild-ledger-mock.process-wide')

/** Environment variable with values to start from, such as `pageUnit=group,maxPage=3`. */
export const assumeVariable = 'GUILD_LEDGER_MOCK_ASSUME'
/** Environment variable with the name of a file that trace events are appended to, one JSON object a line. */
export const traceVariable = 'GUILD_LEDGER_MOCK_TRACE'

const variable = (name: string): string | undefined => globalThis.process?.env?.[name]?.trim() || undefined

const inSlot = (): ProcessWide | undefined => (globalThis as { [slot]?: ProcessWide })[slot]

/** Changes the settings, or removes them with `undefined`; then those of the environment count. Returns what they were. */
export const setProcessWide = (settings: ProcessWide | undefined): ProcessWide | undefined => {
  const before = inSlot()
  ;(globalThis as { [slot]?: ProcessWide | undefined })[slot] = settings
  return before
}

const fromVariable = (): Partial<Assumptions> => {
  const text = variable(assumeVariable)
  return text === undefined ? {} : within(assumeVariable, () => parseAssumptionList(text))
}

/** The values that a new mock starts from. */
export const processWideAssumptions = (): Assumptions =>
  assume(checkedAssumptions(inSlot()?.assumptions ?? fromVariable()))

const appendTo =
  (file: string) =>
  (event: TraceEvent): void => {
    const line = JSON.stringify({ ...event, tests: runningTest() })
    globalThis.process.getBuiltinModule('node:fs').appendFileSync(file, `${line}\n`)
  }

/** Who listens to the mocks of this process; `undefined` where nobody does. */
export const processWideTrace = (): ProcessWide['onTrace'] => {
  const settings = inSlot()
  if (settings) return settings.onTrace
  const file = variable(traceVariable)
  return file === undefined ? undefined : appendTo(file)
}

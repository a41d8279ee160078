import { assume, parseAssumptionList, checkedAssumptions, type AssumptionKey, type Assumptions } from './assumptions.ts'
import type { Alternative, Variant } from './alternatives.ts'
import { runningTest } from './running-test.ts'

/** What one response, or one new API key, depends on. */
export interface TraceEvent {
  /** Other values under which it would differ. */
  readonly touched: readonly Alternative[]
  /** Assumptions it depends on, but whose value the mock or the guild was given. */
  readonly pinned: readonly AssumptionKey[]
  /** Tests that were running, as `file > name`; left out where that is unknown. */
  readonly tests?: readonly string[]
}

/** Settings for every mock that is created in this process from now on. */
export interface ProcessWide {
  /** Values to start from; those that a mock or a guild is given take precedence. */
  readonly assumptions?: Partial<Assumptions>
  /** Called for each response and each new API key that depends on an assumption. */
  readonly onTrace?: (event: TraceEvent) => void
  /**
   * What each response is compared with.
   *
   * @default every other value of every assumption, one at a time
   */
  readonly variants?: readonly Variant[]
}

/** Where the settings are: a symbol that all copies of this module in a process share, in browsers and Workers too. */
const slot = Symbol.for('guild-ledger-mock.process-wide')

/** Environment variable with values to start from, such as `pageUnit=group,maxPage=3`. */
export const assumeVariable = 'GUILD_LEDGER_MOCK_ASSUME'
/** Environment variable with the name of a file that trace events are appended to, one JSON object a line. */
export const traceVariable = 'GUILD_LEDGER_MOCK_TRACE'
/** Environment variable with the variants of a trace, as JSON. */
export const variantsVariable = 'GUILD_LEDGER_MOCK_VARIANTS'

const variable = (name: string): string | undefined => globalThis.process?.env?.[name] || undefined

const inSlot = (): ProcessWide | undefined => (globalThis as { [slot]?: ProcessWide })[slot]

/** Changes the settings, or removes them with `undefined`. Returns what they were. */
export const setProcessWide = (settings: ProcessWide | undefined): ProcessWide | undefined => {
  const before = inSlot()
  ;(globalThis as { [slot]?: ProcessWide | undefined })[slot] = settings
  return before
}

const fromVariable = (): Partial<Assumptions> => {
  const text = variable(assumeVariable)
  if (text === undefined) return {}
  try {
    return parseAssumptionList(text)
  } catch (error) {
    throw new TypeError(`${assumeVariable}: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * The values that a new mock starts from.
 *
 * @throws {TypeError} The settings or the environment variable name an unknown assumption or a value that is not allowed.
 */
export const processWideAssumptions = (): Assumptions =>
  assume(checkedAssumptions(inSlot()?.assumptions ?? fromVariable()))

const appendTo =
  (file: string) =>
  (event: TraceEvent): void => {
    const line = JSON.stringify({ ...event, tests: runningTest() })
    globalThis.process.getBuiltinModule('node:fs').appendFileSync(file, `${line}\n`)
  }

/** The listener of a new mock; `undefined` where nobody listens. */
export const processWideTrace = (): ProcessWide['onTrace'] => {
  const settings = inSlot()
  if (settings) return settings.onTrace
  const file = variable(traceVariable)
  return file === undefined ? undefined : appendTo(file)
}

/** What the trace of a new mock compares with, where it is not every other value. */
export const processWideVariants = (): readonly Variant[] | undefined => {
  const settings = inSlot()
  if (settings) return settings.variants
  const text = variable(variantsVariable)
  return text === undefined ? undefined : (JSON.parse(text) as Variant[])
}

import type { TraceSummary } from '../trace-summary.ts'
import type { Values } from '../types.ts'

/** What a Vitest worker needs to know about the run. */
export interface WorkerSettings {
  readonly assumptions: Values
  /** Values for single tests, by id, instead of `assumptions`. */
  readonly valuesByTest: Readonly<Record<string, Values>>
  readonly trace: boolean
  readonly testTimeoutMs?: number
  /** Folder for the trace files of processes that tests start. */
  readonly folder: string
}

/** What a Vitest worker reports about a test. */
export interface TestTrace extends TraceSummary {
  /** Whether a test of the file, up to the end of this one, used a mock that it did not create itself. */
  readonly sharesMocks: boolean
  /** Whether a test of the file, up to the end of this one, used a mock that a test of another file created. */
  readonly borrowsMocks: boolean
}

/** Name under which Vitest provides them, and of the entry in the meta data of a test. */
export const settingsName = 'guildLedgerSweep'

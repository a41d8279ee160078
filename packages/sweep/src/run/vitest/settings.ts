import type { Values } from '../../types.ts'

/** What the sweep tells the workers of Vitest before a run. */
export interface WorkerSettings {
  readonly values: Values
  /** Milliseconds after which a test is stopped; the suite's own limit where there is none. */
  readonly testMs?: number
  /** Folder for files of the workers. */
  readonly folder: string
}

/** Name under which Vitest provides them, and of the trace in the meta data of a test. */
export const settingsName = 'guildLedgerSweep'

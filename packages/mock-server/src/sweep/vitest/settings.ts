import type { Values } from '../types.ts'

/** What a Vitest worker needs to know about the run. */
export interface WorkerSettings {
  readonly assumptions: Values
  readonly trace: boolean
  readonly testTimeoutMs?: number
  /** Folder for the trace files of processes that tests start. */
  readonly folder: string
}

/** Name under which Vitest provides them, and of the entry in the meta data of a test. */
export const settingsName = 'guildLedgerSweep'

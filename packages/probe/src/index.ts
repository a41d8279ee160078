/**
 * Finds out how a live service behaves where the spec does not say.
 *
 * @module @guild-ledger/probe
 */
export { probe } from './probe.ts'
export { ProbeError } from './problem.ts'
export { markdownReport } from './report/markdown.ts'
export { terminalReport } from './report/terminal.ts'
export type {
  Change,
  Expectation,
  Finding,
  ProbeKeys,
  ProbeOptions,
  ProbeProgress,
  ProbeReport,
  Verdict,
} from './types.ts'

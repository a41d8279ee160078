/**
 * Finds out how a live service behaves where the spec does not say.
 *
 * @module @guild-ledger/mock-server/probe
 */
export { probe } from './probe.ts'
export { ProbeError, type ProblemKind } from './problem.ts'
export { probeMarkdownReport } from './report/markdown.ts'
export { probeTerminalReport } from './report/terminal.ts'
export type {
  ProbeChange,
  ProbeEvidence,
  ProbeExpectation,
  ProbeFinding,
  ProbeKeys,
  ProbeOptions,
  ProbeProgress,
  ProbeProof,
  ProbeReport,
  ProbeValue,
  ProbeVerdict,
  Unexplained,
} from './types.ts'

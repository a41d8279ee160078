/**
 * Finds the tests of a bot that depend on unspecified behaviour.
 *
 * @module @guild-ledger/mock-server/sweep
 */
export { sweep, type SweepOptions } from './sweep.ts'
export { SweepInputError } from './input-error.ts'
export { createCommandRunner, type CommandRunnerOptions } from './command/command-runner.ts'
export { createVitestRunner } from './vitest/vitest-runner.ts'
export { replayCommand } from './command/replay.ts'
export { compareWithLock, parseLock, type AcceptedBreak, type LockComparison } from './lock.ts'
export { junitReport } from './report/junit.ts'
export { markdownReport } from './report/markdown.ts'
export { terminalReport } from './report/terminal.ts'
export { notTriedLabels, type ReportInput } from './report/describe.ts'
export type { SweepProgress } from './schedule.ts'
export type {
  Break,
  NotTried,
  Runner,
  RunRequest,
  SetAside,
  SweepReport,
  TestAndValues,
  TestResult,
  TestStatus,
  Values,
} from './types.ts'
export type { Alternative, Variant } from '../assumptions/index.ts'

/**
 * Finds the tests of a bot that depend on unspecified behaviour.
 *
 * @module @guild-ledger/sweep
 */
export { sweep, type SweepFindings, type SweepOptions, type SweepProgress } from './sweep.ts'
export { createCommandRunner, type CommandRunnerOptions } from './run/command/runner.ts'
export { createVitestRunner } from './run/vitest/runner.ts'
export * from './types.ts'

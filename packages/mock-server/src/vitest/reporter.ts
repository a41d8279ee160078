/**
 * A reporter for Vitest that says what the tests have covered of the service, for `reporters` in the configuration.
 *
 * @module @guild-ledger/mock-server/vitest/reporter
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { number, type Checks } from '@guild-ledger/validation'
import type { Reporter, Vitest } from 'vitest/node'
import { coverageOf } from '../coverage/coverage.ts'
import { coverageVariable } from '../coverage/recorder.ts'
import { formatCoverage, percentOf, type CoverageKind } from '../coverage/format-coverage.ts'
import { checkedFields } from '../type-error.ts'

/** The least coverage of each kind, in per cent, 0 to 100. Below one of them, the run fails. */
export interface CoverageThresholds {
  /** Endpoints that were requested. @default 0 */
  readonly endpoints?: number
  /** Query parameters that were sent, counted for each endpoint. @default 0 */
  readonly parameters?: number
  /** Documented errors that were sent. Spec: Errors. @default 0 */
  readonly errors?: number
  /** Assumptions that a response depended on. @default 0 */
  readonly assumptions?: number
}

const percent = number(0, 100)
const checks: Checks = { endpoints: percent, parameters: percent, errors: percent, assumptions: percent }
const naming = { noun: 'threshold', label: 'thresholds', expected: 'an object such as { assumptions: 60 }' }

/**
 * Prints what the tests of a run have covered of the service, and fails the run below a threshold. It counts the mocks of
 * all workers, of the processes that tests start, and of the global set-up; not those in a browser.
 *
 * @throws {TypeError} A threshold is unknown, or not a number from 0 to 100.
 * @example
 * export default defineConfig({ test: { reporters: ['default', ledgerCoverage({ assumptions: 60 })] } })
 */
export const ledgerCoverage = (thresholds: CoverageThresholds = {}): Reporter => {
  const least = Object.entries(checkedFields(checks, thresholds, naming)) as [CoverageKind, number][]
  let vitest: Vitest | undefined
  let file = ''
  return {
    // Before the first worker starts: all of them, and the processes that they start, have the variable.
    onInit(started) {
      vitest = started
      const folder = mkdtempSync(join(tmpdir(), 'guild-ledger-coverage-'))
      file = join(folder, 'facts')
      process.env[coverageVariable] = file
      started.onClose(() => rmSync(folder, { recursive: true, force: true }))
    },
    onTestRunEnd(_modules, _errors, reason) {
      if (reason === 'interrupted') return
      const coverage = coverageOf(existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [])
      const below = least.filter(([kind, threshold]) => percentOf(coverage[kind]) < threshold)
      const inBrowser = (vitest?.projects ?? []).filter(({ config }) => config.browser.enabled)
      const lines = [
        formatCoverage(coverage),
        ...inBrowser.map(({ name }) => `Not counted, because it runs in a browser: project ${name}`),
        ...below.map(
          ([kind, threshold]) =>
            `FAILED: coverage of ${kind} is ${percentOf(coverage[kind])} %, below the threshold of ${threshold} %`,
        ),
      ]
      vitest?.logger.log(`\n${lines.join('\n')}\n`)
      if (below.length > 0) process.exitCode = 1
    },
  }
}

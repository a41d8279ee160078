/** Runs all checks and tests. Fails if a test was skipped. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

// Tests try more cases, from fixed seeds, and none may be skipped.
process.env.CI ??= 'true'

const pnpm = (...args: string[]): boolean => {
  process.stdout.write(`\n> pnpm ${args.join(' ')}\n`)
  return spawnSync('pnpm', args, { stdio: 'inherit' }).status === 0
}

const checked = pnpm('check')
const report = '.vitest/report.json'
const tested = pnpm('test', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`)

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
}
const counts: Report = JSON.parse(readFileSync(report, 'utf8'))
const skipped = counts.numPendingTests + counts.numTodoTests
if (!checked) process.stdout.write('A check failed, see above.\n')
if (skipped > 0) process.stdout.write('Tests must not be skipped in CI.\n')
process.stdout.write(`${counts.numPassedTests} passed, ${counts.numFailedTests} failed, ${skipped} skipped\n`)
process.exitCode = checked && tested && skipped === 0 && counts.numPassedTests > 0 ? 0 : 1

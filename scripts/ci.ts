/**
 * Runs all checks and tests, and fails if a test was skipped. Most parts wait for browsers, processes and timers, so that
 * two run at the same time; what each part prints appears when it has ended.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

// Tests try more cases, from fixed seeds, and none may be skipped.
process.env.CI ??= 'true'

const report = '.vitest/report.json'
const tests = `test --reporter=default --reporter=json --outputFile.json=${report}`
/** All of these need the build, which the tests do not. The longest come first: the sweep waits for tests that hang. */
const parts = ['check:sweep', 'check:runtimes', 'check:next', 'check:site', 'check:static', 'check:bench']

const seconds = (from: number) => Math.round((performance.now() - from) / 1000)

/** Runs a part; prints what it printed, and how it ended. */
const run = async (part: string): Promise<boolean> => {
  const from = performance.now()
  const child = spawn('pnpm', part.split(' '), { stdio: ['ignore', 'pipe', 'pipe'] })
  const [code, ...printed] = await Promise.all([
    new Promise((resolve) => child.once('close', resolve)),
    text(child.stdout),
    text(child.stderr),
  ])
  const end = code === 0 ? 'passed' : 'FAILED'
  process.stdout.write(`\n> pnpm ${part}\n${printed.join('')}${end} after ${seconds(from)} s: pnpm ${part}\n`)
  return code === 0
}

const built = run('build')
/** Runs the parts that are left one after the other. */
const runRest = async (): Promise<boolean> => {
  let all = await built
  for (let part = parts.shift(); part; part = parts.shift()) all = (await run(part)) && all
  return all
}
const passed = await Promise.all([runRest(), run(tests).then(async (all) => (await runRest()) && all)])

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
}
const counts: Report = JSON.parse(readFileSync(report, 'utf8'))
const skipped = counts.numPendingTests + counts.numTodoTests
if (skipped > 0) process.stdout.write('Tests must not be skipped in CI.\n')
process.stdout.write(`${counts.numPassedTests} passed, ${counts.numFailedTests} failed, ${skipped} skipped\n`)
const isGreen = passed.every(Boolean) && skipped === 0 && counts.numPassedTests > 0
process.stdout.write(`${isGreen ? 'All parts passed' : 'A part failed, see above'} after ${seconds(0)} s.\n`)
process.exitCode = isGreen ? 0 : 1

/**
 * Runs all checks and tests, and fails if a test was skipped. Parts that keep one processor busy run at the same time; what
 * each part prints appears when it has ended.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'

// Tests try more cases, from fixed seeds, and none may be skipped.
process.env.CI ??= 'true'

/** The commands that a script runs one after the other. */
const commandsOf = (folder: string, script: string): string[] => {
  const { scripts } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { scripts: Record<string, string> }
  return (scripts[script] ?? '').split(' && ').map((command) => command.replace('pnpm ', ''))
}

const report = '.vitest/report.json'
const tests = `test --reporter=default --reporter=json --outputFile.json=${report}`
const copyGuides = '-r run prepack' // once, so that two parts can pack a package at the same time
const installRuntimes = '--dir runtimes install --frozen-lockfile'
const installPrograms = 'exec bash .ci/install-programs'

/** A command of pnpm, and those that must have passed before. */
type Part = readonly [command: string, ...after: string[]]
const needsBuild = (command: string): Part => [command, 'build']
const needsPrograms = (command: string): Part => [command, 'build', installPrograms]

const sweeps = commandsOf('.', 'check:sweep')
/** These keep all processors busy. */
const isLarge = (command: string): boolean => [tests, 'check:site', 'check:sweep:suites'].includes(command)
const loadOf = (command: string): number => (isLarge(command) ? availableParallelism() : 1)
/** One more than there are processors, because parts wait now and then. Four processes on two take 30 % more processor time. */
const room = availableParallelism() + 1

/** As soon as there is room, the first one that can run does: those on which others wait, then the longest. */
const parts: readonly Part[] = [
  [installPrograms],
  ['build'],
  [tests, installPrograms],
  [copyGuides],
  [installRuntimes],
  ...sweeps.map(needsPrograms),
  needsPrograms('check:site'),
  ...commandsOf('runtimes', 'check').map((check): Part => [
    `--dir runtimes run ${check}`,
    'build',
    copyGuides,
    installRuntimes,
    installPrograms,
  ]),
  needsBuild('check:next'),
  ...commandsOf('.', 'check:static').map((check): Part =>
    check === 'check:packages' ? [check, 'build', copyGuides] : [check],
  ),
  ['check:bench'],
]

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

const waiting = [...parts]
const passed = new Set<string>()
const running = new Map<string, Promise<void>>()
const start = async (command: string): Promise<void> => {
  if (await run(command)) passed.add(command)
  running.delete(command)
}
for (;;) {
  const hasLarge = [...running.keys()].some(isLarge)
  const next = waiting.findIndex(
    ([command, ...after]) => after.every((needed) => passed.has(needed)) && !(hasLarge && isLarge(command)),
  )
  const [command = ''] = waiting[next] ?? []
  const load = [...running.keys(), command].reduce((sum, one) => sum + loadOf(one), 0)
  if (next >= 0 && (load <= room || running.size === 0)) {
    waiting.splice(next, 1)
    running.set(command, start(command))
  } else if (running.size > 0) await Promise.race(running.values())
  else break
}
for (const [command] of waiting) process.stdout.write(`Not run, because what it needs failed: pnpm ${command}\n`)

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
const isGreen = passed.size === parts.length && skipped === 0 && counts.numPassedTests > 0
process.stdout.write(`${isGreen ? 'All parts passed' : 'A part failed, see above'} after ${seconds(0)} s.\n`)
process.exitCode = isGreen ? 0 : 1

/**
 * Sweeps the planted suite under all values, checks what is found, and prints the cost relative to a clean run:
 * `node --conditions=@guild-ledger/source packages/mock-server/scripts/sweep-cost.ts [vitest | node | pytest]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCommandRunner, createVitestRunner, sweep, type Runner } from '@guild-ledger/mock-server/sweep'
import { formatAssumptions } from '../src/assumptions/index.ts'
import { planted } from '../test/sweep-planted/planted.ts'

const name = process.argv[2] ?? 'vitest'
const suite = join(import.meta.dirname, '../test/sweep-planted')
const folder = mkdtempSync(join(tmpdir(), 'sweep-cost-'))
const junit = join(folder, 'report.xml')
process.env.PLANTED_FLAKY_FILE = join(folder, 'flaky')
process.env.PYTHONDONTWRITEBYTECODE = '1'

const nodeTest = [
  process.execPath,
  '--conditions=@guild-ledger/source',
  '--test',
  '--test-reporter=junit',
  `--test-reporter-destination=${junit}`,
  join(suite, 'planted.node.ts'),
]
const pytest = ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', `--junitxml=${junit}`, suite]
const runners: Record<string, () => Runner | Promise<Runner>> = {
  vitest: () => createVitestRunner(['--root', suite, 'planted.vitest']),
  node: () => createCommandRunner({ command: nodeTest, junit }),
  pytest: () => createCommandRunner({ command: pytest, junit, serve: true }),
}
const create = runners[name]
if (!create) throw new Error(`Unknown runner ${name}: use vitest, node or pytest.`)
const runner = await create()

// Clean runs before, in the middle and after: the machine may have other work.
const cleanSeconds: number[] = []
const measureClean = async () => {
  const start = performance.now()
  await runner.run({ assumptions: {} })
  await runner.run({ assumptions: {} })
  cleanSeconds.push((performance.now() - start) / 2000)
}
const cpuSeconds = () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  return (userCPUTime + systemCPUTime) / 1e6
}

await measureClean()
let pausedMs = 0
let steps = 0
const paused: Runner = {
  ...runner,
  async run(request) {
    if (++steps % 20 === 0) {
      const start = performance.now()
      await measureClean()
      pausedMs += performance.now() - start
    }
    return runner.run(request)
  },
}
const report = await sweep({
  runner: paused,
  onProgress: ({ label, done, total }) => process.stderr.write(`${done + 1}/${total} ${label.slice(0, 60)}\n`),
})
await measureClean()
await runner.close()
rmSync(folder, { recursive: true })

const expected = new Set([...planted.singles.map(({ value }) => value), 'rateLimitAlgorithm=gcra'])
const found = new Set(report.breaks.map(({ values }) => formatAssumptions(values)))
const missed = [...expected].filter((value) => !found.has(value))
const seconds = report.cost.seconds - pausedMs / 1000
const clean = cleanSeconds.reduce((sum, one) => sum + one, 0) / cleanSeconds.length
const limit = name === 'vitest' ? 2 * clean + expected.size : expected.size * clean
const figures = {
  runner: name,
  alternatives: expected.size,
  breaks: report.breaks.length,
  missed,
  blamedRobust: report.breaks.filter(({ test }) => test.includes('robust')).length,
  runs: report.cost.runs,
  seconds: Math.round(seconds),
  cleanRunSeconds: Number(clean.toFixed(2)),
  cleanRuns: Math.round(seconds / clean),
  limitSeconds: Math.round(limit),
  cpuSecondsOfThisProcess: Number(cpuSeconds().toFixed(1)),
}
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
process.exitCode = missed.length === 0 && figures.blamedRobust === 0 ? 0 : 1

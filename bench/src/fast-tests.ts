/**
 * The time that 40 tests with the mock take, with `mock.clientOptions` and with a client that has its default throttle
 * and retries: the tests alone, without the start of Vitest. The median of five runs.
 *
 *     pnpm --dir bench mock:tests
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { median } from './statistics.ts'

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: { assertionResults: { duration: number }[] }[]
}

const run = promisify(execFile)
const vitest = resolve(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')
const folder = await mkdtemp(join(tmpdir(), 'guild-ledger-fast-tests-'))

/** Milliseconds of all tests together. */
const timeOf = async (client: string): Promise<number> => {
  const file = join(folder, 'report.json')
  const args = [vitest, 'run', '--config', resolve(import.meta.dirname, 'fast-tests.config.ts')]
  await run(process.execPath, [...args, '--reporter=json', `--outputFile.json=${file}`], {
    cwd: import.meta.dirname,
    env: { ...process.env, CLIENT: client },
  })
  const report = JSON.parse(await readFile(file, 'utf8')) as Report
  if (report.numPassedTests !== 40 || report.numFailedTests !== 0) throw new Error('not all of the 40 tests passed')
  return report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .reduce((sum, { duration }) => sum + duration, 0)
}

for (const [name, client] of [
  ['mock.clientOptions', 'fast'],
  ['default throttle and retries', 'default'],
] as const) {
  const times: number[] = []
  for (let i = 0; i < 5; i++) times.push(await timeOf(client))
  const ms = median(times)
  process.stdout.write(`${name}: 40 tests in ${Math.round(ms)} ms, ${(ms / 40).toFixed(1)} ms each\n`)
}
await rm(folder, { recursive: true })

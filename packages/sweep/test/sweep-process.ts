import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { assumptionDefinitions } from '@guild-ledger/mock-server/assumptions'
import { onTestFinished } from 'vitest'
import type { SweepReport } from '../src/report/report.ts'

const program = join(import.meta.dirname, '../dist/main.js')
export const planted = join(import.meta.dirname, 'planted')

/** A folder that is removed after the test. */
export const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'sweep-test-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

/** The variable that names a file for the flaky test of a planted suite. */
export const flakyFile = () => ({ PLANTED_FLAKY_FILE: join(folder(), 'flaky') })

/** Whether to sweep everything, as before a release: `CASES=8`. */
export const isAll = Number(process.env.CASES ?? 1) > 1

/** All assumptions but these. */
export const allBut = (swept: readonly string[]) =>
  Object.keys(assumptionDefinitions).filter((key) => !swept.includes(key))

/** The arguments that leave assumptions unchanged. */
export const knownFlags = (keys: readonly string[]) => (keys.length > 0 ? ['--known', keys.join(',')] : [])

/** In milliseconds: a busy machine takes four times as long as a quiet one. */
const timeout = isAll ? 1_800_000 : 590_000

/** Runs the command line, as it was built, until it exits. */
export const runToExit = async (args: readonly string[], variables: Record<string, string> = {}) => {
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', GITHUB_ACTIONS: '', ...variables }
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env, timeout })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { out, err: code === null ? `${err}stopped after ${timeout / 1000} s` : err, code: code as number | null }
}

/** What a sweep reports, and per test, by the last part of its name, the values it breaks under. */
export const sweepOf = async (args: readonly string[], variables: Record<string, string> = {}) => {
  const { out, err } = await runToExit(['--json', ...args], variables)
  if (!out.startsWith('{')) throw new Error(err)
  const report = JSON.parse(out) as SweepReport
  const breaks = report.results.flatMap(({ test, breaks: found }) =>
    found.map(({ values, kind }) => `${test.split(' > ').at(-1)}: ${kind} under ${values}`),
  )
  const ofResult = (result: string) =>
    report.results.filter((one) => one.result === result).map(({ test }) => test.split(' > ').at(-1))
  return { report, breaks: breaks.toSorted(), ofResult }
}

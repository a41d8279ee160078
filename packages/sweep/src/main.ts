#!/usr/bin/env node
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outliveReaders } from '@guild-ledger/validation/command-line'
import { parseCommandLine, type SweepArguments } from './command-line.ts'
import { acceptNew, readLock } from './lock.ts'
import { markdownReport } from './report/markdown.ts'
import { createProgress } from './report/progress.ts'
import { reportToGitHub } from './report/github.ts'
import { exitCodeOf, reportOf, type SweepReport } from './report/report.ts'
import { terminalReport } from './report/terminal.ts'
import { printable } from './report/text.ts'
import { createCommandRunner } from './run/command/runner.ts'
import { replayCommand } from './run/command/serve.ts'
import { createVitestRunner } from './run/vitest/runner.ts'
import { sweep } from './sweep.ts'
import { SweepError, type Runner } from './types.ts'

const createRunner = async ({ vitest, rest, junit, serve }: SweepArguments): Promise<Runner> =>
  vitest
    ? createVitestRunner(rest)
    : createCommandRunner({ command: rest, ...(serve && { serve }), ...(junit !== undefined && { junit }) })

const makeFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw new SweepError(`--out ${folder} cannot be written: ${(error as Error).message}.`, { cause: error })
  }
}

const write = (folder: string, report: SweepReport): void => {
  writeFileSync(join(folder, 'sweep.json'), `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(join(folder, 'sweep.md'), markdownReport(report))
}

const run = async (args: SweepArguments): Promise<number> => {
  const { accept, out, known, json, verbose = false } = args
  if (args.replay) return replayCommand(args.rest, { ...known.base, ...args.replay }, args.serve)
  const lock = accept === undefined ? [] : await readLock(accept, args.acceptNew !== undefined)
  if (out !== undefined) makeFolder(out)
  const startedAt = new Date()
  const progress = createProgress(process.stderr)
  const runner = await createRunner(args)
  try {
    const findings = await sweep({
      runner,
      base: known.base,
      known: known.names,
      include: args.include ?? [],
      ...(args.maxSeconds !== undefined && { maxSeconds: args.maxSeconds }),
      onProgress: (step) => progress.show(step),
    })
    progress.end()
    const report = reportOf(findings, { runner: runner.name, startedAt, base: known.base, lock })
    if (out !== undefined) write(out, report)
    const print = (text: string) => void process.stdout.write(text)
    print(json ? `${JSON.stringify(report, null, 2)}\n` : terminalReport(report, verbose))
    if (!json) reportToGitHub(report, process.env, print)
    if (accept === undefined || args.acceptNew === undefined)
      return exitCodeOf(report, { notJudged: args.failIfNotJudged ?? false, unreached: args.failIfUnreached ?? false })
    const count = acceptNew(accept, lock, report.results, args.acceptNew)
    process.stderr.write(`guild-ledger-sweep: added ${count} to ${accept}\n`)
    return 0
  } finally {
    progress.end()
    await runner.close()
  }
}

outliveReaders()
// A command is in a process group of its own, which Ctrl+C does not reach: its runner ends it on exit.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
try {
  const args = await parseCommandLine(process.argv.slice(2), process.env)
  process.exitCode = args ? await run(args) : 0
} catch (error) {
  if (!(error instanceof SweepError)) throw error
  process.stderr.write(`guild-ledger-sweep: ${printable(error.message)}\n`)
  process.exitCode = 2
}
// A browser that Vitest cannot end would keep this process running.
setTimeout(() => process.exit(), 3000).unref()

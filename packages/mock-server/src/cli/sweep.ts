import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatUnknownName } from '@guild-ledger/validation'
import {
  assumptionDefinitions,
  parseAssumptionList,
  checkedAssumptions,
  type AssumptionKey,
  type Assumptions,
} from '../assumptions/index.ts'
import {
  compareWithLock,
  createCommandRunner,
  createVitestRunner,
  junitReport,
  markdownReport,
  notTriedLabels,
  parseLock,
  replayCommand,
  sweep,
  SweepInputError,
  terminalReport,
  type ReportInput,
  type Runner,
} from '../sweep/index.ts'
import { checkFolder } from './out-folder.ts'
import { readSweepArguments, sweepHelp, type SweepArguments } from './sweep-arguments.ts'
import { createSweepProgress } from './sweep-progress.ts'
import { UsageError } from './usage-error.ts'

const readText = (flag: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${flag} ${file} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}

/** Runs a step; what it throws becomes a `UsageError` about the option. */
const blaming = <Result>(flag: string, step: () => Result): Result => {
  try {
    return step()
  } catch (error) {
    throw new UsageError(`${flag}: ${(error as Error).message}`, { cause: error })
  }
}

const isPair = (text: string): boolean => text.includes('=')

/** No name or value of an assumption has a dot or a slash. */
const isFile = (text: string): boolean => existsSync(text) || /[./\\]/.test(text)

const assumptionsIn = (file: string): Partial<Assumptions> => {
  const text = readText('--skip', file)
  try {
    return checkedAssumptions(JSON.parse(text) as object)
  } catch (error) {
    const reason = error instanceof SyntaxError ? ' is not JSON.' : `: ${(error as Error).message}`
    throw new UsageError(`--skip ${file}${reason}`, { cause: error })
  }
}

/** Values from a file that `probe` wrote, or from a list of `KEY` and `KEY=VALUE`. */
const skippedBy = (text: string | undefined): { base: Partial<Assumptions>; skip: AssumptionKey[] } => {
  if (text === undefined) return { base: {}, skip: [] }
  if (isFile(text)) {
    const base = assumptionsIn(text)
    return { base, skip: Object.keys(base) as AssumptionKey[] }
  }
  const items = text.split(',').map((item) => item.trim())
  const pairs = items.filter(isPair)
  const base = blaming('--skip', () => (pairs.length > 0 ? parseAssumptionList(pairs.join(',')) : {}))
  const names = items.filter((item) => !isPair(item))
  const unknown = names.find((name) => !Object.hasOwn(assumptionDefinitions, name))
  if (unknown !== undefined) {
    throw new UsageError(`--skip: ${formatUnknownName('assumption', unknown, Object.keys(assumptionDefinitions))}`)
  }
  return { base, skip: [...Object.keys(base), ...names] as AssumptionKey[] }
}

const createRunner = ({ vitest, rest, junit, serve = false }: SweepArguments): Promise<Runner> | Runner =>
  vitest
    ? createVitestRunner(rest)
    : createCommandRunner({ command: rest, serve, ...(junit !== undefined && { junit }) })

const writeReports = (folder: string, input: ReportInput): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'sweep.json'), `${JSON.stringify(input, null, 2)}\n`)
  writeFileSync(join(folder, 'sweep.md'), markdownReport(input))
  writeFileSync(join(folder, 'sweep.xml'), junitReport(input))
}

/** What the sweep says nothing about: a sentence for each test that was set aside, or not tried under some values. */
const unknownIn = ({ report, lock }: ReportInput): string[] => [
  ...report.setAside.map(({ test, reason }) => `${test} is set aside (${reason}): the sweep says nothing about it.`),
  ...lock.notTried.map(
    ({ test, values, reason }) => `${test} was not tried under ${values.join(' ')}: ${notTriedLabels[reason]}.`,
  ),
]

const sweepWith = async (args: SweepArguments): Promise<number> => {
  const { accept, out, json = false, pairs = false, maxSeconds } = args
  const lock = accept === undefined ? [] : parseLock(readText('--accept', accept), accept)
  const skipped = skippedBy(args.skip)
  if (out !== undefined) checkFolder(out)
  const progress = createSweepProgress(process.stderr)
  const runner = await createRunner(args)
  try {
    const report = await sweep({
      runner,
      ...skipped,
      pairs,
      ...(maxSeconds !== undefined && { maxSeconds }),
      onProgress: (step) => progress.show(step),
    })
    progress.end()
    const input: ReportInput = { report, lock: compareWithLock(report, lock, pairs) }
    if (out !== undefined) writeReports(out, input)
    process.stdout.write(json ? `${JSON.stringify(input, null, 2)}\n` : terminalReport(input))
    const unknown = args['fail-if-set-aside'] ? unknownIn(input) : []
    for (const sentence of unknown) process.stderr.write(`guild-ledger-mock: ${sentence}\n`)
    return input.lock.unaccepted.length + input.lock.stale.length + unknown.length > 0 ? 1 : 0
  } finally {
    await runner.close()
  }
}

/**
 * Runs `guild-ledger-mock sweep` and returns its exit code.
 *
 * @throws {UsageError} The command line, a file or the test suite cannot be used; nothing was written.
 */
export const runSweep = async (args: readonly string[]): Promise<number> => {
  const options = readSweepArguments(args)
  const { help, replay, rest, serve = false } = options
  if (help) {
    process.stdout.write(sweepHelp)
    return 0
  }
  // The command is in a process group of its own, which Ctrl+C does not reach: its runner ends it on exit.
  const interrupted = () => process.exit(130)
  const terminated = () => process.exit(143)
  process.once('SIGINT', interrupted)
  process.once('SIGTERM', terminated)
  try {
    if (replay !== undefined) {
      return await replayCommand(
        rest,
        blaming('--replay', () => parseAssumptionList(replay)),
        serve,
      )
    }
    return await sweepWith(options)
  } catch (error) {
    if (error instanceof SweepInputError) throw new UsageError(error.message, { cause: error })
    throw error
  } finally {
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', terminated)
  }
}

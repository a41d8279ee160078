import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as VitestNode from 'vitest/node'
import type { CliOptions, TestSpecification, Vitest } from 'vitest/node'
import { isErrorLike } from '@guild-ledger/validation'
import { SweepError } from '../../types.ts'
import { firstLine } from '../failure-text.ts'

/**
 * The sources run as they are; built, this code and the worker's are in one folder. With `?inline`, Vitest runs the file
 * for each test file, also where a worker runs several.
 */
const workerFile = `${fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url))}?inline`

/** What Vitest says where it cannot run the tests, in a sentence. */
export const vitestError = (error: unknown): SweepError => {
  const { message, cause } = isErrorLike(error) ? error : new Error(String(error))
  const reason = (firstLine(message) ?? 'it does not say why').replace(/[.:]$/, '')
  const detail = isErrorLike(cause) ? `: ${firstLine(cause.message)?.replace(/\.$/, '')}` : ''
  return new SweepError(`Vitest cannot run the tests: ${reason}${detail}.`, { cause: error })
}

const withVitest = async <Result>(step: () => Promise<Result>): Promise<Result> => {
  try {
    return await step()
  } catch (error) {
    throw vitestError(error)
  }
}

/** The Vitest of the project, not one that may be installed with this package. */
const loadVitest = async (): Promise<typeof VitestNode> => {
  try {
    const path = createRequire(resolve('package.json')).resolve('vitest/node')
    const vitest = (await import(pathToFileURL(path).href)) as typeof VitestNode
    if (!vitest.version.startsWith('5.')) throw new Error(`Vitest ${vitest.version}`)
    return vitest
  } catch (cause) {
    throw new SweepError('There is no Vitest 5 here: install vitest@5, or write your test command after --.', { cause })
  }
}

/** What the tests print: it would be in the middle of the report. */
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/** The specifications of the shard. Vitest would divide the files of each later run again. */
const shardOf = async (vitest: Vitest, specifications: TestSpecification[]) => {
  const { config } = vitest
  if (!config.shard) return specifications
  const shard = await new config.sequence.sequencer(vitest).shard(specifications)
  Reflect.deleteProperty(config, 'shard')
  return shard
}

/** Options that a run of a single test does not need. */
const replaced = /^(?:-t|--test-?name-?pattern|--shard|-u|--update|--changed)(?:=|$)/i

/** The options among the arguments of Vitest, for a run of a single test. `filtersIn` returns the file filters. */
const replayOptions = (args: readonly string[], filtersIn: (args: readonly string[]) => string[]): string[] =>
  args.filter((arg, at) => {
    const isFilter = filtersIn(args.slice(0, at + 1)).length > filtersIn(args.slice(0, at)).length
    const before = args[at - 1] ?? ''
    const isValueOfReplaced = replaced.test(before) && !before.includes('=') && !arg.startsWith('-')
    return !isFilter && !replaced.test(arg) && !isValueOfReplaced
  })

/**
 * Starts the Vitest of the project, for several runs.
 *
 * @throws {SweepError} The project has no Vitest, the arguments or the configuration are wrong, or no test file matches.
 */
export const startVitest = async (args: readonly string[]) => {
  const { createVitest, parseCLI, version } = await loadVitest()
  const parsed = (some: readonly string[]) => parseCLI(['vitest', 'run', ...some])
  const { filter, options } = await withVitest(async () => parsed(args))
  // Vitest prefers this option to `reporters`.
  const { reporter: _replaced, ...others } = options as CliOptions & { reporter?: unknown }
  const changed: CliOptions = { watch: false, bail: 0, reporters: [{}], silent: true, coverage: { enabled: false } }
  const streams = { stdout: nowhere(), stderr: nowhere() }
  const vitest = await withVitest(() => createVitest({ ...others, ...changed }, {}, streams))
  try {
    for (const { config } of vitest.projects) {
      config.setupFiles.unshift(workerFile)
      // Other setup files may create mocks: they wait for the one of the sweep.
      config.sequence.setupFiles = 'list'
    }
    const all = await withVitest(async () => shardOf(vitest, await vitest.getRelevantTestSpecifications(filter)))
    // Type tests do not run.
    const specifications = all.filter(({ pool }) => pool !== 'typescript')
    if (specifications.length === 0) throw new SweepError('No test was found: no file matches the arguments of Vitest.')
    return { vitest, version, specifications, options: replayOptions(args, (some) => parsed(some).filter) }
  } catch (error) {
    await vitest.close()
    throw error
  }
}

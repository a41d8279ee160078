import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as VitestNode from 'vitest/node'
import type { CliOptions, Reporter, TestSpecification, Vitest } from 'vitest/node'
import { SweepInputError } from '../input-error.ts'
import { replayOptions } from './replay-options.ts'
import { withVitest } from './vitest-error.ts'

/**
 * The sources run as they are; built, this code and the setup file are in one folder. With `?inline`, Vitest runs the
 * file for each test file, also where workers run several: it imports other files in `node_modules` once in a worker.
 */
const setupFile = `${fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './setup.ts' : './sweep-vitest-setup.js', import.meta.url),
)}?inline`

/** The Vitest of the project, not one that may be installed with this package. */
const loadVitest = async (): Promise<typeof VitestNode> => {
  try {
    const path = createRequire(resolve('package.json')).resolve('vitest/node')
    return (await import(pathToFileURL(path).href)) as typeof VitestNode
  } catch (error) {
    throw new SweepInputError('--vitest needs Vitest 5 in this project: npm install --save-dev vitest.', {
      cause: error,
    })
  }
}

/** What the tests print: it would be in the middle of the report. */
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/** The specifications of the shard. Vitest would divide the files of each later run again. */
const shardOf = async (vitest: Vitest, specifications: TestSpecification[]) => {
  const { config } = vitest
  if (!config.shard) return specifications
  const sequencer = new config.sequence.sequencer(vitest)
  const shard = await sequencer.shard(specifications)
  Reflect.deleteProperty(config, 'shard')
  return shard
}

/** Whether the tests of a file run, and are not only type-checked. */
const runsCode = ({ pool }: TestSpecification): boolean => pool !== 'typescript'

/** An instance of Vitest for a sweep. */
export interface StartedVitest {
  readonly vitest: Vitest
  /** All test files. */
  readonly specifications: readonly TestSpecification[]
  /** The options among the arguments, for a run of a single test. */
  readonly options: readonly string[]
}

/**
 * Starts the Vitest of the project.
 *
 * @throws {SweepInputError} The project has no Vitest, the arguments or the configuration are wrong, or no test file
 *   matches the arguments.
 */
export const startVitest = async (args: readonly string[], reporter: Reporter): Promise<StartedVitest> => {
  const { createVitest, parseCLI } = await loadVitest()
  const parsed = (some: readonly string[]) => parseCLI(['vitest', 'run', ...some])
  const { filter, options } = await withVitest(async () => parsed(args))
  const changed: CliOptions = {
    watch: false,
    bail: 0,
    reporters: [reporter],
    silent: true,
    coverage: { enabled: false },
  }
  // Vitest prefers this option to `reporters`.
  const { reporter: _replaced, ...others } = options as CliOptions & { reporter?: unknown }
  const streams = { stdout: nowhere(), stderr: nowhere() }
  const vitest = await withVitest(() => createVitest({ ...others, ...changed }, {}, streams))
  for (const { config } of vitest.projects) {
    config.setupFiles.unshift(setupFile)
    // Other setup files may create mocks: they wait for the one of the sweep.
    config.sequence.setupFiles = 'list'
  }
  try {
    const specifications = await withVitest(async () =>
      shardOf(vitest, (await vitest.getRelevantTestSpecifications(filter)).filter(runsCode)),
    )
    if (specifications.length === 0) {
      throw new SweepInputError('No test was found: no file matches the arguments of Vitest.')
    }
    return { vitest, specifications, options: replayOptions(args, (some) => parsed(some).filter) }
  } catch (error) {
    await vitest.close()
    throw error
  }
}

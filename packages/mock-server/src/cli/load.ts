import { readFileSync } from 'node:fs'
import { paths } from '@guild-ledger/sdk/contract'
import { assume, setProcessWide, type Assumptions } from '../assumptions/index.ts'
import { createMockLedger, type MockLedger } from '../index.ts'
import { coreOf } from '../adapters/core.ts'
import { checkFile } from './check-file.ts'
import { loadFile } from './load-file.ts'
import type { CommandLine } from './options.ts'
import { createProgress, noProgress } from './progress.ts'
import { applySetUp, type SetUpGuild } from './set-up.ts'
import { UsageError } from './usage-error.ts'

const fileErrors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
}

/** An error about the option and its file. */
const toFileError = (name: string, file: string, error: unknown): UsageError => {
  if (error instanceof UsageError) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) return new UsageError(`${name} ${file}: ${message}`, { cause: error })
  return new UsageError(`${name} ${file} cannot be read: ${fileErrors[code] ?? message}`, { cause: error })
}

const readJson = (file: string): unknown => {
  checkFile(file)
  const text = readFileSync(file, 'utf8')
  try {
    const content: unknown = JSON.parse(text)
    if (content instanceof Object) Reflect.deleteProperty(content, '$schema') // for editors
    return content
  } catch {
    throw new TypeError('it is not JSON')
  }
}

const loadAssumptions = ({ assumptions: file, assume: pairs, nameOf }: CommandLine): Partial<Assumptions> => {
  if (file === undefined) return pairs
  try {
    const fromFile = readJson(file) as Partial<Assumptions>
    assume(fromFile)
    return { ...fromFile, ...pairs }
  } catch (error) {
    throw toFileError(nameOf('assumptions'), file, error)
  }
}

const loadData = async ({ data: file = '', nameOf, json = false }: CommandLine, mock: MockLedger): Promise<void> => {
  const progress = json ? noProgress : createProgress(process.stderr, `${nameOf('data')} ${file}`)
  try {
    checkFile(file)
    await loadFile(file, (transactions) => mock.guild.add(transactions), progress)
  } catch (error) {
    throw toFileError(nameOf('data'), file, error)
  } finally {
    progress.end()
  }
}

const setUp = ({ setup: file, nameOf }: CommandLine, mock: MockLedger): SetUpGuild[] | undefined => {
  if (file === undefined) return undefined
  try {
    return applySetUp(mock, readJson(file))
  } catch (error) {
    throw toFileError(nameOf('setup'), file, error)
  }
}

/** Generates transactions and builds indexes now, so that the first request need not wait. It leaves no trace. */
export const warmUp = (mock: MockLedger): void => {
  const before = mock.snapshot()
  // No test sends these requests: a sweep would count them.
  const settings = setProcessWide({})
  for (const { apiKey } of mock.guilds) mock.respond({ method: 'GET', target: paths.guild, apiKey })
  setProcessWide(settings)
  mock.restore(before)
}

/** A mock with all its data. */
export interface LoadedMock {
  readonly mock: MockLedger
  /** The guilds of a set-up file, if there is one. */
  readonly guilds: readonly SetUpGuild[] | undefined
}

/**
 * Creates the mock that the command line describes. Its data are there when it resolves.
 *
 * @throws {UsageError} A file cannot be read, or its content is wrong.
 */
export const loadMock = async (options: CommandLine, now?: () => number): Promise<LoadedMock> => {
  const { data, apiKey, rateLimit, explain = false, seed, users, nameOf } = options
  const transactions = data === undefined ? options.transactions : 0
  if (users === 0 && transactions > 0) {
    throw new UsageError(`\`${nameOf('users')}\` must be an integer ≥ 1 where there are transactions, got 0`)
  }
  const assumptions = loadAssumptions(options)
  let mock: MockLedger
  try {
    mock = createMockLedger({ assumptions, explain, users, transactions, seed, apiKey, rateLimit, ...(now && { now }) })
  } catch (error) {
    throw new UsageError(`${nameOf('apiKey')}: ${(error as Error).message}`, { cause: error })
  }
  if (data !== undefined) await loadData(options, mock)
  const guilds = setUp(options, mock)
  // For anyone who resets the mock, what the files brought was there from the start.
  coreOf(mock).keepAsBeginning()
  warmUp(mock)
  return { mock, guilds }
}

import { readFileSync } from 'node:fs'
import { assume, type Assumptions } from '../assumptions/index.ts'
import { createMockLedger, type MockLedger } from '../index.ts'
import { checkFile } from './check-file.ts'
import { loadFile } from './load-file.ts'
import type { CommandLine } from './options.ts'
import { createProgress, noProgress } from './progress.ts'
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

const parseAssumptionsFile = (text: string): Partial<Assumptions> => {
  try {
    return JSON.parse(text) as Partial<Assumptions>
  } catch {
    throw new TypeError('it is not JSON')
  }
}

const loadAssumptions = ({ assumptions: file, assume: pairs, nameOf }: CommandLine): Partial<Assumptions> => {
  if (file === undefined) return pairs
  try {
    checkFile(file)
    const fromFile = parseAssumptionsFile(readFileSync(file, 'utf8'))
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

/**
 * Creates the mock that the command line describes.
 *
 * @throws {UsageError} A file cannot be read, or its content is wrong.
 */
export const loadMock = async (options: CommandLine, now?: () => number): Promise<MockLedger> => {
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
  if (data === undefined) return mock
  await loadData(options, mock)
  // For anyone who resets the mock, the transactions of the file were there from the start.
  const loaded = mock.snapshot()
  mock.reset = () => mock.restore(loaded)
  return mock
}

import { readFileSync } from 'node:fs'
import { assume, type Assumptions } from '../assumptions/index.ts'
import { lazyLibraries } from '../carriers/libraries.ts'
import { createLedger, type Ledger } from '../mock-ledger/index.ts'
import { loadFile } from './load-file.ts'
import type { CommandLine } from './options.ts'
import { createProgress, noProgress } from './progress.ts'
import { blaming, UsageError } from './usage-error.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
}

/** Blames what goes wrong with a file on its option, and on the file where it cannot be read. */
const blamingFile = (called: string, file: string, error: unknown): UsageError => {
  if (error instanceof UsageError) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) return new UsageError(`${called} ${file}: ${message}`, { cause: error })
  return new UsageError(`${called} ${file} cannot be read: ${reasons[code] ?? message}.`, { cause: error })
}

const jsonOf = (text: string): Partial<Assumptions> => {
  try {
    return JSON.parse(text) as Partial<Assumptions>
  } catch {
    throw new TypeError('it is not JSON.')
  }
}

const assumptionsOf = ({ assumptions: file, assume: pairs, called }: CommandLine): Partial<Assumptions> => {
  if (file === undefined) return pairs
  try {
    const fromFile = jsonOf(readFileSync(file, 'utf8'))
    assume(fromFile)
    return { ...fromFile, ...pairs }
  } catch (error) {
    throw blamingFile(called('assumptions'), file, error)
  }
}

const load = async ({ data: file = '', called, json = false }: CommandLine, ledger: Ledger): Promise<void> => {
  const progress = json ? noProgress : createProgress(process.stderr, `${called('data')} ${file}`)
  try {
    await loadFile(file, (rows) => ledger.guild.add(rows), progress)
  } catch (error) {
    throw blamingFile(called('data'), file, error)
  } finally {
    progress.end()
  }
}

/**
 * Creates the mock that the command line describes.
 *
 * @throws {UsageError} A file cannot be read, or what stands in it is wrong.
 */
export const ledgerOf = async (options: CommandLine, now?: () => number): Promise<Ledger> => {
  const { data, apiKey, rateLimit, explain = false, seed, users, called } = options
  const transactions = data === undefined ? options.transactions : 0
  const assumptions = assumptionsOf(options)
  if (users === 0 && transactions > 0) {
    throw new UsageError(`${called('users')} must be at least 1 when there are transactions.`)
  }
  const given = { assumptions, explain, users, transactions, seed, apiKey, rateLimit, ...(now && { now }) }
  const ledger = blaming(called('apiKey'), () => createLedger(given, lazyLibraries.faker))
  if (data === undefined) return ledger
  await load(options, ledger)
  // The rows of the file were there from the start, as far as anyone who resets the mock is concerned.
  const loaded = ledger.snapshot()
  ledger.reset = () => ledger.restore(loaded)
  return ledger
}

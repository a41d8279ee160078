import { readFileSync } from 'node:fs'
import { assume, type Assumptions } from '../assumptions/index.ts'
import { lazyLibraries } from '../carriers/libraries.ts'
import { createLedger, type Ledger } from '../mock-ledger/index.ts'
import { rowsFrom } from '../store/index.ts'
import type { CommandLine } from './options.ts'
import { blaming, UsageError } from './usage-error.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
}

const textOf = (called: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new UsageError(`${called} ${file} cannot be read: ${reasons[code] ?? message}.`, { cause: error })
  }
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
  const place = `${called('assumptions')} ${file}`
  const fromFile = blaming(place, () => jsonOf(textOf(called('assumptions'), file)))
  blaming(place, () => assume(fromFile))
  return { ...fromFile, ...pairs }
}

/**
 * Creates the mock that the command line describes.
 *
 * @throws {UsageError} A file cannot be read, or what stands in it is wrong.
 */
export const ledgerOf = (options: CommandLine, now?: () => number): Ledger => {
  const { data, apiKey, rateLimit, explain = false, seed, users, transactions, called } = options
  const rows =
    data === undefined ? [] : blaming(`${called('data')} ${data}`, () => rowsFrom(textOf(called('data'), data)))
  const assumptions = assumptionsOf(options)
  if (users === 0 && transactions > 0) {
    throw new UsageError(`${called('users')} must be at least 1 when there are transactions.`)
  }
  const made = data === undefined ? transactions : 0
  const ledger = blaming(called('apiKey'), () =>
    createLedger(
      { assumptions, explain, ...(now && { now }), users, transactions: made, seed, apiKey, rateLimit },
      lazyLibraries.faker,
    ),
  )
  ledger.guild.add(rows)
  return ledger
}

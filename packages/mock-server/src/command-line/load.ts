import { readFileSync } from 'node:fs'
import { assume, assumptionFrom, type Assumptions } from '../assumptions/index.ts'
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

const textOf = (flag: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new UsageError(`${flag} ${file} cannot be read: ${reasons[code] ?? message}.`, { cause: error })
  }
}

const jsonOf = (text: string): Partial<Assumptions> => {
  try {
    return JSON.parse(text) as Partial<Assumptions>
  } catch {
    throw new TypeError('it is not JSON.')
  }
}

const assumptionsOf = ({ assumptions: file, assume: pairs }: CommandLine): Partial<Assumptions> => {
  const flag = `--assumptions ${file}`
  const fromFile = file === undefined ? {} : blaming(flag, () => jsonOf(textOf('--assumptions', file)))
  blaming(flag, () => assume(fromFile))
  return Object.assign({ ...fromFile }, ...pairs.map((pair) => blaming(`--assume ${pair}`, () => assumptionFrom(pair))))
}

/**
 * Creates the mock that the command line describes.
 *
 * @throws {UsageError} A file cannot be read, or what stands in it is wrong.
 */
export const ledgerOf = (options: CommandLine, now?: () => number): Ledger => {
  const { data, apiKey, rateLimit, explain, seed, users = 50, transactions = 1000 } = options
  const rows = data === undefined ? [] : blaming(`--data ${data}`, () => rowsFrom(textOf('--data', data)))
  const assumptions = assumptionsOf(options)
  if (users === 0 && transactions > 0) throw new UsageError('--users must be at least 1 when there are transactions.')
  const ledger = blaming('--api-key', () =>
    createLedger(
      {
        assumptions,
        explain,
        ...(now && { now }),
        users,
        transactions: data === undefined ? transactions : 0,
        ...(seed !== undefined && { seed }),
        ...(apiKey !== undefined && { apiKey }),
        ...(rateLimit !== undefined && { rateLimit }),
      },
      lazyLibraries.faker,
    ),
  )
  ledger.guild.add(rows)
  return ledger
}

import { createHash } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import type { Drift, LedgerEntry } from '@guild-ledger/sdk'
import { isObject } from '@guild-ledger/validation'
import { CommandError, exitCodes, usageError, withFile } from '../exit.ts'
import { openDatabase } from '../database.ts'
import { readJson } from '../files.ts'
import type { FilterFlags, versions } from '../flags.ts'
import { readCsv } from './csv.ts'
import { rowsOf, type Identity } from './sqlite.ts'
import { createTally, type Tally } from './tally.ts'

export const formats = ['csv', 'ndjson', 'sqlite', 'singer'] as const
export type Format = (typeof formats)[number]

/** What can be recomputed from a file. */
export interface FileFacts extends Tally {
  /** Of the bytes; for SQLite, of the rows in order of identity, each as a line of JSON. */
  readonly sha256: string
}

/** What an export says about itself: somebody else can check it without a key. */
export interface Receipt {
  readonly receipt: 1
  readonly format: Format
  readonly service: string
  readonly filters: FilterFlags
  /** The whole file. */
  readonly file: FileFacts
  /** What this run added. */
  readonly run: Tally
  readonly ended: 'complete'
  readonly drift: readonly Drift[]
  /** Transactions of earlier runs that a full export did not find. */
  readonly vanished: readonly Identity[]
  readonly versions: typeof versions
  readonly startedAt: string
  readonly endedAt: string
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<Record<string, unknown>> {
  // Not readline: it splits lines at U+2028 too, which JSON does not escape.
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as Record<string, unknown>
  }
  if (rest !== '') throw new SyntaxError('the last line is cut off')
}

async function* readSinger(chunks: AsyncIterable<string>): AsyncGenerator<LedgerEntry> {
  for await (const { type, record } of linesOf(chunks)) if (type === 'RECORD') yield record as LedgerEntry
}

const readers: Record<Exclude<Format, 'sqlite'>, (chunks: AsyncIterable<string>) => AsyncIterable<LedgerEntry>> = {
  csv: readCsv,
  ndjson: linesOf as (chunks: AsyncIterable<string>) => AsyncGenerator<LedgerEntry>,
  singer: readSinger,
}

/** The transactions in a file. @throws {SyntaxError} It is no such file. */
export const readEntries = (path: string, format: Exclude<Format, 'sqlite'>): AsyncIterable<LedgerEntry> =>
  readers[format](createReadStream(path, 'utf8'))

/** Reads a file and computes what a receipt says of it. @throws It is no such file. */
export const factsOf = async (path: string, format: Format): Promise<FileFacts> => {
  const hash = createHash('sha256')
  const tally = createTally()
  if (format === 'sqlite') {
    const database = await openDatabase(path, true)
    try {
      const { integrity_check: integrity } = database.prepare('PRAGMA integrity_check').get() ?? {}
      if (integrity !== 'ok') throw new SyntaxError(`the database is damaged: ${String(integrity)}`)
      for (const { entry, line } of rowsOf(database)) {
        hash.update(line)
        tally.add(entry)
      }
    } finally {
      database.close()
    }
  } else {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
    for await (const entry of readEntries(path, format)) tally.add(entry)
  }
  return { ...tally.result(), sha256: hash.digest('hex') }
}

const fieldsOf = ({ rows, sums, ...rest }: FileFacts): Readonly<Record<string, unknown>> => {
  const ofSums = Object.entries(sums).map(([name, sum]) => [`sum of ${name}`, sum] as const)
  return { rows, ...Object.fromEntries(ofSums), ...rest }
}

/** Where two descriptions of a file differ, field by field. */
const differencesOf = (expected: FileFacts, facts: FileFacts): string[] => {
  const found = fieldsOf(facts)
  return Object.entries(fieldsOf(expected))
    .filter(([name, value]) => value !== found[name])
    .map(([name, value]) => `${name}: ${JSON.stringify(found[name])} instead of ${JSON.stringify(value)}`)
}

/** Recomputes what a receipt says of a file. Returns the line for a file that is as it says. */
export const checkReceipt = async (path: string, file: string): Promise<string> => {
  const { receipt, format, file: expected } = await readJson('--check', path)
  if (receipt !== 1 || !formats.includes(format as Format) || !isObject(expected))
    throw usageError(`--check ${path} is no receipt of this version: write one with --receipt`)
  if (!existsSync(file)) throw usageError(`${file} does not exist`)
  if (!statSync(file).isFile()) throw usageError(`${file} must be a regular file: save what a pipe has first`)
  const differs = (what: string) => new CommandError(`${file} is not what ${path} says: ${what}`, exitCodes.differs)
  const found = await withFile(`${file} cannot be read`, async () => {
    try {
      return await factsOf(file, format as Format)
    } catch (error) {
      const { name, code } = error as NodeJS.ErrnoException
      // What cannot be parsed was changed: SQLite, JSON, CSV.
      if (code === 'ERR_SQLITE_ERROR' || ['SyntaxError', 'TypeError', 'RangeError'].includes(name))
        throw differs((error as Error).message)
      throw error
    }
  })
  const differences = differencesOf(expected as unknown as FileFacts, found)
  if (differences.length > 0) throw differs(differences.join('; '))
  return `${file} is what ${path} says: ${found.rows} transactions, total ${found.sums.total}, sha256 ${found.sha256}\n`
}

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { createLineReader, parseTransactions } from '../store/index.ts'
import { splitLines } from './lines.ts'
import type { Progress } from './progress.ts'

// Large enough to be quick, small enough that signals and the progress line are handled in between.
const chunkBytes = 1024 * 1024
// The ledger takes few large additions faster than many small ones; the transactions of one are briefly held twice.
const batchSize = 100_000

/**
 * Reads the transactions of a file in batches.
 *
 * @throws {TypeError} A line is wrong; the message starts with its number.
 * @throws {Error} The file cannot be read; it has the `code` of the system.
 */
export const loadFile = async (
  file: string,
  add: (transactions: readonly LedgerEntry[]) => void,
  progress: Progress,
): Promise<void> => {
  const { size } = await stat(file)
  const stream = createReadStream(file, { encoding: 'utf8', highWaterMark: chunkBytes })
  const parseLine = createLineReader()
  let batch: LedgerEntry[] = []
  let count = 0
  for await (const part of splitLines(stream)) {
    const more = 'lines' in part ? part.lines.flatMap(parseLine) : parseTransactions(part.whole)
    count += more.length
    batch = batch.concat(more)
    if (batch.length >= batchSize) {
      add(batch)
      batch = []
    }
    // The size of a pipe is unknown.
    progress.report(count, size > 0 ? Math.min(1, stream.bytesRead / size) : undefined)
  }
  add(batch)
}

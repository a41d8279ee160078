import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { createLineReader, rowsFrom } from '../store/index.ts'
import { linesOf } from './lines.ts'
import type { Progress } from './progress.ts'

// Large enough to be quick, small enough that a signal is heard and a line of progress told in between.
const chunkBytes = 1024 * 1024
// The ledger takes few large additions sooner than many small ones; the rows of one are held twice for a moment.
const rowsAtOnce = 100_000

/**
 * Reads a file of rows from its beginning to its end and hands them on, some thousand at a time.
 *
 * @throws {TypeError} A line is wrong; the message starts with its number.
 * @throws {Error} The file cannot be read; it has the `code` of the system.
 */
export const loadFile = async (
  file: string,
  add: (rows: readonly LedgerEntry[]) => void,
  progress: Progress,
): Promise<void> => {
  const { size } = await stat(file)
  const stream = createReadStream(file, { encoding: 'utf8', highWaterMark: chunkBytes })
  const rowsOf = createLineReader()
  let rows: LedgerEntry[] = []
  let count = 0
  for await (const piece of linesOf(stream)) {
    const more = 'lines' in piece ? piece.lines.flatMap(rowsOf) : rowsFrom(piece.whole)
    count += more.length
    rows = rows.concat(more)
    if (rows.length >= rowsAtOnce) {
      add(rows)
      rows = []
    }
    // Of a pipe nobody knows the size.
    progress.tell(count, size > 0 ? Math.min(1, stream.bytesRead / size) : undefined)
  }
  add(rows)
}

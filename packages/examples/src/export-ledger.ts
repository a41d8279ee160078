import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import type { GuildLedger, GuildPage, LedgerEntry } from '@guild-ledger/sdk'

/** How far an export has come. */
export interface Progress {
  readonly pages: number
  readonly totalPages: number
  readonly transactions: number
  /** Requests the service did not answer with a page. */
  readonly refused: number
}

/**
 * Walks the whole ledger and writes a line of JSON for each transaction.
 *
 * Pages are asked for in the order of time, oldest first, so that what is added meanwhile comes at the end.
 */
export const exportLedger = async (
  ledger: GuildLedger,
  file: string,
  onPage: (page: GuildPage, progress: Progress) => void,
  signal?: AbortSignal,
): Promise<Progress> => {
  await mkdir(dirname(file), { recursive: true })
  const output = createWriteStream(file)
  let progress: Progress = { pages: 0, totalPages: 0, transactions: 0, refused: 0 }
  for await (const page of ledger.transactions.pages({ sortOrder: 'asc' }, { signal })) {
    const entries = page.data.flatMap(({ platformId, transactions }) =>
      transactions.map((transaction): LedgerEntry => ({ ...transaction, platformId })),
    )
    output.write(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    progress = {
      pages: progress.pages + 1,
      totalPages: page.pagination.totalPages,
      transactions: progress.transactions + entries.length,
      refused: progress.refused + page.response.attempts - 1,
    }
    onPage(page, progress)
  }
  output.end()
  await finished(output)
  return progress
}

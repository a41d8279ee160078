// Walk the whole ledger page by page, show how far it has come, and write every transaction to a file.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node export-ledger.ts ledger.ndjson
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { GuildLedger, type GuildPage, type LedgerEntry } from '@guild-ledger/sdk'
import { progressOn } from './terminal.ts'

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
  const output = await open(file, 'w')
  let progress: Progress = { pages: 0, totalPages: 0, transactions: 0, refused: 0 }
  try {
    for await (const page of ledger.transactions.pages({ sortOrder: 'asc' }, { signal })) {
      const entries = page.data.flatMap(({ platformId, transactions }) =>
        transactions.map((transaction): LedgerEntry => ({ ...transaction, platformId })),
      )
      // Waits until it is written: pages on their way are few, however slow the disk is.
      await output.appendFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
      progress = {
        pages: progress.pages + 1,
        totalPages: page.pagination.totalPages,
        transactions: progress.transactions + entries.length,
        refused: progress.refused + page.response.attempts - 1,
      }
      onPage(page, progress)
    }
  } finally {
    await output.close()
  }
  return progress
}

if (import.meta.main) {
  const [file = 'ledger.ndjson'] = process.argv.slice(2)
  const show = progressOn(process.stderr)
  const { transactions } = await exportLedger(new GuildLedger(), file, (_page, { pages, totalPages }) =>
    show(pages / totalPages, `page ${pages} of ${totalPages}`),
  )
  console.log(`wrote ${transactions} transactions to ${file}`)
}

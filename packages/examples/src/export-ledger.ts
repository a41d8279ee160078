// Export the whole ledger page by page to a file, with progress.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node export-ledger.ts ledger.ndjson
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { GuildLedger, type GuildPage, type LedgerEntry } from '@guild-ledger/sdk'
import { createProgress } from './terminal.ts'

/** Progress of an export. */
export interface Progress {
  readonly pages: number
  readonly totalPages: number
  readonly transactions: number
  /** Requests that had to be retried. */
  readonly retries: number
}

/**
 * Writes every transaction of the ledger as a line of JSON.
 *
 * Pages are requested oldest first, so that transactions added meanwhile come at the end.
 */
export const exportLedger = async (
  ledger: GuildLedger,
  file: string,
  onPage: (page: GuildPage, progress: Progress) => void,
  signal?: AbortSignal,
): Promise<Progress> => {
  await mkdir(dirname(file), { recursive: true })
  const output = await open(file, 'w')
  let progress: Progress = { pages: 0, totalPages: 0, transactions: 0, retries: 0 }
  try {
    for await (const page of ledger.transactions.pages({ sortOrder: 'asc' }, { signal })) {
      const entries = page.data.flatMap(({ platformId, transactions }) =>
        transactions.map((transaction): LedgerEntry => ({ ...transaction, platformId })),
      )
      // Waits for the write, so that few pages are held in memory even if the disk is slow.
      await output.appendFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
      progress = {
        pages: progress.pages + 1,
        totalPages: page.pagination.totalPages,
        transactions: progress.transactions + entries.length,
        retries: progress.retries + page.response.attempts - 1,
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
  const show = createProgress(process.stderr)
  const { transactions } = await exportLedger(new GuildLedger(), file, (_page, { pages, totalPages }) =>
    show(pages / totalPages, `page ${pages} of ${totalPages}`),
  )
  console.log(`wrote ${transactions} transactions to ${file}`)
}

// Filter transactions: one page of one user, and everything from one source in one month.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node list-and-filter.ts
import { GuildLedger, type LedgerEntry, type Transaction } from '@guild-ledger/sdk'

/** Lists the last purchases of a user, newest first, with one request. */
export const lastPurchases = async (ledger: GuildLedger, platformId: string, count = 5): Promise<Transaction[]> => {
  const page = await ledger.user(platformId).transactions.list({
    // The defaults of these parameters are unspecified for this endpoint, so set all three.
    limit: count,
    sortBy: 'createdAt',
    sortOrder: 'desc',
  })
  return page.data.transactions
}

/** Which purchases to find. */
export interface PurchaseFilter {
  /** Inclusive. */
  readonly since: Date
  /** Exclusive, so that months do not overlap. */
  readonly before: Date
  readonly source?: string
  readonly minAmount?: number
}

/** Finds all matching purchases, newest first. */
export const findPurchases = async (ledger: GuildLedger, filter: PurchaseFilter): Promise<LedgerEntry[]> => {
  const { since, before, source, minAmount } = filter
  // Whether the date bounds are inclusive is unspecified: request one second more on both sides and filter here.
  const secondMs = 1000
  const transactions = ledger.transactions.iterate({
    from: source, // undefined is left out
    minAmount,
    startDate: new Date(since.getTime() - secondMs),
    endDate: new Date(before.getTime() + secondMs),
  })
  const found: LedgerEntry[] = []
  for await (const transaction of transactions) {
    const at = Date.parse(transaction.createdAt)
    // The matching rule of `from` is unspecified too: `shop` might match `workshop`.
    const isFromSource = source === undefined || transaction.source === source
    if (isFromSource && at >= since.getTime() && at < before.getTime()) found.push(transaction)
  }
  // Responses are grouped by user, so sort by time here.
  return found.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
}

if (import.meta.main) {
  const ledger = new GuildLedger()
  const january = { since: new Date('2026-01-01T00:00:00Z'), before: new Date('2026-02-01T00:00:00Z') }
  const found = await findPurchases(ledger, { ...january, source: 'shop' })
  console.log(`${found.length} purchases from the shop in January`)

  const [newest] = found
  if (newest) {
    console.log(`the last purchases of ${newest.platformId}:`)
    for (const { createdAt, name, total } of await lastPurchases(ledger, newest.platformId)) {
      console.log(`  ${createdAt}  ${total.toFixed(2).padStart(9)}  ${name}`)
    }
  }
}

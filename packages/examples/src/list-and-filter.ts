// Ask for what you want to see: one page of one user, or everything that fits, from the shop of last month.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node list-and-filter.ts
import { GuildLedger, type LedgerEntry, type Transaction } from '@guild-ledger/sdk'

/** The last things a user bought, newest first. One request; for one user, a page is simply a list. */
export const lastPurchases = async (ledger: GuildLedger, platformId: string, count = 5): Promise<Transaction[]> => {
  const page = await ledger.user(platformId).transactions.list({
    // Name all three: what this endpoint does without them is not shown.
    limit: count,
    sortBy: 'createdAt',
    sortOrder: 'desc',
  })
  return page.data.transactions
}

/** Which purchases are meant. What is left out does not matter. */
export interface Wanted {
  /** The first moment that counts. */
  readonly since: Date
  /** The first moment that does not count any more, so that months can be put side by side. */
  readonly before: Date
  readonly source?: string
  readonly minAmount?: number
}

/** Every purchase that fits, newest first. */
export const purchases = async (ledger: GuildLedger, wanted: Wanted): Promise<LedgerEntry[]> => {
  const { since, before, source, minAmount } = wanted
  // Whether the two dates belong to the range is not shown. So ask for a second more on both sides, and cut here.
  const second = 1000
  const walk = ledger.transactions.iterate({
    from: source, // undefined is left out
    minAmount,
    startDate: new Date(since.getTime() - second),
    endDate: new Date(before.getTime() + second),
  })
  const found: LedgerEntry[] = []
  for await (const entry of walk) {
    const at = Date.parse(entry.createdAt)
    // `from` too: a service that looks for parts of words would answer `workshop` to `shop`.
    const isFrom = source === undefined || entry.source === source
    if (isFrom && at >= since.getTime() && at < before.getTime()) found.push(entry)
  }
  // Replies are grouped by user, so the order of time is made here.
  return found.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
}

if (import.meta.main) {
  const ledger = new GuildLedger()
  const january = { since: new Date('2026-01-01T00:00:00Z'), before: new Date('2026-02-01T00:00:00Z') }
  const found = await purchases(ledger, { ...january, source: 'shop' })
  console.log(`${found.length} purchases from the shop in January`)

  const [newest] = found
  if (newest) {
    console.log(`the last ones of ${newest.platformId}:`)
    for (const { createdAt, name, total } of await lastPurchases(ledger, newest.platformId)) {
      console.log(`  ${createdAt}  ${total.toFixed(2).padStart(9)}  ${name}`)
    }
  }
}

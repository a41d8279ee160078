import type { LedgerEntry, UserGroup } from '../contract/index.ts'

/** Yields every transaction of `pages` once, with the user it belongs to. */
export async function* iterate<P>(
  pages: AsyncIterable<P>,
  groups: (page: P) => readonly UserGroup[],
): AsyncGenerator<LedgerEntry, void, void> {
  const seen = new Set<string>()
  for await (const page of pages) {
    for (const { platformId, transactions } of groups(page)) {
      for (const transaction of transactions) {
        if (seen.has(transaction.transactionId)) continue
        seen.add(transaction.transactionId)
        yield { ...transaction, platformId }
      }
    }
  }
}

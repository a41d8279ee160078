// A bot that posts once a day what was bought in the last 24 hours. test/daily-report.test.ts shows how to test it.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node daily-report.ts
import { GuildLedger, sumOf, type LedgerEntry } from '@guild-ledger/sdk'
import { adviceFor } from './errors.ts'

const dayMs = 24 * 60 * 60 * 1000

const bestSeller = (transactions: readonly LedgerEntry[]): string => {
  const counts = new Map<string, number>()
  for (const { name, quantity } of transactions) counts.set(name, (counts.get(name) ?? 0) + quantity)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ''
}

/** Reports the 24 hours before `now`. */
export const dailyReport = async (ledger: GuildLedger, now: Date): Promise<string> => {
  const since = now.getTime() - dayMs
  // One second more on both sides: whether the date bounds are inclusive is unspecified.
  const dates = { startDate: new Date(since - 1000), endDate: new Date(now.getTime() + 1000) }
  const transactions: LedgerEntry[] = []
  for await (const transaction of ledger.transactions.iterate(dates)) {
    const at = Date.parse(transaction.createdAt)
    if (at >= since && at < now.getTime()) transactions.push(transaction)
  }
  if (transactions.length === 0) return 'Nothing was bought today.'
  const sum = sumOf(transactions.map(({ total }) => total))
  return `${transactions.length} bought today, total ${sum.toFixed(2)}. Best seller: ${bestSeller(transactions)}.`
}

/** Posts every 24 hours until the returned function is called. */
export const postDaily = (ledger: GuildLedger, post: (text: string) => void): (() => void) => {
  const report = async () => {
    try {
      post(await dailyReport(ledger, new Date()))
    } catch (error) {
      // One failed report must not end the bot.
      post(adviceFor(error)?.message ?? 'The report has failed.')
    }
  }
  const timer = setInterval(() => void report(), dayMs)
  return () => clearInterval(timer)
}

if (import.meta.main) console.log(await dailyReport(new GuildLedger(), new Date()))

// A small bot: once a day it posts what was bought since the day before. test/daily-report.test.ts shows how to test it.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node daily-report.ts
import { GuildLedger, type LedgerEntry } from '@guild-ledger/sdk'
import { adviceAbout } from './errors.ts'

const day = 24 * 60 * 60 * 1000

const favourite = (entries: readonly LedgerEntry[]): string => {
  const counts = new Map<string, number>()
  for (const { name, quantity } of entries) counts.set(name, (counts.get(name) ?? 0) + quantity)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ''
}

/** What to post for the 24 hours before `now`. */
export const dailyReport = async (ledger: GuildLedger, now: Date): Promise<string> => {
  const since = now.getTime() - day
  // A second more on both sides: whether the dates belong to their range is not shown.
  const dates = { startDate: new Date(since - 1000), endDate: new Date(now.getTime() + 1000) }
  const entries: LedgerEntry[] = []
  for await (const entry of ledger.transactions.iterate(dates)) {
    const at = Date.parse(entry.createdAt)
    if (at >= since && at < now.getTime()) entries.push(entry)
  }
  if (entries.length === 0) return 'Nothing was bought today.'
  const sum = entries.reduce((total, entry) => total + entry.total, 0)
  return `${entries.length} bought today, worth ${sum.toFixed(2)}; most of all ${favourite(entries)}.`
}

/** Posts every day from now on, until the returned function is called. */
export const postDaily = (ledger: GuildLedger, post: (text: string) => void): (() => void) => {
  const report = async () => {
    try {
      post(await dailyReport(ledger, new Date()))
    } catch (error) {
      const advice = adviceAbout(error)
      // A bot that runs for months must not end because one report failed.
      post(advice?.tell ?? 'The report has failed.')
    }
  }
  const timer = setInterval(() => void report(), day)
  return () => clearInterval(timer)
}

if (import.meta.main) console.log(await dailyReport(new GuildLedger(), new Date()))

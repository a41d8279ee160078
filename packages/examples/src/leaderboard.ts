// Rank users and sources by total, as bars in the terminal and as an SVG chart for a web page or a message.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node leaderboard.ts leaderboard.svg
import { writeFile } from 'node:fs/promises'
import { GuildLedger, sumOf, type LedgerEntry } from '@guild-ledger/sdk'
import { barChartSvg } from './bar-chart-svg.ts'
import { barChart } from './terminal.ts'

/** Names and sums, the largest first. */
export type Ranking = readonly (readonly [name: string, sum: number])[]

export interface Leaderboard {
  readonly byUser: Ranking
  readonly bySource: Ranking
  readonly transactions: number
}

/** Sums up transactions one by one, so that memory does not grow with the ledger. */
export const createTally = () => {
  const users = new Map<string, number>()
  const sources = new Map<string, number>()
  let transactions = 0
  const increase = (sums: Map<string, number>, name: string, value: number) =>
    sums.set(name, sumOf([sums.get(name) ?? 0, value]))
  const rank = (sums: Map<string, number>): Ranking =>
    // Ties by name, so that the same ledger gives the same chart.
    [...sums].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return {
    add({ platformId, source, total }: Pick<LedgerEntry, 'platformId' | 'source' | 'total'>): void {
      increase(users, platformId, total)
      increase(sources, source, total)
      transactions++
    },
    result: (): Leaderboard => ({ byUser: rank(users), bySource: rank(sources), transactions }),
  }
}

/** Iterates over the ledger. The `summary` of a response is no substitute: what it covers and sums up is unspecified. */
export const leaderboard = async (ledger: GuildLedger, since?: Date): Promise<Leaderboard> => {
  const tally = createTally()
  const sinceMs = since?.getTime() ?? -Infinity
  // One second more: whether `startDate` is inclusive is unspecified.
  const startDate = since && new Date(sinceMs - 1000)
  for await (const transaction of ledger.transactions.iterate({ startDate })) {
    if (Date.parse(transaction.createdAt) >= sinceMs) tally.add(transaction)
  }
  return tally.result()
}

/** Formats a leaderboard for the terminal. */
export const leaderboardText = ({ byUser, bySource }: Leaderboard, places = 10): string =>
  `by user\n${barChart(byUser.slice(0, places))}\n\nby source\n${barChart(bySource.slice(0, places))}`

/** Draws a leaderboard as SVG. */
export const leaderboardSvg = ({ byUser, bySource, transactions }: Leaderboard, places = 10): string =>
  barChartSvg(`Guild leaderboard: ${transactions} transactions`, [
    { heading: 'by user', rows: byUser.slice(0, places) },
    { heading: 'by source', rows: bySource.slice(0, places) },
  ])

if (import.meta.main) {
  const [file = 'leaderboard.svg'] = process.argv.slice(2)
  const board = await leaderboard(new GuildLedger())
  console.log(board.transactions > 0 ? leaderboardText(board) : 'Nothing has been bought yet.')
  await writeFile(file, leaderboardSvg(board))
  console.log(`\nwrote ${file}`)
}

// Who has spent the most, and where it went: bars in the terminal, and a picture for a web page or a message.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node leaderboard.ts leaderboard.svg
import { writeFile } from 'node:fs/promises'
import { GuildLedger, type LedgerEntry } from '@guild-ledger/sdk'
import { barChartSvg } from './bar-chart-svg.ts'
import { barChart } from './terminal.ts'

/** Name and sum, the largest first. */
export type Ranking = readonly (readonly [name: string, sum: number])[]

export interface Leaderboard {
  readonly byUser: Ranking
  readonly bySource: Ranking
  readonly transactions: number
}

/** Sums up as rows come by, so that the ledger may be as long as it likes. */
export const createTally = () => {
  const users = new Map<string, number>()
  const sources = new Map<string, number>()
  let transactions = 0
  const add = (sums: Map<string, number>, name: string, value: number) => sums.set(name, (sums.get(name) ?? 0) + value)
  const ranked = (sums: Map<string, number>): Ranking =>
    // Equal sums by name: the same ledger, the same picture.
    [...sums].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return {
    count({ platformId, source, total }: Pick<LedgerEntry, 'platformId' | 'source' | 'total'>): void {
      add(users, platformId, total)
      add(sources, source, total)
      transactions++
    },
    result: (): Leaderboard => ({ byUser: ranked(users), bySource: ranked(sources), transactions }),
  }
}

/** Walks the ledger. The reply's own summary would not do: what it covers, and what its value sums up, is not shown. */
export const leaderboard = async (ledger: GuildLedger, since?: Date): Promise<Leaderboard> => {
  const tally = createTally()
  for await (const entry of ledger.transactions.iterate({ startDate: since })) tally.count(entry)
  return tally.result()
}

/** For the terminal. */
export const leaderboardText = ({ byUser, bySource }: Leaderboard, places = 10): string =>
  `by user\n${barChart(byUser.slice(0, places))}\n\nby source\n${barChart(bySource.slice(0, places))}`

/** For a file: `createTally` and this are all that a page of your own needs. */
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

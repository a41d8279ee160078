// The script behind `pnpm start`: starts the mock server on a free port and exports its ledger over HTTP.
import { writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { GuildLedger, sumOf } from '@guild-ledger/sdk'
import { exportLedger } from './export-ledger.ts'
import { createTally, leaderboardSvg } from './leaderboard.ts'
import { barChart, createProgress } from './terminal.ts'

const { values } = parseArgs({
  options: { transactions: { type: 'string', default: '2500' }, out: { type: 'string', default: 'out/ledger.ndjson' } },
})
const file = resolve(values.out)
const chart = join(dirname(file), 'leaderboard.svg')
const print = (line: string) => process.stdout.write(`${line}\n`)

const controller = new AbortController()
process.once('SIGINT', () => controller.abort(new Error('stopped by Ctrl+C')))

const mock = createMockLedger({ seed: 1, users: 40, transactions: Number(values.transactions) })
const server = await startMockServer({ mock, port: 0 })
try {
  print(`mock server   ${server.url}`)
  const ledger = new GuildLedger({ apiKey: mock.apiKey, baseUrl: server.url })

  const tally = createTally()
  const show = createProgress(process.stderr)
  const startedAt = performance.now()
  const { transactions, pages, retries } = await exportLedger(
    ledger,
    file,
    (page, progress) => {
      for (const group of page.data) {
        for (const transaction of group.transactions) tally.add({ ...transaction, platformId: group.platformId })
      }
      show(progress.pages / progress.totalPages, `page ${progress.pages} of ${progress.totalPages}`)
    },
    controller.signal,
  )
  const seconds = (performance.now() - startedAt) / 1000

  const board = tally.result()
  const sum = sumOf(board.byUser.map(([, value]) => value))
  await writeFile(chart, leaderboardSvg(board))
  print(`file          ${file}`)
  print(`users         ${board.byUser.length}`)
  print(`total         ${sum.toFixed(2)}`)
  print(`\ntop five users by total\n${barChart(board.byUser.slice(0, 5))}\n`)
  print(`chart         ${chart}`)
  print(`exported ${transactions} transactions in ${pages} pages in ${seconds.toFixed(1)} s, ${retries} retries`)
} catch (error) {
  process.exitCode = 1
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
} finally {
  await server.close()
}

import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { expect, it } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.ts'

const run = promisify(execFile)
const sources = resolve(import.meta.dirname, '../src')

it.concurrent.each([
  ['list-and-filter.ts', [], /^\d+ purchases from the shop in January\nthe last purchases of \d+:\n(  2026-.+\n){5}$/],
  ['leaderboard.ts', [], /^by user\n(  \d+ .+\n){5}\nby source\n[^]*\nwrote leaderboard\.svg\n$/],
  ['daily-report.ts', [], /^Nothing was bought today\.\n$/],
  ['many-guilds.ts', [], /^Tavern: \d+\.\d\d\nHarbour: The bot has lost access to the ledger\..*\n$/],
  ['commonjs-bot.cjs', [], /^\d+ bought \d+ × .+\n$/],
  ['spans.ts', [], /^({\n[^]*name: 'GET \/guild\/ledger\/transactions',[^]*?\n}\n)+250 transactions\n$/],
  ['metrics.ts', [], /http\.client\.request\.duration[^]*\n250 transactions\n$/],
  ['export-ledger.ts', ['all.ndjson'], /^wrote 250 transactions to all\.ndjson\n$/],
  ['errors.ts', ['nobody'], /^Nothing has been bought yet\.\n$/],
])('%s runs as a script', async (file, args, expected) => {
  const mock = createMockLedger({ transactions: 250, users: 5, apiKey: 'guild-ledger-mock-key' })
  await using server = await startMockServer({ mock, port: 0 })
  await using folder = await temporaryFolder()
  const [GUILD_LEDGER_API_KEY, GUILD_LEDGER_BASE_URL] = [mock.apiKey, server.url]
  const GUILD_KEYS = JSON.stringify({ Tavern: mock.apiKey, Harbour: 'no-such-key' })
  const env = { ...process.env, GUILD_KEYS, GUILD_LEDGER_API_KEY, GUILD_LEDGER_BASE_URL }

  const { stdout, stderr } = await run(
    process.execPath,
    ['--conditions=@guild-ledger/source', '--disable-warning=ExperimentalWarning', join(sources, file), ...args],
    { cwd: folder.path(''), env },
  )

  expect(stdout).toMatch(expected)
  // Without the progress, and the warning about the key of Harbour.
  const expectedLines = /^(?:page \d of \d|guild-ledger: The service rejected the API key: .*)\n/gm
  expect(stderr.replaceAll(expectedLines, '')).toBe('')
})

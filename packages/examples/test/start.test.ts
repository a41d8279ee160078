import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const start = resolve(import.meta.dirname, '../src/start.ts')

it('start.ts exports a ledger over HTTP, draws a chart and prints a summary', { timeout: 240_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'guild-ledger-start-'))
  const file = join(folder, 'deep/ledger.ndjson')
  const args = ['--conditions=@guild-ledger/source', start, '--transactions', '350', '--out', file]

  const { stdout, stderr } = await run(process.execPath, args, {
    // The pages are counted below.
    env: { ...process.env, GUILD_LEDGER_MOCK_ASSUME: 'pageUnit=transaction' },
  })

  expect(stdout).toContain(file)
  expect(stdout).toContain('top five users by total')
  expect(stdout.match(/█/g)?.length).toBeGreaterThan(29)
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^exported 350 transactions in 4 pages in \d+\.\d s, 0 retries$/)
  expect(stdout.trimEnd().split('\n').at(-2)).toBe(`chart         ${join(folder, 'deep/leaderboard.svg')}`)
  expect(await readFile(join(folder, 'deep/leaderboard.svg'), 'utf8')).toContain('350 transactions</title>')
  expect(stderr).toContain('page 4 of 4')
  const transactions = (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { transactionId: string })
  expect(new Set(transactions.map(({ transactionId }) => transactionId)).size).toBe(350)
  await rm(folder, { recursive: true })
})

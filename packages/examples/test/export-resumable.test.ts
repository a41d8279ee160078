import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransactionFactory, type MockLedgerOptions } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { exportResumable } from '../src/export-resumable.ts'
import { readings, world } from './testing/world.ts'

const day = 24 * 60 * 60 * 1000
const span = {
  since: new Date('2025-11-01T00:00:00Z'),
  before: new Date('2026-02-01T00:00:00Z'),
  windowMs: 10 * day,
}

/** A folder of its own, gone with the test. */
const temporary = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'guild-ledger-export-'))
  const name = join(folder, 'ledger')
  return {
    name,
    files: () => readdir(folder),
    read: async () => [await readFile(`${name}.ndjson`, 'utf8'), await readFile(`${name}.csv`, 'utf8')],
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

/** What an export leaves behind that nothing interrupted. */
const exported = async (options: MockLedgerOptions) => {
  const { ledger, guild } = world(options)
  await using folder = await temporary()
  await exportResumable(ledger, folder.name, span)
  const [ndjson = '', csv = ''] = await folder.read()
  return { ndjson, csv, guild, ledger }
}

it.each(readings)('writes every transaction once, oldest first, with %s', async (_reading, assumptions) => {
  const { ndjson, csv, guild } = await exported({ transactions: 300, assumptions })

  const rows = ndjson
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { transactionId: string; createdAt: string })

  const times = rows.map(({ createdAt }) => Date.parse(createdAt))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(rows.map(({ transactionId }) => transactionId).toSorted()).toEqual(
    guild.transactions.map(({ transactionId }) => transactionId).toSorted(),
  )
  expect(csv.split('\r\n')).toHaveLength(302)
})

it.each(readings)('ends up the same wherever the file breaks off, with %s', async (_reading, assumptions) => {
  const { ndjson, csv, ledger } = await exported({ transactions: 120, assumptions })
  const whole = Buffer.from(ndjson)

  const breaksOff = fc.asyncProperty(fc.nat(whole.length), async (bytes) => {
    await using folder = await temporary()
    await writeFile(`${folder.name}.ndjson`, whole.subarray(0, bytes))
    await writeFile(`${folder.name}.csv.part`, 'left behind')
    await exportResumable(ledger, folder.name, span)
    expect(await folder.read()).toEqual([ndjson, csv])
    expect((await folder.files()).toSorted()).toEqual(['ledger.csv', 'ledger.ndjson'])
  })
  // After a line, inside of its last bytes and at the very beginning too.
  const border = ndjson.indexOf('\n', 9000)
  await fc.assert(breaksOff, { numRuns: 8, examples: [[0], [1], [border - 1], [border], [border + 1], [border + 2]] })
})

it('ends up the same when it is killed again and again', { timeout: 30_000 }, async () => {
  const options = { transactions: 300, assumptions: { pageUnit: 'group' } } as const
  const { ndjson, csv } = await exported(options)
  const { mock, guild } = world(options)
  guild.fail({ kind: 'latency', ms: 3 })
  await using folder = await temporary()
  let served = 0
  await using server = await startMockServer({ mock, onServed: () => void served++ })
  const env = { ...process.env, GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: server.url }
  const child = join(import.meta.dirname, 'testing/export-until-killed.ts')
  const dates = [span.since.toISOString(), span.before.toISOString(), String(3 * day)]

  /** Starts it and kills it while it works, unless it is done before. */
  const startAndKill = async (): Promise<boolean> => {
    const killAt = served + 2 + Math.floor(Math.random() * 25)
    const args = ['--conditions=@guild-ledger/source', child, folder.name, ...dates]
    const running = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = once(running, 'exit')
    const isDone = () => running.exitCode !== null || served >= killAt
    while (!isDone()) await sleep(1)
    // Not always at the same place after a reply: before the write, after it, in the middle of the next request.
    await sleep(Math.random() * 6)
    running.kill('SIGKILL')
    await ended
    if (running.exitCode !== null && running.exitCode > 0) throw new Error('the export has failed')
    return running.exitCode === null
  }

  let kills = 0
  while (await startAndKill()) kills++

  expect(kills).toBeGreaterThan(0)
  expect(await folder.read()).toEqual([ndjson, csv])
})

it('goes on where the ledger has grown, and asks for nothing again that it is done with', async () => {
  const { guild, ledger } = world({ transactions: 200 })
  await using folder = await temporary()
  const january = new Date('2026-01-01T00:00:00Z')
  await exportResumable(ledger, folder.name, { ...span, before: january })
  const asked = guild.requests.length

  await exportResumable(ledger, folder.name, span)

  const { ndjson } = await exported({ transactions: 200 })
  expect((await folder.read())[0]).toBe(ndjson)
  expect(guild.requests.length - asked).toBeLessThan(asked)
})

it('keeps odd names whole, and formulas out of the spreadsheet', async () => {
  const transaction = createTransactionFactory()
  const { guild, ledger } = world({ transactions: 0 })
  const names = ['a "quoted", name', 'two\nlines', 'line\u2028separator', '=1+1', 'Schwert 🗡']
  guild.add(names.map((name) => transaction({ name })))
  await using folder = await temporary()

  await exportResumable(ledger, folder.name, span)

  const [ndjson = '', csv = ''] = await folder.read()
  expect(ndjson.trimEnd().split('\n')).toHaveLength(5)
  expect(csv.split('\r\n').slice(1, 4)).toEqual([
    '2026-01-01T00:00:01.000Z,user-1,shop,"a ""quoted"", name",10,1,10,00000000-0000-4000-8000-000000000001',
    '2026-01-01T00:00:02.000Z,user-1,shop,"two\nlines",10,1,10,00000000-0000-4000-8000-000000000002',
    '2026-01-01T00:00:03.000Z,user-1,shop,line\u2028separator,10,1,10,00000000-0000-4000-8000-000000000003',
  ])
  expect(csv).toContain(",'=1+1,")
})

it('writes an empty ledger down as one', async () => {
  const { ndjson, csv } = await exported({ transactions: 0 })
  expect(ndjson).toBe('')
  expect(csv).toBe('createdAt,platformId,source,name,amount,quantity,total,transactionId\r\n')
})

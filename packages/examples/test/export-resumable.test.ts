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
import { assumptionSets, createIsolatedMock } from './support/isolated-mock.ts'

const dayMs = 24 * 60 * 60 * 1000
const range = {
  since: new Date('2025-11-01T00:00:00Z'),
  before: new Date('2026-02-01T00:00:00Z'),
  windowMs: 10 * dayMs,
}

/** Creates a temporary folder that is deleted after the test. */
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

/** Runs an uninterrupted export. */
const exportAll = async (options: MockLedgerOptions) => {
  const { ledger, guild } = createIsolatedMock(options)
  await using folder = await temporary()
  await exportResumable(ledger, folder.name, range)
  const [ndjson = '', csv = ''] = await folder.read()
  return { ndjson, csv, guild, ledger }
}

it.each(assumptionSets)(
  'the export contains every transaction once, oldest first, with %s',
  async (_name, assumptions) => {
    const { ndjson, csv, guild } = await exportAll({ transactions: 300, assumptions })

    const transactions = ndjson
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { transactionId: string; createdAt: string })

    const times = transactions.map(({ createdAt }) => Date.parse(createdAt))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(transactions.map(({ transactionId }) => transactionId).toSorted()).toEqual(
      guild.transactions.map(({ transactionId }) => transactionId).toSorted(),
    )
    expect(csv.split('\r\n')).toHaveLength(302)
  },
)

it.each(assumptionSets)(
  'the export is the same when it resumes from a file truncated at any byte, with %s',
  async (_name, assumptions) => {
    const { ndjson, csv, ledger } = await exportAll({ transactions: 120, assumptions })
    const complete = Buffer.from(ndjson)

    const resumes = fc.asyncProperty(fc.nat(complete.length), async (bytes) => {
      await using folder = await temporary()
      await writeFile(`${folder.name}.ndjson`, complete.subarray(0, bytes))
      await writeFile(`${folder.name}.csv.part`, 'left behind')
      await exportResumable(ledger, folder.name, range)
      expect(await folder.read()).toEqual([ndjson, csv])
      expect((await folder.files()).toSorted()).toEqual(['ledger.csv', 'ledger.ndjson'])
    })
    // At a line end, next to it, and at the beginning too.
    const lineEnd = ndjson.indexOf('\n', 9000)
    await fc.assert(resumes, {
      numRuns: 8,
      examples: [[0], [1], [lineEnd - 1], [lineEnd], [lineEnd + 1], [lineEnd + 2]],
    })
  },
)

it('the export is the same after repeated kills', { timeout: 30_000 }, async () => {
  const options = { transactions: 300, assumptions: { pageUnit: 'group' } } as const
  const { ndjson, csv } = await exportAll(options)
  const { mock, guild } = createIsolatedMock(options)
  guild.fault({ kind: 'latency', ms: 3 })
  await using folder = await temporary()
  let responses = 0
  await using server = await startMockServer({ mock, onResponse: () => void responses++ })
  const env = { ...process.env, GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: server.url }
  const child = join(import.meta.dirname, 'support/export-until-killed.ts')
  const dates = [range.since.toISOString(), range.before.toISOString(), String(3 * dayMs)]

  /** Starts the export and kills it; false if it was done before. */
  const startAndKill = async (): Promise<boolean> => {
    const killAt = responses + 2 + Math.floor(Math.random() * 25)
    const args = ['--conditions=@guild-ledger/source', child, folder.name, ...dates]
    const running = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = once(running, 'exit')
    const isDone = () => running.exitCode !== null || responses >= killAt
    while (!isDone()) await sleep(1)
    // At different times after a response: before the write, after it, during the next request.
    await sleep(Math.random() * 6)
    running.kill('SIGKILL')
    await ended
    if (running.exitCode !== null && running.exitCode > 0) throw new Error('the export failed')
    return running.exitCode === null
  }

  let kills = 0
  while (await startAndKill()) kills++

  expect(kills).toBeGreaterThan(0)
  expect(await folder.read()).toEqual([ndjson, csv])
})

it('a later export appends what is new without requesting everything again', async () => {
  const { guild, ledger } = createIsolatedMock({ transactions: 200 })
  await using folder = await temporary()
  const january = new Date('2026-01-01T00:00:00Z')
  await exportResumable(ledger, folder.name, { ...range, before: january })
  const before = guild.requests.length

  await exportResumable(ledger, folder.name, range)

  const { ndjson } = await exportAll({ transactions: 200 })
  expect((await folder.read())[0]).toBe(ndjson)
  expect(guild.requests.length - before).toBeLessThan(before)
})

it('the CSV escapes quotes, line breaks and formulas in names', async () => {
  const transaction = createTransactionFactory()
  const { guild, ledger } = createIsolatedMock({ transactions: 0, assumptions: { createdAtFormat: 'milliseconds' } })
  const names = ['a "quoted", name', 'two\nlines', 'line\u2028separator', '=1+1', 'Schwert 🗡']
  guild.add(names.map((name) => transaction({ name })))
  await using folder = await temporary()

  await exportResumable(ledger, folder.name, range)

  const [ndjson = '', csv = ''] = await folder.read()
  expect(ndjson.trimEnd().split('\n')).toHaveLength(5)
  expect(csv.split('\r\n').slice(1, 4)).toEqual([
    '2026-01-01T00:00:01.000Z,user-1,shop,"a ""quoted"", name",10,1,10,00000000-0000-4000-8000-000000000001',
    '2026-01-01T00:00:02.000Z,user-1,shop,"two\nlines",10,1,10,00000000-0000-4000-8000-000000000002',
    '2026-01-01T00:00:03.000Z,user-1,shop,line\u2028separator,10,1,10,00000000-0000-4000-8000-000000000003',
  ])
  expect(csv).toContain(",'=1+1,")
})

it('the export of an empty ledger is an empty NDJSON file and a CSV file with a header', async () => {
  const { ndjson, csv } = await exportAll({ transactions: 0 })
  expect(ndjson).toBe('')
  expect(csv).toBe('createdAt,platformId,source,name,amount,quantity,total,transactionId\r\n')
})

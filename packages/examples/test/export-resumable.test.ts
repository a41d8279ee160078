import { appendFile, truncate, writeFile } from 'node:fs/promises'
import { createTransactionFactory } from '@guild-ledger/mock-server'
import { expect, it } from 'vitest'
import { exportResumable } from '../src/export-resumable.ts'
import { exportAll, exportFolder, idsIn, since } from './support/export.ts'
import { assumptionSets, createIsolatedMock } from './support/isolated-mock.ts'

it.each(assumptionSets)('the export contains every transaction once, with %s', async (_name, assumptions) => {
  const { ndjson, csv, guild } = await exportAll({ transactions: 300, assumptions })

  expect(idsIn(ndjson).toSorted()).toEqual(guild.transactions.map(({ transactionId }) => transactionId).toSorted())
  expect(csv.split('\r\n')).toHaveLength(302)
})

it('the export is in the order of time where pages count transactions', async () => {
  const { ndjson, guild } = await exportAll({ transactions: 300, assumptions: { pageUnit: 'transaction' } })
  const timeOf = new Map(guild.transactions.map(({ transactionId, createdAt }) => [transactionId, createdAt]))
  // Whole seconds, because the service may send no others.
  const times = idsIn(ndjson).map((id) => timeOf.get(id)?.slice(0, 19))
  expect(times).toEqual(times.toSorted((a = '', b = '') => a.localeCompare(b)))
})

it.each(assumptionSets)('an export that stopped after any request continues, with %s', async (_name, assumptions) => {
  const options = { transactions: 350, users: 250, assumptions }
  const { ndjson } = await exportAll(options)
  const { guild, ledger } = createIsolatedMock(options)
  await using folder = await exportFolder()
  for (const after of [0, 1]) {
    guild.fault({ kind: 'status', status: 403, after })
    await expect(exportResumable(ledger, folder.name, since)).rejects.toMatchObject({ status: 403 })
    guild.clearFaults()
  }

  await exportResumable(ledger, folder.name, since)

  expect(idsIn((await folder.read())[0] ?? '').toSorted()).toEqual(idsIn(ndjson).toSorted())
  expect(await folder.files()).toEqual(['ledger.csv', 'ledger.ndjson', 'ledger.position.json'])
})

it('the export removes what a killed one wrote after its last position', async () => {
  const { ledger } = createIsolatedMock({ transactions: 120 })
  await using folder = await exportFolder()
  await exportResumable(ledger, folder.name, since)
  const complete = await folder.read()
  await appendFile(`${folder.name}.ndjson`, '{"transactionId":"half a li')
  await writeFile(`${folder.name}.csv.part`, 'left behind')
  await writeFile(`${folder.name}.position.json.part`, 'left behind')

  await exportResumable(ledger, folder.name, since)

  expect(await folder.read()).toEqual(complete)
  expect(await folder.files()).toEqual(['ledger.csv', 'ledger.ndjson', 'ledger.position.json'])
})

it('the export says what to delete if its file was cut short', async () => {
  const { ledger } = createIsolatedMock({ transactions: 20 })
  await using folder = await exportFolder()
  await exportResumable(ledger, folder.name, since)
  await truncate(`${folder.name}.ndjson`, 10)
  await expect(exportResumable(ledger, folder.name, since)).rejects.toThrow(
    /ledger\.ndjson is shorter than .+ Delete both\.$/,
  )
})

it('a later export appends what is new without requesting everything again', async () => {
  const transaction = createTransactionFactory()
  const { guild, ledger } = createIsolatedMock({ transactions: 450 })
  await using folder = await exportFolder()
  await exportResumable(ledger, folder.name, since)
  const [before = ''] = await folder.read()
  const requests = guild.requests.length
  const added = transaction({ createdAt: '2026-02-02T00:00:00.000Z' })
  guild.add([added])

  await exportResumable(ledger, folder.name, since)

  const [ndjson = ''] = await folder.read()
  expect(ndjson.startsWith(before)).toBe(true)
  expect(idsIn(ndjson.slice(before.length))).toEqual([added.transactionId])
  expect(guild.requests.length - requests).toBe(1)
})

it('the CSV escapes quotes, line breaks and formulas in names', async () => {
  const transaction = createTransactionFactory()
  const { guild, ledger } = createIsolatedMock({ transactions: 0, assumptions: { createdAtFormat: 'milliseconds' } })
  const names = ['a "quoted", name', 'two\nlines', 'line\u2028separator', '=1+1', 'Schwert 🗡']
  guild.add(names.map((name, i) => transaction({ name, transactionId: `00000000-0000-4000-8000-00000000000${i}` })))
  await using folder = await exportFolder()

  await exportResumable(ledger, folder.name, since)

  const [ndjson = '', csv = ''] = await folder.read()
  expect(ndjson.trimEnd().split('\n')).toHaveLength(5)
  expect(csv.split('\r\n').slice(1, 4)).toEqual([
    '2026-01-01T00:00:01.000Z,user-1,shop,"a ""quoted"", name",10,1,10,00000000-0000-4000-8000-000000000000',
    '2026-01-01T00:00:02.000Z,user-1,shop,"two\nlines",10,1,10,00000000-0000-4000-8000-000000000001',
    '2026-01-01T00:00:03.000Z,user-1,shop,line\u2028separator,10,1,10,00000000-0000-4000-8000-000000000002',
  ])
  expect(csv).toContain(",'=1+1,")
})

it('the export of an empty ledger is an empty NDJSON file and a CSV file with a header', async () => {
  const { ndjson, csv } = await exportAll({ transactions: 0 })
  expect(ndjson).toBe('')
  expect(csv).toBe('createdAt,platformId,source,name,amount,quantity,total,transactionId\r\n')
})

import { readFile } from 'node:fs/promises'
import type { MockLedgerOptions } from '@guild-ledger/mock-server'
import { exportResumable } from '../../src/export-resumable.ts'
import { createIsolatedMock } from './isolated-mock.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const since = new Date('2025-11-01T00:00:00Z')

/** A folder for an export. */
export const exportFolder = async () => {
  const folder = await temporaryFolder()
  const name = folder.path('ledger')
  return {
    ...folder,
    name,
    read: async () => [await readFile(`${name}.ndjson`, 'utf8'), await readFile(`${name}.csv`, 'utf8')],
  }
}

/** Runs an uninterrupted export. */
export const exportAll = async (options: MockLedgerOptions) => {
  const { ledger, guild } = createIsolatedMock(options)
  await using folder = await exportFolder()
  await exportResumable(ledger, folder.name, since)
  const [ndjson = '', csv = ''] = await folder.read()
  return { ndjson, csv, guild, ledger }
}

export const valuesIn = (ndjson: string, field: 'transactionId' | 'createdAt') =>
  ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as Record<typeof field, string>)[field])
export const idsIn = (ndjson: string) => valuesIn(ndjson, 'transactionId')

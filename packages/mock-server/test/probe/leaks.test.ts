import { createMockLedger } from '@guild-ledger/mock-server'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { expect, it } from 'vitest'
import { filesFrom } from '../../src/probe/internal.ts'
import { createReport } from '../../src/probe/create-report.ts'
import { inferFrom, respondFrom } from './run-inference.ts'

const planted = 'planted-key-4f1d0c9a77e2b3'

const entry = (i: number, change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  platformId: String(100 + (i % 3)),
  transactionId: `4b1${i}0000-aaaa-4bbb-8ccc-00000000001${i}`,
  amount: 1004.5 + i,
  quantity: 1,
  name: 'order',
  source: 'shop',
  total: 1004.5 + i,
  createdAt: `2026-01-0${1 + i}T00:00:00.000Z`,
  ...change,
})
const ledgerOf = (change: Partial<LedgerEntry> = {}) => Array.from({ length: 6 }, (_, i) => entry(i, change))

const probed = async (entries: readonly LedgerEntry[]) => {
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off' })
  mock.guild.add(entries)
  const { inference, verdicts } = await inferFrom(respondFrom(mock))
  const report = createReport({
    inference,
    verdicts,
    proof: { requests: 0, compared: 0, different: 0 },
    requests: { sent: 1, limit: 1, seconds: 1, rateLimited: 0 },
    expected: undefined,
  })
  return { inference, report: { ...report, unexplained: [{ request: 'GET /x', aspect: 'order' }] } }
}
const options = { fixture: true, secrets: [planted] }

it.each([
  ['short ids, and a name that reports have', ledgerOf()],
  ['a name that is a value', ledgerOf({ name: 'transaction' })],
  ['a name that is a source', ledgerOf({ name: 'shop' })],
])('withholds nothing for %s', async (_, entries) => {
  const { files, withheld } = filesFrom(await probed(entries), options)

  expect([...withheld]).toEqual([])
  expect(files.size).toBe(4)
})

it('withholds nothing for a ledger that is a look-alike already', async () => {
  const first = filesFrom(await probed(ledgerOf()), options).files.get('ledger.ndjson') ?? ''
  const again = first
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LedgerEntry)

  expect([...filesFrom(await probed(again), options).withheld]).toEqual([])
})

it.each(['platformId', 'transactionId', 'name'] as const)('withholds a ledger with an original %s', async (field) => {
  const keep = (entries: readonly LedgerEntry[]) =>
    entries.map((one, i) => ({ ...entry(i), platformId: 'x', transactionId: `t${i}`, name: 'y', [field]: one[field] }))
  const { files, withheld } = filesFrom(await probed(ledgerOf()), options, keep)

  expect([...withheld.keys()]).toEqual(['ledger.ndjson'])
  expect([...files.keys()]).toEqual(['assumptions.json', 'probe.json', 'probe.md'])
})

it.each(['4b100000-aaaa-4bbb-8ccc-000000000010', planted])('withholds reports with %s', async (text) => {
  const { inference, report } = await probed(ledgerOf())
  const leaky = { ...report, unexplained: [{ request: `GET /${text}`, aspect: 'order' }] }
  const { files, withheld } = filesFrom({ inference, report: leaky }, options)

  expect([...withheld]).toEqual([
    ['probe.json', 1],
    ['probe.md', 1],
  ])
  expect([...files.keys()]).toEqual(['assumptions.json', 'ledger.ndjson'])
})

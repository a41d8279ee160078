import { existsSync } from 'node:fs'
import { createTransactionFactory, type MockLedger } from '@guild-ledger/mock-server'
import { cases, createRandom, testSeed } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import {
  inOneForm,
  ledgerOf,
  parseLines,
  randomAssumptions,
  readers,
  run,
  runProgram,
  startService,
  temporaryFolder,
  withoutTime,
} from './support.ts'

const transaction = createTransactionFactory()

/** Exports while the ledger grows and requests fail, and compares the file with the ledger. */
const exportOnce = async (format: string, seed: number, random: () => number) => {
  const assumptions = randomAssumptions(random)
  const grow = ({ guild }: MockLedger) =>
    void (random() < 0.5 && guild.add([transaction({ createdAt: new Date().toISOString() })]))
  const { mock, env } = await startService({ seed, users: 5, transactions: 230, assumptions }, grow)
  mock.guild.fault({ kind: 'status', status: 503, probability: 0.1, times: 3 })
  mock.guild.fault({ kind: 'reset', probability: 0.1, times: 2 })
  const before = ledgerOf(mock, withoutTime)
  const folder = temporaryFolder()
  const out = folder.file('out')

  const { code, err } = await run(['export', '--format', format, '--out', out], env)

  const hasFile = existsSync(out)
  const found = hasFile ? ((await readers[format]?.(out, folder.read('out'))) ?? []).map(withoutTime) : []
  const [distinct, after] = [new Set(found), new Set(ledgerOf(mock, withoutTime))]
  return {
    about: JSON.stringify({ assumptions, code, err }),
    outcome: `code ${code}, ${hasFile ? 'a file' : 'no file'}`,
    missing: hasFile ? before.filter((one) => !distinct.has(one)) : [],
    doubled: found.length - distinct.size,
    foreign: found.filter((one) => !after.has(one)),
    mostInOneSecond: mock.guild.audit()[0]?.mostInOneSecond ?? 0,
  }
}

it.each(Object.keys(readers))(
  'an export to %s misses and doubles nothing under random assumptions, growth and faults',
  { timeout: 600_000 },
  async (format) => {
    const random = createRandom(testSeed())
    for (let seed = 0; seed < cases(5, 2); seed++) {
      const { about, outcome, missing, doubled, foreign, mostInOneSecond } = await exportOnce(format, seed, random)

      // A service that hides its last pages cannot be exported: that is said, by an error or by exit code 4.
      expect([about, ['code 0, a file', 'code 1, no file', 'code 4, a file'].includes(outcome)]).toEqual([about, true])
      expect([about, outcome === 'code 4, a file' ? [] : missing, doubled, foreign]).toEqual([about, [], 0, []])
      expect(mostInOneSecond).toBeLessThanOrEqual(10)
    }
  },
)

it('lets only one of two runs at once write a file', async () => {
  const { mock, env } = await startService({ users: 4, transactions: 1500 })
  const folder = temporaryFolder()
  const args = ['export', '--format', 'ndjson', '--out', folder.file('out'), '--state', folder.file('state')]
  await run(args, env)
  mock.guild.fault({ kind: 'latency', ms: 300 })
  mock.guild.add([transaction({ createdAt: new Date().toISOString() })])

  const both = await Promise.all([run([...args, '--full'], env), run([...args, '--full'], env)])

  expect(new Set(both.map(({ code }) => code))).toEqual(new Set([0, 1]))
  expect(both.map(({ err }) => err).join('')).toContain('another run uses')
  expect(parseLines(folder.read('out')).map(inOneForm).toSorted()).toEqual(ledgerOf(mock))
})

it('a CSV can be imported by the importer of SQLite', async () => {
  const { mock, env } = await startService({ users: 3, transactions: 20 })
  mock.guild.add(['=1+1', 'two\nlines', 'a "3" nail'].map((name) => transaction({ name })))
  const folder = temporaryFolder()
  await run(['export', '--format', 'csv', '--out', folder.file('ledger.csv')], env)

  const out = await runProgram('sqlite3', [
    ':memory:',
    `.import --csv ${folder.file('ledger.csv')} t`,
    'SELECT count(*), count(DISTINCT transactionId), sum(quantity) FROM t',
  ])

  const quantity = mock.guild.transactions.reduce((sum, one) => sum + one.quantity, 0)
  expect(out.trim().split('|').map(Number)).toEqual([23, 23, quantity])
})

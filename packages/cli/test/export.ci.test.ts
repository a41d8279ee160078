import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransactionFactory, type MockLedger } from '@guild-ledger/mock-server'
import { cases, createRandom, guildResponse, sendJson, startTestServer, testSeed } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import {
  inOneForm,
  ledgerOf,
  parseLines,
  randomAssumptions,
  readers,
  run,
  runProgram,
  start,
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
    for (let seed = 0; seed < cases(1, 1); seed++) {
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

const transactions = 1500

/** Starts an export, and resolves when the service has sent the tenth response: it then waits for the rate limit. */
const startExport = async (...args: string[]) => {
  let responses = 0
  const service = await startService({ users: 3, transactions }, () => void responses++)
  const started = start(['export', ...args], service.env)
  let err = ''
  started.child.stderr.on('data', (chunk) => (err += String(chunk)))
  const isWaiting = () => responses >= 10
  while (!isWaiting()) await sleep(5)
  return { ...service, ...started, errors: () => err }
}

it.each([
  ['SIGINT', 130, 'csv', /^guild-ledger: interrupted after [\d,]+ transactions: no file was written\n$/],
  ['SIGTERM', 5, 'sqlite', /^guild-ledger: ended by SIGTERM after [\d,]+ transactions: no file was written\n$/],
] as const)('an export that gets %s leaves no file', async (signal, code, format, sentence) => {
  const folder = temporaryFolder()
  const { child, exited, errors } = await startExport('--format', format, '--out', folder.file('out'))

  child.kill(signal)

  expect([await exited, errors()]).toEqual([{ code, signal: null }, expect.stringMatching(sentence)])
  expect([existsSync(folder.file('out')), existsSync(folder.file('out.part'))]).toEqual([false, false])
})

it('an export with a state keeps what it has when it is interrupted, and the next run continues', async () => {
  const folder = temporaryFolder()
  const args = ['--format', 'ndjson', '--out', folder.file('out'), '--state', folder.file('state')]
  const { mock, env, child, exited, errors } = await startExport(...args)

  child.kill('SIGINT')

  expect(await exited).toEqual({ code: 130, signal: null })
  expect(errors()).toMatch(/^guild-ledger: interrupted after [\d,]+ transactions: the next run continues\n$/)
  const kept = parseLines(folder.read('out')).length
  expect(kept).toBeGreaterThan(0)
  const second = await run(['export', ...args], env)
  expect(second).toMatchObject({
    code: 0,
    err: expect.stringContaining(`exported ${(transactions - kept).toLocaleString('en-US')} transactions`),
  })
  expect(parseLines(folder.read('out')).map(inOneForm).toSorted()).toEqual(ledgerOf(mock))
})

it('a second Ctrl+C ends a program at once whose output nobody reads', async () => {
  const { child, exited } = await startExport('--format', 'ndjson')
  child.kill('SIGINT')
  await sleep(200)
  child.kill('SIGINT')

  // By its own handler, or by the system's where the program has done all but wait for its reader: 130 in a shell.
  const ended = await Promise.race([exited, sleep(5000)])
  expect([
    { code: 130, signal: null },
    { code: null, signal: 'SIGINT' },
  ]).toContainEqual(ended)
})

it('an export waits for a service that is away, says so, and gives up after --retry-for', async () => {
  const { guild, env } = await startService({ transactions: 10 })
  guild.fault({ kind: 'status', status: 503, times: 4 })
  const back = await run(['export', '--format', 'ndjson', '--retry-for', '20'], env)
  expect([back.code, parseLines(back.out).length]).toEqual([0, 10])
  expect(back.err).toMatch(/^guild-ledger: GET .* failed with 503, retrying in \d+ ms.*\nguild-ledger: exported 10 /)

  guild.fault({ kind: 'status', status: 503 })
  const away = await run(['export', '--format', 'ndjson', '--retry-for', '0'], env)
  expect([away.code, away.out]).toEqual([1, ''])
  expect(away.err).toMatch(/guild-ledger: GET \/guild\/ledger\/transactions failed after 3 attempts: 503 .*\n$/)
})

it('an export that gets less than the service counts says so, with exit code 4 and in its receipt', async () => {
  const page = { ...guildResponse, pagination: { page: 1, limit: 100, total: 5, totalPages: 1 } }
  await using service = await startTestServer((_, response) => sendJson(response, page))
  const env = { GUILD_LEDGER_API_KEY: 'a-key', GUILD_LEDGER_BASE_URL: service.url }
  const folder = temporaryFolder()

  const args = ['export', '--format', 'ndjson', '--out', folder.file('out'), '--receipt', folder.file('receipt')]
  const { code, err } = await run(args, env)

  expect(code).toBe(4)
  expect(err).toMatch(/the ledger changed meanwhile: \d+ that the service counted may be missing/)
  const receipt: unknown = JSON.parse(folder.read('receipt'))
  expect(receipt).toMatchObject({ ended: 'complete', drift: [{ kind: 'short', repaired: false }] })
})

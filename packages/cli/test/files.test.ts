import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openText, writeWhole } from '../src/files.ts'
import { parseLines, run, runInTurn, startService, temporaryFolder } from './support.ts'

it.each([
  ['csv', ['--format', 'csv', '--force']],
  ['sqlite', ['--format', 'sqlite', '--force']],
  ['ndjson with a state', ['--format', 'ndjson', '--force', '--state', 'state.json', '--full']],
])('a file that is replaced keeps its permissions, and a link its target: %s', async (_, args) => {
  const { env } = await startService({ users: 2, transactions: 30 })
  const folder = temporaryFolder()
  mkdirSync(folder.file('volume'))
  writeFileSync(folder.file('volume/ledger'), 'old')
  chmodSync(folder.file('volume/ledger'), 0o600)
  symlinkSync('volume/ledger', folder.file('ledger'))

  const { code } = await runInTurn(['export', '--out', 'ledger', ...args], env, folder.path)

  expect(code).toBe(0)
  expect(lstatSync(folder.file('ledger')).isSymbolicLink()).toBe(true)
  expect(statSync(folder.file('ledger')).mode & 0o777).toBe(0o600)
  expect(statSync(folder.file('ledger')).size).toBeGreaterThan(3000)
})

it('a file is made where a link leads to, and a loop of links is named', async () => {
  const folder = temporaryFolder()
  mkdirSync(folder.file('volume'))
  for (const [from, to] of Object.entries({ state: 'volume/state', a: 'b', b: 'a' })) symlinkSync(to, folder.file(from))

  await writeWhole(folder.file('state'), 'text')

  expect(folder.read('volume/state')).toBe('text')
  await expect(writeWhole(folder.file('a'), 'text')).rejects.toThrow(/a cannot be written: .* \(ELOOP\)$/)
})

it('of two runs that write a file at once, the later one writes it, whole', async () => {
  const folder = temporaryFolder()
  const first = await openText(folder.file('out'))
  const second = await openText(folder.file('out'))

  await expect(first.finish()).rejects.toThrow(/out cannot be written: a later run writes it, too$/)
  await first[Symbol.asyncDispose]()
  await second.write('second')
  await second.finish()

  expect(readdirSync(folder.path)).toEqual(['out'])
  expect(folder.read('out')).toBe('second')
})

it('a run gives the new file its name where a full one was killed before it did', async () => {
  const { env } = await startService({ users: 2, transactions: 30 })
  const folder = temporaryFolder()
  const args = 'export --format ndjson --out out --state state'.split(' ')
  await runInTurn(args, env, folder.path)
  renameSync(folder.file('out'), folder.file('out.part'))
  writeFileSync(folder.file('out'), '{"platformId":"of a user who vanished"}\n')
  const state = JSON.parse(folder.read('state')) as object
  writeFileSync(folder.file('state'), JSON.stringify({ ...state, isReplacing: true }))
  const identities = new DatabaseSync(folder.file('state.identities'))
  identities.exec("INSERT INTO identities VALUES ('of a user who vanished', '1')")
  identities.close()

  expect(await runInTurn(args, env, folder.path)).toMatchObject({ code: 0 })
  expect(parseLines(folder.read('out'))).toHaveLength(30)
  expect(await runInTurn([...args, '--full'], env, folder.path)).toMatchObject({ code: 0 })
})

it.each(['ndjson', 'singer'])('no text makes %s unreadable for others', async (format) => {
  const { mock, env } = await startService({ transactions: 0 })
  mock.guild.add([{ name: 'Cut \ud83d\u2028\x85', source: '😀' }])

  expect((await runInTurn(['export', '--format', format], env)).out).toMatch(/"Cut \ufffd\\u2028\\u0085".*"😀"/)
})

it('--days takes UTC where a machine has no time zone', async () => {
  const { env } = await startService({ users: 2, transactions: 30 })

  const { out, err } = await run(['export', '--format', 'ndjson', '--days', '9000'], { ...env, TZ: '' })

  expect(err).toContain('exported 30 transactions')
  expect(parseLines(out)).toHaveLength(30)
})

it('a database may get columns from others', async () => {
  const { mock, env } = await startService({ users: 2, transactions: 30 })
  const folder = temporaryFolder()
  const args = 'export --format sqlite --out ledger.db --state state.json --receipt receipt.json'.split(' ')
  await runInTurn(args, env, folder.path)
  const database = new DatabaseSync(folder.file('ledger.db'))
  database.exec('ALTER TABLE transactions ADD COLUMN note TEXT')
  mock.guild.add([{}])

  expect(await runInTurn(args, env, folder.path)).toMatchObject({ code: 0 })
  const check = ['export', '--check', 'receipt.json', 'ledger.db']
  expect(await runInTurn(check, env, folder.path)).toMatchObject({ code: 0 })
  expect(database.prepare('SELECT count(*) AS count FROM transactions').get()).toEqual({ count: 31 })
  database.close()
})

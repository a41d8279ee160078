import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { createTransactionFactory } from '@guild-ledger/mock-server'
import type { LedgerEntry } from '@guild-ledger/sdk'
import { describe, expect, it } from 'vitest'
import { openMirror } from '../src/export/sqlite.ts'
import {
  inOneForm,
  ledgerOf,
  nodeArguments,
  parseLines,
  readers,
  run,
  runInTurn,
  runProgram,
  startService,
  temporaryFolder,
} from './support.ts'

const transaction = createTransactionFactory()
const special = ['=1+1', '\tAxe', 'a "3" nail', 'two\nlines', 'über, 😀', '-5', ' @x'].map((name, i) =>
  transaction({ platformId: '84,12', name, amount: 0.1 + i, total: -1e-7, createdAt: `2026-01-31T10:00:0${i}.000Z` }),
)

describe.each(Object.keys(readers))('export --format %s', (format) => {
  it('writes every transaction once, as others read it', async () => {
    const { mock, env } = await startService({ users: 7, transactions: 150 })
    mock.guild.add(special)
    const folder = temporaryFolder()
    const out = folder.file('out')

    const { code, err } = await runInTurn(['export', '--format', format, '--out', out], env)

    expect(code).toBe(0)
    expect(err).toMatch(/^guild-ledger: exported 157 transactions to .*out in \d+\.\d s\n$/)
    expect((await readers[format]?.(out, folder.read('out')))?.map(inOneForm).toSorted()).toEqual(ledgerOf(mock))
  })
})

it.each<[string, number, string[], NodeJS.ProcessEnv]>([
  ['a time zone', 0, ['--time-zone', 'UTC'], { TZ: 'Asia/Tokyo' }],
  ['the time zone of the machine', 9, [], { TZ: 'Asia/Tokyo' }],
])(
  'exports the filters that are given, and the last whole days of %s exactly',
  async (_zone, offset, zone, machine) => {
    const { mock, env } = await startService({ transactions: 0 })
    const now = Date.now()
    const created = (hours: number, from: string) =>
      transaction({ source: from, amount: hours, createdAt: new Date(now - hours * 3_600_000).toISOString() })
    mock.guild.add(Array.from({ length: 100 }, (_, hours) => created(hours, hours % 2 === 0 ? 'shop' : 'quest')))
    const dayMs = 24 * 3_600_000
    const midnight = (Math.floor((now + offset * 3_600_000) / dayMs) - 2) * dayMs - offset * 3_600_000
    const args = ['export', '--format', 'ndjson', '--days', '2', ...zone, '--from', 'shop', '--min-amount', '4']
    const folder = temporaryFolder()

    const { out } = await run([...args, '--receipt', folder.file('receipt')], { ...env, ...machine })

    const amounts = parseLines(out).map(({ amount }) => Number(amount))
    const wanted = Array.from({ length: 100 }, (_, i) => i).filter(
      (hours) => hours % 2 === 0 && hours >= 4 && now - hours * 3_600_000 >= midnight,
    )
    expect(amounts).toEqual(wanted.toReversed())
    const startDate = new Date(midnight).toISOString()
    expect(JSON.parse(folder.read('receipt'))).toMatchObject({ filters: { startDate, from: 'shop', minAmount: 4 } })
  },
)

it('gives SQLite indices, exact amounts and a view, and a receipt what can be computed from its rows', async () => {
  const { mock, env } = await startService({ transactions: 0 })
  const folder = temporaryFolder()
  const of = (platformId: string, amount: number, day: number) =>
    transaction({ platformId, amount, total: 10 * amount, createdAt: `2026-01-0${day}T00:00:00.000Z` })
  mock.guild.add([of('ann', 1, 1), of('bob', 0.1 + 0.2, 2), of('ann', 2, 3)])
  const [out, receipt] = [folder.file('out'), folder.file('receipt')]

  await runInTurn(['export', '--format', 'sqlite', '--out', out, '--receipt', receipt, '--max-amount', '9'], env)

  using database = new DatabaseSync(out, { readOnly: true })
  const all = (query: string) => database.prepare(query).all().map(Object.values)
  expect(all('SELECT * FROM totals_by_user')).toEqual([
    ['ann', 2, 3, 2, 30, '2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z'],
    ['bob', 1, 0.1 + 0.2, 1, 10 * (0.1 + 0.2), '2026-01-02T00:00:00.000Z', '2026-01-02T00:00:00.000Z'],
  ])
  const indices = all("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL").join(' ')
  expect(indices).toBe('transactions_by_time transactions_by_source transactions_by_name')
  expect(all("SELECT amountText FROM transactions WHERE platformId = 'bob'")).toEqual([['0.30000000000000004']])
  const lines = all('SELECT * FROM transactions ORDER BY 1, 2').map((row) => `${JSON.stringify(row)}\n`)
  expect(JSON.parse(folder.read('receipt'))).toMatchObject({
    filters: { maxAmount: 9 },
    file: {
      rows: 3,
      sums: { amount: '3.30000000000000004', quantity: '3' },
      firstCreatedAt: '2026-01-01T00:00:00.000Z',
      lastCreatedAt: '2026-01-03T00:00:00.000Z',
      sha256: createHash('sha256').update(lines.join('')).digest('hex'),
    },
  })
})

/** Runs a program whose pipe does not block, and reads only once the pipe is full. */
const readLate = `
import array, fcntl, os, subprocess, sys, termios, time
read, write = os.pipe()
os.set_blocking(write, False)
child = subprocess.Popen(sys.argv[1:], stdout=write)
os.close(write)
waiting = array.array("i", [0])
while waiting[0] < 60_000 and child.poll() is None:
    time.sleep(0.05)
    fcntl.ioctl(read, termios.FIONREAD, waiting)
time.sleep(0.2)
print(os.fdopen(read, "rb").read().count(b"\\n"), child.wait())
`

it('waits for the reader of a pipe that does not block', async () => {
  const { env } = await startService({ users: 2, transactions: 1500, rateLimit: 'off' })
  const program = [process.execPath, ...nodeArguments, 'export', '--format', 'ndjson']

  expect(await runProgram('python3', ['-c', readLate, ...program], env)).toBe('1500 0\n')
})

it('keeps a transaction of each of two users apart in SQLite, and none twice', async () => {
  const { database, put } = await openMirror(':memory:')
  for (const platformId of ['ann', 'bob', 'ann']) put({ ...special[0], platformId } as LedgerEntry)

  expect(database.prepare('SELECT platformId FROM transactions').all()).toHaveLength(2)
})

describe('export --state', () => {
  it.each(['ndjson', 'sqlite'])('adds what is new to %s, and names what vanished in a full run', async (format) => {
    const { mock, env } = await startService({ users: 4, transactions: 120 })
    const folder = temporaryFolder()
    const args = ['export', '--format', format, '--out', folder.file('out'), '--state', folder.file('state')]
    const read = async () =>
      ((await readers[format]?.(folder.file('out'), folder.read('out'))) ?? []).map(inOneForm).toSorted()

    expect(await runInTurn(args, env)).toMatchObject({ code: 0 })
    mock.guild.add([transaction({ createdAt: new Date().toISOString() })])
    const second = await runInTurn([...args, '--receipt', folder.file('receipt')], env)
    expect([second.code, second.err]).toEqual([0, expect.stringContaining('exported 1 transactions')])
    expect(await read()).toEqual(ledgerOf(mock))
    const receipt = () => JSON.parse(folder.read('receipt')) as object
    expect(receipt()).toMatchObject({ file: { rows: 121 }, run: { rows: 1 }, ended: 'complete' })

    const { platformId, transactionId = '' } = mock.guild.transactions[0] ?? {}
    mock.guild.remove([transactionId])
    const full = await runInTurn([...args, '--full', '--receipt', folder.file('receipt')], env)
    expect(full.code).toBe(4)
    expect(full.err).toContain(`1 exported before are no longer in the ledger: ${transactionId} of ${platformId}\n`)
    expect(receipt()).toMatchObject({ vanished: [{ platformId, transactionId }] })
    expect(await read()).toEqual(ledgerOf(mock))

    const last = await runInTurn(args, env)
    expect([last.code, last.err]).toEqual([0, expect.stringContaining('exported 0 transactions')])
    expect(await read()).toEqual(ledgerOf(mock))
  })
})

/** The protocol as its specification describes it: https://hub.meltano.com/singer/spec. */
const readSinger = (text: string) => {
  const records: object[] = []
  let state: unknown
  let schema: { properties: Record<string, { type: string }>; required: string[] } | undefined
  for (const message of parseLines(text)) {
    if (message.type === 'SCHEMA') {
      const keys = { key_properties: ['platformId', 'transactionId'], bookmark_properties: ['createdAt'] }
      expect(message).toMatchObject({ stream: 'transactions', ...keys })
      schema = message.schema as typeof schema
    } else if (message.type === 'RECORD') {
      if (!schema) throw new Error('RECORD before its SCHEMA')
      expect(message.stream).toBe('transactions')
      const types = Object.entries(message.record as object).map(([name, value]) => [name, typeof value])
      expect(types).toEqual(Object.entries(schema.properties).map(([name, { type }]) => [name, type]))
      records.push(message.record as object)
    } else if (message.type === 'STATE') state = message.value
    else throw new Error(`a message of type ${String(message.type)}`)
  }
  return { records, state, fields: Object.keys(schema?.properties ?? {}) }
}

describe('export --format singer', () => {
  it('continues with the state that the runner kept', async () => {
    const { mock, env } = await startService({ users: 4, transactions: 120 })
    const folder = temporaryFolder()
    const config = { base_url: env.GUILD_LEDGER_BASE_URL, api_key_env: 'TAP_KEY', from: 'shop' }
    writeFileSync(folder.file('config'), JSON.stringify(config))
    const args = ['export', '--format', 'singer', '--config', folder.file('config')]
    const tapEnv = { TAP_KEY: env.GUILD_LEDGER_API_KEY }

    const first = readSinger((await runInTurn(args, tapEnv)).out)
    writeFileSync(folder.file('state'), JSON.stringify(first.state))
    mock.guild.add([transaction({ name: 'new', createdAt: new Date().toISOString() })])
    const second = readSinger((await runInTurn([...args, '--state', folder.file('state')], tapEnv)).out)

    const before = ledgerOf(mock).filter((one) => one.includes('"shop"') && !one.includes('"new"'))
    expect(first.records.map(inOneForm).toSorted()).toEqual(before)
    expect(second.records).toMatchObject([{ name: 'new' }])
  })

  it('exports the fields that the catalog selects, and nothing where it does not select the stream', async () => {
    const { env } = await startService({ users: 1, transactions: 3 })
    const folder = temporaryFolder()
    const { out } = await runInTurn(['export', '--format', 'singer', '--discover'], {})
    const catalog = JSON.parse(out) as {
      streams: [{ schema: object; metadata: { breadcrumb: string[]; metadata: { selected: boolean } }[] }]
    }
    const [{ schema, metadata }] = catalog.streams
    expect(schema).toMatchObject({ properties: { createdAt: { type: 'string', format: 'date-time' } } })
    const select = async (...breadcrumb: string[]) => {
      for (const one of metadata) if (breadcrumb.join('.') === one.breadcrumb.join('.')) one.metadata.selected = false
      writeFileSync(folder.file('catalog'), JSON.stringify(catalog))
      return readSinger(
        (await runInTurn(['export', '--format', 'singer', '--catalog', folder.file('catalog')], env)).out,
      )
    }

    expect((await select('properties', 'name')).fields).toEqual([
      'platformId',
      'transactionId',
      'amount',
      'quantity',
      'source',
      'total',
      'createdAt',
    ])
    expect(await select()).toMatchObject({ records: [], fields: [] })
  })
})

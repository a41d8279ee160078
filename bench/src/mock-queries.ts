/**
 * Whole requests on a mix of twelve kinds of query: the mock's store alone, `mock.respond` and `mock.fetch`, compared to
 * SQLite in two packages, a plain array, @mswjs/data and json-server on the same work, the summary and the JSON included.
 *
 *     pnpm --dir bench mock:queries [--growing] [transactions…]
 *
 * With `--growing`, one transaction is added before every request, and the addition counts.
 */
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { createMockLedger } from '@guild-ledger/mock-server'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { createTransactionStore } from '../../packages/mock-server/src/store/index.ts'
import { bodyOf, kindNames, limit, mixOf, targetOf, type Query } from './mock-mix.ts'
import { BetterSqlite, sqlite } from './mock-peer-sqlite.ts'
import { jsonServer, mswData, plainArray, type Peer } from './mock-peers.ts'
import { ledgerOf, transactionAt } from './mock-rows.ts'
import { mean, quantile } from './statistics.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { growing: { type: 'boolean', default: false } },
})
const sizes = positionals.length > 0 ? positionals.map(Number) : [1e3, 1e4, 1e5, 1e6]
const print = (line: string) => process.stdout.write(`${line}\n`)

/** Something that responds to requests, and takes transactions between them. */
interface Contender {
  readonly name: string
  request(query: Query): Promise<string> | string
  add(entry: LedgerEntry): void
  close(): void
}

const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1)

const mockContenders = (entries: readonly LedgerEntry[]): Contender[] => {
  const started = performance.now()
  const store = createTransactionStore()
  store.add(entries)
  print(`the store loaded ${entries.length} transactions in ${seconds(started)} s`)
  const mock = createMockLedger({ rateLimit: 'off', keepRequests: 0, transactions: 0 })
  mock.guild.add(entries)
  const init = { headers: { 'x-api-key': mock.apiKey } }
  let unique = 0
  return [
    {
      name: 'store',
      request({ filter, sort, page }) {
        const selection = store.select(filter, sort)
        const found = selection.slice((page - 1) * limit, page * limit)
        const { total, userCount } = selection
        return `${found.length} ${total} ${userCount} ${selection.sum('total')}`
      },
      add: (entry) => store.add([entry]),
      close: () => {},
    },
    {
      name: 'respond',
      request: (query) => mock.respond({ method: 'GET', target: targetOf(query, unique++), apiKey: mock.apiKey }).body,
      add: (entry) => void mock.guild.add([entry]),
      close: () => {},
    },
    {
      name: 'fetch',
      request: async (query) => (await mock.fetch(mock.origin + targetOf(query, unique++), init)).text(),
      add: (entry) => void mock.guild.add([entry]),
      close: () => {},
    },
  ]
}

const peerContender = (name: string, peer: Peer): Contender => ({
  name,
  request: async (query) => bodyOf(await peer.find(query), query.page),
  add: (entry) => peer.add(entry),
  close: () => peer.close(),
})

/** Microseconds by kind of query. */
type Times = Record<string, number[]>

let added = 0
const measure = async (contender: Contender, queries: readonly Query[], size: number, times: Times = {}) => {
  for (const query of queries) {
    const entry = flags.growing ? transactionAt(size + added++, size) : undefined
    const start = performance.now()
    if (entry) contender.add(entry)
    await contender.request(query)
    ;(times[query.kind] ??= []).push((performance.now() - start) * 1000)
  }
}

const shown = (micros: number) => (Number.isNaN(micros) ? '-' : micros.toFixed(micros < 100 ? 1 : 0)).padStart(9)

const printTable = (results: ReadonlyMap<string, Times>) => {
  print(`${''.padEnd(36)}${[...results.keys()].map((name) => name.padStart(29)).join('')}`)
  print(`${'µs'.padEnd(36)}${[...results].map(() => '  p50      p99      mean'.padStart(29)).join('')}`)
  for (const kind of [...kindNames, 'all']) {
    const cells = [...results.values()].map((times) => {
      const own = kind === 'all' ? Object.values(times).flat() : (times[kind] ?? [])
      return [quantile(own, 0.5), quantile(own, 0.99), mean(own)].map((value) => shown(value)).join(' ')
    })
    print(`${kind.padEnd(36)}${cells.join('')}`)
  }
}

/** Throws where two contenders differ about a query. */
const compare = async (contender: Contender, reference: Contender, queries: readonly Query[]) => {
  for (const query of queries) {
    const [own, other] = [await contender.request(query), await reference.request(query)]
    if (own !== other) throw new Error(`${contender.name} differs: ${JSON.stringify(query)}\n${own}\n${other}`)
  }
}

// So that the smallest ledger does not pay for compiling what all of them run.
const small = ledgerOf(1000)
for (const contender of mockContenders(small)) await measure(contender, mixOf(small, 400), 1000)

const rounds = 4

for (const size of sizes) {
  const entries = ledgerOf(size)
  const mocks = mockContenders(entries)
  const first = performance.now()
  for (const mock of mocks) await measure(mock, mixOf(entries, 4), size)
  print(`first queries, which build the indexes: ${seconds(first)} s`)
  const peers: [name: string, most: number, create: () => Peer | Promise<Peer>][] = [
    ['better-sqlite3', 1e6, () => sqlite(new BetterSqlite(':memory:'), entries)],
    ['node:sqlite', 1e6, () => sqlite(new DatabaseSync(':memory:'), entries)],
    ['plain array', 1e6, () => plainArray(entries)],
    ['@mswjs/data', flags.growing ? 0 : 1e4, () => mswData(entries)],
    ['json-server', flags.growing ? 0 : 1e5, () => jsonServer(entries)],
  ]
  const [, respond] = mocks as [Contender, Contender]
  const contenders = mocks.map((mock) => ({ ...mock, each: size > 1e5 ? 25 : 50 }))
  for (const [name, most, create] of peers) {
    if (size > most) continue
    const peer = peerContender(name, await create())
    if (!flags.growing && name !== 'json-server') await compare(peer, respond, mixOf(entries, 1))
    contenders.push({ ...peer, each: most < 1e6 || size > 1e5 ? 1 : size > 1e4 ? 5 : 25 })
  }
  const results = new Map<string, Times>(contenders.map(({ name }) => [name, {}]))
  // By turns, so that load on the machine hits all of them.
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) {
      const times = results.get(contender.name) ?? {}
      await measure(contender, mixOf(entries, contender.each), size, times)
    }
  }
  for (const contender of contenders) contender.close()
  print(`\n${size} transactions`)
  printTable(results)
}

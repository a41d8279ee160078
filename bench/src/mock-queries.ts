/**
 * The mock on ledgers of three sizes, next to what people use in its place: an array, @mswjs/data, SQLite in memory,
 * json-server. Each loads the same transactions, and makes the same JSON of the same queries, the summary included.
 *
 *     pnpm --dir bench mock:queries [transactions…]
 *
 * Milliseconds of processor time. Loading and the first request run in fresh processes, as in a test file;
 * everything else runs in one process, in turns.
 */
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { bodyOf, exportOf, mixOf, targetOf, type Query } from './mock-mix.ts'
import { jsonServer, mswData, plainArray, sqlite, type Peer } from './mock-peers.ts'
import { ledgerOf, transactionAt } from './mock-rows.ts'
import { median, quantile } from './statistics.ts'

const { values: flags, positionals } = parseArgs({ allowPositionals: true, options: { cold: { type: 'string' } } })
const sizes = positionals.length > 0 ? positionals.map(Number) : [500, 10_000, 100_000]
const print = (line: string) => process.stdout.write(`${line}\n`)

/** Something that responds to requests. */
interface Contender {
  request(query: Query): Promise<string> | string
  add(entry: LedgerEntry): void
  /** Back to what was loaded. */
  reset(): Promise<void> | void
  close(): void
}

type Create = (entries: readonly LedgerEntry[], seeded?: boolean) => Promise<Contender>

const thisMock: Create = async (entries, seeded = false) => {
  const { createMockLedger } = await import('@guild-ledger/mock-server')
  importedAtMs = cpuMs()
  const mock = createMockLedger({ rateLimit: 'off', keepRequests: 0, transactions: seeded ? entries.length : 0 })
  if (!seeded) mock.guild.add(entries)
  const loaded = mock.snapshot()
  return {
    request: (query) => mock.respond({ method: 'GET', target: targetOf(query), apiKey: mock.apiKey }).body,
    add: (entry) => mock.guild.add([entry]),
    reset: () => mock.restore(loaded),
    close: () => {},
  }
}

const peerFrom =
  (create: (entries: readonly LedgerEntry[]) => Peer | Promise<Peer>): Create =>
  async (entries) => {
    let peer = await create(entries)
    return {
      request: async (query) => bodyOf(await peer.find(query), query),
      add: (entry) => peer.add(entry),
      async reset() {
        peer.close()
        peer = await create(entries)
      },
      close: () => peer.close(),
    }
  }

/** Each with the largest ledger that it can be measured with in minutes. */
const contenders: Readonly<Record<string, readonly [create: Create, most: number]>> = {
  'this mock': [thisMock, Infinity],
  array: [peerFrom(plainArray), Infinity],
  SQLite: [peerFrom(sqlite), Infinity],
  '@mswjs/data': [peerFrom(mswData), 10_000],
  'json-server': [peerFrom(jsonServer), 10_000],
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const timed = async (run: () => unknown): Promise<number> => {
  const before = cpuMs()
  await run()
  return cpuMs() - before
}
/** When the mock had been imported, in `cpuMs`. */
let importedAtMs = 0

const first: Query = { sortBy: 'createdAt', sortOrder: 'desc', page: 1, limit: 20 }

/** In a process of its own: prints the time to load, and that of the first request. */
const measureCold = async (name: string, size: number): Promise<void> => {
  const [plainName, seeded] = [name.replace(', seeded', ''), name.endsWith(', seeded')]
  const [create] = contenders[plainName] ?? []
  const entries = ledgerOf(size)
  importedAtMs = cpuMs()
  const contender = await create?.(entries, seeded)
  const load = cpuMs() - importedAtMs
  const request = await timed(() => contender?.request(first))
  contender?.close()
  print(JSON.stringify([load, request]))
}

const cold = (name: string, size: number): readonly [load: number, request: number] => {
  const own = [...process.execArgv, import.meta.filename, '--cold', name, String(size)]
  return JSON.parse(execFileSync(process.execPath, own, { encoding: 'utf8' })) as [number, number]
}

const rounds = 5
const perRound = 3
let added = 0

const measure = async (size: number): Promise<void> => {
  const entries = ledgerOf(size)
  const names = Object.keys(contenders).filter((name) => size <= (contenders[name]?.[1] ?? 0))
  const rows = new Map<string, Record<string, number[]>>()
  const note = (name: string, figure: string, ms: number) => {
    const row = rows.get(name) ?? {}
    rows.set(name, { ...row, [figure]: [...(row[figure] ?? []), ms] })
  }
  for (let round = 0; round < rounds; round++) {
    for (const name of names.flatMap((one) => (one === 'this mock' ? [one, `${one}, seeded`] : [one]))) {
      const [load, request] = cold(name, size)
      note(name, 'load', load)
      note(name, 'first', request)
    }
  }
  const running = new Map<string, Contender>()
  for (const name of names) {
    const [create] = contenders[name] as readonly [Create, number]
    // So that none pays for compiling what it runs.
    const small = ledgerOf(500)
    const warm = await create(small)
    for (const query of mixOf(small, 30)) await warm.request(query)
    warm.close()
    const contender = await create(entries)
    running.set(name, contender)
    for (const sortBy of ['createdAt', 'amount', 'total', 'quantity', 'name'] as const)
      for (const sortOrder of ['asc', 'desc'] as const)
        note(name, 'first of a sort', await timed(() => contender.request({ ...first, sortBy, sortOrder })))
    if (name === 'json-server') continue
    for (const query of mixOf(entries, 1)) {
      const [own, other] = [await contender.request(query), await running.get('this mock')?.request(query)]
      // Where nothing matches, the mock responds with 404.
      if (own !== other && !own.includes('"total":0'))
        throw new Error(`${name} differs: ${JSON.stringify(query)}\n${own}\n${other}`)
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const [name, contender] of running) {
      for (const query of mixOf(entries, perRound)) note(name, 'query', await timed(() => contender.request(query)))
      const pages = round === 0 && (name === 'this mock' || size < 100_000) ? exportOf(size) : []
      if (pages.length > 0)
        note(
          name,
          'export',
          await timed(async () => {
            for (const page of pages) await contender.request(page)
          }),
        )
      for (let i = 0; i < 5; i++) {
        const entry = transactionAt(size + added++, size)
        const ms = await timed(async () => {
          contender.add(entry)
          await contender.request(first)
        })
        note(name, 'add and read', ms)
      }
      note(name, 'reset', await timed(() => contender.reset()))
    }
  }
  for (const contender of running.values()) contender.close()
  const shown = (ms: number) => (Number.isNaN(ms) ? '–' : ms.toFixed(ms < 10 ? 2 : 0)).padStart(12)
  const heads = [
    'load',
    'first',
    'first of a sort',
    'query',
    'query p95',
    'query max',
    'export',
    'add and read',
    'reset',
  ]
  print(`\n${size} transactions${heads.map((head) => head.padStart(16)).join('')}`)
  for (const [name, row] of rows) {
    const figures: Record<string, number> = {
      ...Object.fromEntries(Object.entries(row).map(([figure, ms]) => [figure, median(ms)])),
      'query p95': quantile(row['query'] ?? [], 0.95),
      'query max': Math.max(...(row['query'] ?? [Number.NaN])),
    }
    print(`${name.padEnd(20)}${heads.map((head) => shown(figures[head] ?? Number.NaN).padStart(16)).join('')}`)
  }
}

if (flags.cold !== undefined) await measureCold(flags.cold, sizes[0] ?? 500)
else for (const size of sizes) await measure(size)

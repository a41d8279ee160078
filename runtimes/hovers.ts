/**
 * Asks the TypeScript language service for the quick info of the most used symbols, as an editor shows it on hover. Fails
 * where the documentation is empty, and where `ledger.transactions` takes more than one line.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type typescript from 'typescript'

/** A line of a program, and the symbol in it that is asked about: its last occurrence. */
const hovers: readonly (readonly [line: string, symbol: string])[] = [
  [`import { GuildLedger, GuildLedgerError, createThrottle, responseOf } from '@guild-ledger/sdk'`, 'GuildLedger,'],
  [`new GuildLedger({ apiKey: 'k' })`, 'apiKey'],
  [`new GuildLedger({ baseUrl: 'https://ledger.example' })`, 'baseUrl'],
  [`new GuildLedger({ timeoutMs: 1 })`, 'timeoutMs'],
  [`new GuildLedger({ retry: { maxRetries: 1 } })`, 'maxRetries'],
  [`new GuildLedger({ throttle: { requestsPerSecond: 5 } })`, 'requestsPerSecond'],
  [`new GuildLedger({ logLevel: 'debug' })`, 'logLevel'],
  [`new GuildLedger({ middleware: [] })`, 'middleware'],
  [`const ledger = new GuildLedger()`, 'GuildLedger'],
  [`const { transactions } = ledger`, 'transactions'],
  [`const { transactions: same } = ledger.user('8412')`, 'user'],
  [`ledger.user('8412').transactions.list({ minAmount: 1 })`, 'minAmount'],
  [`const page = await transactions.list({ limit: 50 })`, 'list'],
  [`transactions.list({ limit: 50 })`, 'limit'],
  [`transactions.list({ page: 2 })`, 'page'],
  [`transactions.list({ from: 'shop' })`, 'from'],
  [`transactions.list({ maxAmount: 1 })`, 'maxAmount'],
  [`transactions.list({ platformId: '8412' })`, 'platformId'],
  [`transactions.list({ startDate: new Date() })`, 'startDate'],
  [`transactions.list({ sortBy: 'name' })`, 'sortBy'],
  [`transactions.list({ sortOrder: 'asc' })`, 'sortOrder'],
  [`transactions.list({}, { signal: AbortSignal.timeout(1) })`, 'signal'],
  [`transactions.list({}, { priority: 'background' })`, 'priority'],
  [`page.data`, 'data'],
  [`page.data[0]?.transactions`, 'transactions'],
  [`page.pagination.totalPages`, 'totalPages'],
  [`page.summary.totalValue`, 'totalValue'],
  [`page.summary.uniqueUsers`, 'uniqueUsers'],
  [`page.response.queuedMs`, 'queuedMs'],
  [`responseOf(page)`, 'responseOf'],
  [`for await (const entry of transactions.iterate({}, { maxItems: 3 })) { entry.platformId`, 'iterate'],
  [`  entry.total`, 'total'],
  [`  entry.createdAt }`, 'createdAt'],
  [`transactions.iterate({}, { onDrift: ({ kind }) => kind })`, 'onDrift'],
  [`transactions.pages({}, { concurrency: 2 })`, 'concurrency'],
  [`const watch = transactions.watch({}, { since: 'now' })`, 'since'],
  [`watch.checkpoint`, 'checkpoint'],
  [`ledger.get('/guild/discharges')`, 'get'],
  [`createThrottle({ requestsPerSecond: 5 })`, 'createThrottle'],
  [`const failed = (error: unknown) => { if (!GuildLedgerError.is(error)) return`, 'is'],
  [`  error.code }`, 'code'],
]

/** The declaration on one line per name, and the documentation. */
interface Hover {
  readonly line: string
  readonly declaration: string
  readonly documentation: string
}

/** What an editor shows for each symbol where the package is installed in `folder`. */
const hoversIn = (ts: typeof typescript, folder: string): Hover[] => {
  const file = join(folder, 'hovers.ts')
  const source = hovers.map(([line]) => line).join('\n')
  const { ESNext, NodeNext } = { ...ts.ScriptTarget, NodeNext: ts.ModuleKind.NodeNext }
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ strict: true, target: ESNext, module: NodeNext, types: [] }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = name === file ? source : ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? source : ts.sys.readFile(name)),
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  })
  let start = 0
  return hovers.map(([line, symbol]) => {
    const info = service.getQuickInfoAtPosition(file, start + line.lastIndexOf(symbol))
    start += line.length + 1
    return {
      line: line.trim(),
      declaration: ts.displayPartsToString(info?.displayParts),
      documentation: ts.displayPartsToString(info?.documentation),
    }
  })
}

/** @throws {Error} A symbol has no documentation, or `ledger.transactions` takes more than one line. */
export const checkHovers = (typescriptModule: string, folder: string): string => {
  const ts: typeof typescript = createRequire(import.meta.url)(typescriptModule)
  const found = hoversIn(ts, folder)
  const empty = found.filter(({ documentation }) => documentation === '').map(({ line }) => line)
  if (empty.length > 0) throw new Error(`TypeScript ${ts.version} shows no documentation for:\n${empty.join('\n')}`)
  const transactions = found.find(({ line }) => line === 'const { transactions } = ledger')?.declaration
  if (transactions !== 'const transactions: Transactions<GuildQuery, GuildPage>') {
    throw new Error(`TypeScript ${ts.version} shows ledger.transactions as ${transactions}`)
  }
  return `TypeScript ${ts.version}: documentation on hover for ${found.length} symbols`
}

if (import.meta.main) process.stdout.write(`${checkHovers('typescript', import.meta.dirname)}\n`)

import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text as readAll } from 'node:stream/consumers'
import { createMockLedger, type MockLedger, type MockLedgerOptions } from '@guild-ledger/mock-server'
import { alternativesTo, assume, type Assumptions } from '@guild-ledger/mock-server/assumptions'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { onTestFinished } from 'vitest'

export const program = join(import.meta.dirname, '../src/main.ts')
/** Arguments that run the command line from its sources. */
export const nodeArguments = ['--conditions=@guild-ledger/source', program]

/** A mock over HTTP and the environment that leads to it. Its data is its own. */
export const startService = async (options: MockLedgerOptions = {}, onResponse?: (mock: MockLedger) => void) => {
  const mock = createMockLedger({ assumptions: {}, ...options })
  const server = await startMockServer({ mock, ...(onResponse && { onResponse: () => onResponse(mock) }) })
  onTestFinished(() => server.close())
  const env = { GUILD_LEDGER_API_KEY: mock.apiKey, GUILD_LEDGER_BASE_URL: server.url }
  return { mock, guild: mock.guild, url: server.url, env }
}
export type Service = Awaited<ReturnType<typeof startService>>

/** A folder that is removed after the test. */
export const temporaryFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'guild-ledger-cli-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return {
    path,
    file: (name: string) => join(path, name),
    read: (name: string) => readFileSync(join(path, name), 'utf8'),
  }
}

/** Starts the command line. */
export const start = (args: readonly string[], env: NodeJS.ProcessEnv, cwd?: string) => {
  const child = spawn(process.execPath, [...nodeArguments, ...args], {
    cwd,
    stdio: 'pipe',
    env: { ...process.env, GUILD_LEDGER_API_KEY: '', GUILD_LEDGER_BASE_URL: '', NODE_OPTIONS: '', ...env },
  })
  child.stdin.end()
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }))
  return { child, exited }
}

/** Runs the command line to its end. */
export const run = async (args: readonly string[], env: NodeJS.ProcessEnv, cwd?: string) => {
  const { child, exited } = start(args, env, cwd)
  const [out, err, { code }] = await Promise.all([readAll(child.stdout), readAll(child.stderr), exited])
  return { out, err, code }
}

export interface CommandLine {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

/** The process of `runInTurn`. It ends with this one. */
const shared: { process?: ChildProcess; last: Promise<unknown> } = { last: Promise.resolve() }

const startShared = (): ChildProcess => {
  const child = fork(new URL('run-in-turn.ts', import.meta.url), {
    execArgv: ['--conditions=@guild-ledger/source'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, GUILD_LEDGER_API_KEY: '', GUILD_LEDGER_BASE_URL: '', NODE_OPTIONS: '' },
  })
  child.unref()
  return child
}

/** Runs the command line to its end, after those before, in a process that all these runs share. */
export const runInTurn = (args: readonly string[], env: NodeJS.ProcessEnv, cwd = tmpdir()) => {
  const next = shared.last.then(async () => {
    const child = (shared.process ??= startShared())
    child.send({ args, env, cwd } satisfies CommandLine)
    let printed = ''
    for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
      printed += String(chunk)
      if (printed.endsWith('\0')) break
    }
    const [out = '', end = ''] = printed.split('\0')
    return { out, ...(JSON.parse(end) as { code: number; err: string }) }
  })
  shared.last = next.catch(() => {})
  return next
}

/** Runs another program to its end. */
export const runProgram = async (name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd?: string) => {
  const child = spawn(name, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [out, [code]] = await Promise.all([readAll(child.stdout), once(child, 'close')])
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}: ${out}`)
  return out
}

/** Transactions of a mock with their users, as text that can be compared whatever the order. */
export const ledgerOf = ({ guild }: MockLedger, form = inOneForm): string[] => guild.transactions.map(form).toSorted()

const fields = ['platformId', 'transactionId', 'amount', 'quantity', 'name', 'source', 'total', 'createdAt'] as const
/** The same without `createdAt`, whose form is an assumption. */
export const withoutTime = (entry: object): string =>
  JSON.stringify(fields.slice(0, -1).map((name) => Reflect.get(entry, name) as unknown))
/** A transaction as text, in the order of the spec. */
export const inOneForm = (entry: object): string =>
  JSON.stringify(fields.map((name) => Reflect.get(entry, name) as unknown))

/** Other values for about a fifth of the assumptions. */
export const randomAssumptions = (random: () => number): Partial<Assumptions> => {
  const byKey = Object.values(Object.groupBy(alternativesTo(assume()), ({ key }) => key))
  const chosen = byKey.filter(() => random() < 0.2).map((values) => values[Math.floor(random() * values.length)])
  return Object.fromEntries(chosen.flatMap((one) => (one ? [[one.key, one.value]] : [])))
}

/** Lines of JSON. */
export const parseLines = (lines: string): Record<string, unknown>[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const readCsv = `
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8-sig")))
for row in rows:
    for name in ("amount", "quantity", "total"):
        row[name] = float(row[name])
    for name in ("platformId", "transactionId", "name", "source", "createdAt"):
        row[name] = row[name][1:] if row[name].startswith("\\t") else row[name]
json.dump(rows, sys.stdout)
`

/** Reads an export as others would, not with code of this package. */
export const readers: Record<string, (path: string, text: string) => Promise<object[]> | object[]> = {
  csv: async (path) => JSON.parse(await runProgram('python3', ['-c', readCsv, path])) as object[],
  ndjson: (_, text) => parseLines(text),
  singer: (_, text) => parseLines(text).flatMap(({ type, record }) => (type === 'RECORD' ? [record as object] : [])),
  sqlite(path) {
    const database = new DatabaseSync(path, { readOnly: true })
    const rows = database.prepare('SELECT * FROM transactions').all()
    database.close()
    return rows
  },
}

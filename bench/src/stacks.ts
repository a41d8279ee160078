/**
 * What it costs that stacks lead to the caller: CPU of one call over a stubbed `fetch`, of one that succeeds and of one
 * that fails, without stacks (`Error.stackTraceLimit` 0) and with those captured as calls begin. Interleaved in small
 * rounds; medians.
 */
import { GuildLedger } from '@guild-ledger/sdk'
import { median } from './statistics.ts'

const rounds = Number(process.argv[2] ?? 80)
const calls = 200

const emptyPage = JSON.stringify({
  success: true,
  data: [],
  pagination: { page: 1, limit: 20, total: 0, totalPages: 0 },
  summary: { totalTransactions: 0, totalValue: 0, uniqueUsers: 0 },
})
const noScope = JSON.stringify({ success: false, message: 'Forbidden' })

const clientOf = (body: string, status: number) =>
  new GuildLedger({
    apiKey: 'a-key-of-24-characters-x',
    baseUrl: 'https://ledger.example',
    throttle: false,
    retry: false,
    logLevel: 'off',
    fetch: async () => new Response(body, { status }),
  })
const succeeding = clientOf(emptyPage, 200)
const failing = clientOf(noScope, 403)

const { stackTraceLimit } = Error

/** A command of a bot, some functions deep. */
const command = (ledger: GuildLedger, depth: number): Promise<unknown> =>
  depth > 0 ? command(ledger, depth - 1) : ledger.transactions.list()

/** Microseconds of CPU per call. */
const cost = async (ledger: GuildLedger, limit: number): Promise<number> => {
  Error.stackTraceLimit = limit
  const before = process.cpuUsage()
  for (let i = 0; i < calls; i++) {
    try {
      await command(ledger, 8)
    } catch {}
  }
  const { user, system } = process.cpuUsage(before)
  Error.stackTraceLimit = stackTraceLimit
  return (user + system) / calls
}

const contenders: Record<string, () => Promise<number>> = {
  'succeeds, no stacks': () => cost(succeeding, 0),
  'succeeds, stacks': () => cost(succeeding, stackTraceLimit),
  'fails, no stacks': () => cost(failing, 0),
  'fails, stacks': () => cost(failing, stackTraceLimit),
}

const costs = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]))
const names = Object.entries(contenders)
for (let round = -5; round < rounds; round++) {
  const start = (round + 5) % names.length
  for (const [name, run] of [...names.slice(start), ...names.slice(0, start)]) {
    const value = await run()
    if (round >= 0) costs.get(name)?.push(value)
  }
}
for (const [name, values] of costs) {
  console.log(`${name.padEnd(20)} ${median(values).toFixed(1).padStart(6)} µs`)
}

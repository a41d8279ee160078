/**
 * Runs the client behind nginx and HAProxy, with the configurations in `gateways/`: behind limits of 10 requests a second
 * that allow no burst or one, and respond with 503 or 429; and behind gateways that fail during an export.
 *
 *     pnpm --dir runtimes gateways              everything, at the same time
 *     pnpm --dir runtimes gateways nginx-503    the rows with "nginx-503" in their names, with the statuses of each second
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createMockLedger, type Guild } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { measureCalls, measureExport, type Outcome } from './gateways/measure.ts'
import { freePort } from './free-port.ts'
import { startGateway } from './gateways/start.ts'

const [only = ''] = process.argv.slice(2)
const pages = 60
const calls = 200

// Only the gateways limit.
const mock = createMockLedger({ rateLimit: 'off' })

await using service = await startMockServer({ mock })
/** A service that is stopped for a while. */
const startStoppable = async () => {
  const port = await freePort()
  let running = await startMockServer({ mock, port })
  return {
    port,
    stopFor: async (ms: number): Promise<void> => {
      await running.close()
      await sleep(ms)
      running = await startMockServer({ mock, port })
    },
    [Symbol.asyncDispose]: () => running.close(),
  }
}
await using behindNginx = await startStoppable()
await using behindHaproxy = await startStoppable()
const services = {
  service: Number(new URL(service.url).port),
  'nginx-service': behindNginx.port,
  'haproxy-service': behindHaproxy.port,
}
await using nginx = await startGateway('nginx.conf', services)
await using restarted = await startGateway('nginx.conf', services)
await using haproxy = await startGateway('haproxy.cfg', services)

/** A measurement, and how many requests the gateway may refuse. Seconds are printed: they depend on the machine, too. */
interface Row {
  readonly name: string
  readonly what: string
  readonly mostRefused: number
  readonly run: (guild: Guild) => Promise<Outcome>
}

const exporting = `export of ${pages} pages`
const addressOf = (name: string): string => (name.startsWith('nginx') ? nginx : haproxy).url(name)
const measureExportAt: (name: string) => Row['run'] = (name) => (guild) => measureExport(addressOf(name), guild)

const limits = [
  ...['nginx-503', 'nginx-429', 'nginx-burst-503', 'nginx-burst-429', 'haproxy-503', 'haproxy-429', 'haproxy-403'],
  ...['haproxy-burst-503', 'haproxy-burst-429', 'haproxy-burst-403'],
]
/** To compare with: no gateway. */
const reference: Row = {
  name: 'none',
  what: exporting,
  mostRefused: 0,
  run: (guild) => measureExport(service.url, guild),
}
const exports: readonly Row[] = limits.map((name) => ({
  name,
  what: exporting,
  mostRefused: 30,
  run: measureExportAt(name),
}))
const manyCalls: readonly Row[] = limits.map((name) => ({
  name,
  what: `${calls} calls at once`,
  mostRefused: 30,
  run: (guild) => measureCalls(addressOf(name), guild, calls, name.endsWith('403')),
}))
/** Something is in the way of an export for a while. */
const disturbed = (name: string, run = measureExportAt(name)): Row => ({
  name,
  what: exporting,
  mostRefused: 40,
  run,
})
const disturbedExports: readonly Row[] = [
  disturbed('haproxy-firewall'),
  disturbed('haproxy-reject'),
  disturbed('haproxy-520'),
  disturbed('haproxy-html'),
  disturbed('nginx-closing'),
  disturbed('nginx-connections', (guild) => {
    guild.fault({ kind: 'latency', ms: 100 })
    return measureExport(addressOf('nginx-connections'), guild)
  }),
  disturbed('nginx-stopped-service', (guild) =>
    measureExport(addressOf('nginx-stopped-service'), guild, () => behindNginx.stopFor(2000)),
  ),
  disturbed('haproxy-stopped-service', (guild) =>
    measureExport(addressOf('haproxy-stopped-service'), guild, () => behindHaproxy.stopFor(2000)),
  ),
  disturbed('nginx-restarted', (guild) =>
    measureExport(restarted.url('nginx-closing'), guild, async () => {
      await restarted.stop()
      await sleep(2000)
      await restarted.start()
    }),
  ),
]

const widths = [24, 20, 6, 9, 8, 9]
const line = (...cells: readonly string[]): string =>
  cells.map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('')
const say = (text: string) => process.stdout.write(`${text}\n`)

const ledger = { users: 20, transactions: pages * 100 }
const check = async ({ name, what, mostRefused, run }: Row): Promise<void> => {
  const guild = mock.createGuild(ledger)
  const { sent, refused, errors, seconds, trace } = await run(guild)
  const isRight = errors.length === 0 && refused <= mostRefused
  const counts = [sent, refused, errors.length].map(String)
  say(line(name, what, ...counts, seconds.toFixed(1)) + (isRight ? '' : '  FAILED'))
  if (!isRight || only !== '') for (const second of trace) say(`    ${second}`)
  for (const error of errors.slice(0, 3)) say(`    ${String(error)}`)
  if (!isRight) {
    say(`    allowed: ${mostRefused} refused, 0 failed`)
    process.exitCode = 1
  }
}

/** Four at a time: with more of them, a machine with two processors is what limits. */
const checkInTurn = async (rows: readonly Row[]): Promise<void> => {
  const waiting = rows.filter(({ name }) => name.includes(only))
  const next = async (): Promise<void> => {
    for (let row = waiting.shift(); row; row = waiting.shift()) await check(row)
  }
  await Promise.all([next(), next(), next(), next()])
}

say(line('gateway', 'work', 'sent', 'refused', 'failed', 'seconds'))
// Once unmeasured, so that everything is compiled.
await measureCalls(service.url, mock.guild, 20)
await checkInTurn([reference, ...exports])
// Calls take little of the processor.
await Promise.all([...manyCalls.filter(({ name }) => name.includes(only)).map(check), checkInTurn(disturbedExports)])

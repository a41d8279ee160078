/**
 * Exports 60 pages of 100 from a service that rejects the eleventh request of any second. One paginator
 * after another, each in its own process and against a service of its own.
 *
 *     pnpm --dir bench pagination [round trips in ms] [part of a name]
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { paginators } from './pagination-contenders.ts'

const roundTrips = (process.argv[2] ?? '0,50,150,400').split(',').map(Number)
const names = Object.keys(paginators).filter((name) => name.includes(process.argv[3] ?? ''))

const start = (file: string, values: readonly string[] = []): ChildProcess =>
  fork(new URL(file, import.meta.url), values, { execArgv: ['--conditions=@guild-ledger/source'] })

interface Result {
  readonly wallMs: number
  readonly transactions: number
  readonly distinct: number
}

const run = async (name: string, roundTripMs: number) => {
  const service = start('pagination-service.ts')
  const [url] = (await once(service, 'message')) as [string]
  await fetch(`${url}?roundTripMs=${roundTripMs}`, { method: 'POST' })
  const client = start('pagination-client.ts', [name, url])
  await once(client, 'message')
  client.send('go')
  const [result] = (await once(client, 'message')) as [Result]
  const { rejected } = (await (await fetch(url, { method: 'DELETE' })).json()) as { rejected: number }
  service.disconnect()
  return { rejected, ...result }
}

console.log(`60 pages of 100, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}\n`)
console.log(
  '| round trip | paginator | s | times the lower bound | rejected | transactions | twice |\n| --- | --- | --- | --- | --- | --- | --- |',
)
for (const roundTripMs of roundTrips) {
  // Ten at once, ten a second later, and so on; and the last ones have to come back.
  const lowerBoundMs = 5000 + roundTripMs
  for (const name of names) {
    const { wallMs, rejected, transactions, distinct } = await run(name, roundTripMs)
    const cells = [
      `${roundTripMs} ms`,
      name,
      (wallMs / 1000).toFixed(2),
      (wallMs / lowerBoundMs).toFixed(2),
      rejected,
      transactions,
    ]
    console.log(`| ${[...cells, transactions - distinct].join(' | ')} |`)
  }
}

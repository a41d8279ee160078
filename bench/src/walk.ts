/**
 * Exports 60 pages of 100 from a service that refuses the eleventh request of any second. One walker
 * after another, each in its own process and against a service of its own.
 *
 *     pnpm --dir bench walk [round trips in ms] [part of a name]
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { walkers } from './walk-contenders.ts'

const roundTrips = (process.argv[2] ?? '0,50,150,400').split(',').map(Number)
const names = Object.keys(walkers).filter((name) => name.includes(process.argv[3] ?? ''))

const start = (file: string, values: readonly string[] = []): ChildProcess =>
  fork(new URL(file, import.meta.url), values, { execArgv: ['--conditions=@guild-ledger/source'] })

interface Result {
  readonly wallMs: number
  readonly rows: number
  readonly distinct: number
}

const run = async (name: string, roundTripMs: number) => {
  const service = start('walk-service.ts')
  const [url] = (await once(service, 'message')) as [string]
  await fetch(`${url}?roundTripMs=${roundTripMs}`, { method: 'POST' })
  const client = start('walk-client.ts', [name, url])
  await once(client, 'message')
  client.send('go')
  const [result] = (await once(client, 'message')) as [Result]
  const { refused } = (await (await fetch(url, { method: 'DELETE' })).json()) as { refused: number }
  service.disconnect()
  return { refused, ...result }
}

console.log(`60 pages of 100, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}\n`)
console.log(
  '| round trip | walker | s | x floor | refused | rows | twice |\n| --- | --- | --- | --- | --- | --- | --- |',
)
for (const roundTripMs of roundTrips) {
  // Ten at once, ten a second later, and so on; and the last ones have to come back.
  const floorMs = 5000 + roundTripMs
  for (const name of names) {
    const { wallMs, refused, rows, distinct } = await run(name, roundTripMs)
    const cells = [`${roundTripMs} ms`, name, (wallMs / 1000).toFixed(2), (wallMs / floorMs).toFixed(2), refused, rows]
    console.log(`| ${[...cells, rows - distinct].join(' | ')} |`)
  }
}

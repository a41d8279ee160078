/**
 * Throttles side by side over real HTTP: 300 requests each, in networks that bunch arrivals up. All contenders of a network
 * run at the same time, each in its own process. Prints a table, writes the plot of one network.
 *
 *     pnpm --dir bench throttle [requests] [plot.svg]
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { judgeArrivals } from '../../packages/test-kit/src/judge-arrivals.ts'
import { contenders } from './throttle-contenders.ts'
import { plot } from './throttle-plot.ts'
import { networks, type Network } from './throttle-networks.ts'

const count = Number(process.argv[2] ?? 300)
const picture = process.argv[3]
const plotted = {
  network: 'jitter 0..50',
  names: ['ours', 'p-throttle strict', 'p-queue', 'bottleneck reservoir'],
}

const start = (file: string, values: readonly string[] = []): ChildProcess =>
  fork(new URL(file, import.meta.url), values, { execArgv: ['--conditions=@guild-ledger/source'] })

const services = [start('throttle-service.ts'), start('throttle-service.ts')]
const [address, warmUpAddress] = await Promise.all(
  services.map(async (service) => String((await once(service, 'message'))[0])),
)
await fetch(`${warmUpAddress}/warm?jitterMs=0&coldMs=0`, { method: 'POST' })

/** Resolves when as many have come as there are contenders. */
const createBarrier = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let missing = Object.keys(contenders).length
  return async () => {
    if (--missing === 0) resolve()
    await promise
  }
}

const run = async (name: string, network: Network, id: number, everyoneIsReady: () => Promise<void>) => {
  const url = `${address}/${id}`
  await fetch(`${url}?jitterMs=${network.jitterMs}&coldMs=${network.coldMs}`, { method: 'POST' })
  const values = [name, url, count, network.stallMs, `${warmUpAddress}/warm`].map(String)
  const client = start('throttle-client.ts', values)
  await once(client, 'message')
  await everyoneIsReady()
  client.send('go')
  const [wallMs] = (await once(client, 'message')) as [number]
  const response = await fetch(url, { method: 'DELETE' })
  return { name, wallMs, arrivals: (await response.json()) as number[] }
}

/** What nobody can beat without going over: ten at once, ten a second later, and so on, and a mean round trip. */
const lowerBoundMs = ({ jitterMs }: Network) => (Math.ceil(count / 10) - 1) * 1000 + jitterMs

console.log(`${count} requests, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}\n`)
console.log(
  '| network | throttle | over | worst second | wall s | times the lower bound |\n| --- | --- | --- | --- | --- | --- |',
)
let id = 0
for (const network of networks) {
  const everyoneIsReady = createBarrier()
  const runs = await Promise.all(Object.keys(contenders).map((name) => run(name, network, id++, everyoneIsReady)))
  for (const { name, wallMs, arrivals } of runs) {
    const { over, most } = judgeArrivals(arrivals)
    const relative = (wallMs / lowerBoundMs(network)).toFixed(2)
    console.log(`| ${network.name} | ${name} | ${over} | ${most} | ${(wallMs / 1000).toFixed(2)} | ${relative} |`)
  }
  if (picture && network.name === plotted.network) {
    await writeFile(
      picture,
      plot(
        runs.filter(({ name }) => plotted.names.includes(name)),
        network.name,
      ),
    )
  }
}
for (const service of services) service.disconnect()

/**
 * Throttles side by side over real HTTP: 300 requests each, in worlds that bunch arrivals up. All contenders of a world
 * run at the same time, each in its own process. Prints a table, writes the plot of one world.
 *
 *     pnpm --dir bench throttle [requests] [plot.svg]
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { judge } from '../../packages/sdk/src/throttle/testing/simulation.ts'
import { contenders } from './throttle-contenders.ts'
import { plot } from './throttle-plot.ts'
import { worlds, type World } from './throttle-worlds.ts'

const count = Number(process.argv[2] ?? 300)
const picture = process.argv[3]
const plotted = {
  world: 'jitter 0..50',
  names: ['ours (default)', 'p-throttle strict', 'p-queue', 'bottleneck reservoir'],
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

const run = async (name: string, world: World, id: number, everyoneIsReady: () => Promise<void>) => {
  const url = `${address}/${id}`
  await fetch(`${url}?jitterMs=${world.jitterMs}&coldMs=${world.coldMs}`, { method: 'POST' })
  const values = [name, url, count, world.stallMs, `${warmUpAddress}/warm`].map(String)
  const client = start('throttle-client.ts', values)
  await once(client, 'message')
  await everyoneIsReady()
  client.send('go')
  const [wallMs] = (await once(client, 'message')) as [number]
  const reply = await fetch(url, { method: 'DELETE' })
  return { name, wallMs, arrivals: (await reply.json()) as number[] }
}

/** What nobody can beat without going over: ten at once, ten a second later, and so on, and a mean round trip. */
const floorMs = ({ jitterMs }: World) => (Math.ceil(count / 10) - 1) * 1000 + jitterMs

console.log(`${count} requests, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}\n`)
console.log('| world | throttle | over | worst second | wall s | x floor |\n| --- | --- | --- | --- | --- | --- |')
let id = 0
for (const world of worlds) {
  const everyoneIsReady = createBarrier()
  const runs = await Promise.all(Object.keys(contenders).map((name) => run(name, world, id++, everyoneIsReady)))
  for (const { name, wallMs, arrivals } of runs) {
    const { over, most } = judge(arrivals)
    const relative = (wallMs / floorMs(world)).toFixed(2)
    console.log(`| ${world.name} | ${name} | ${over} | ${most} | ${(wallMs / 1000).toFixed(2)} | ${relative} |`)
  }
  if (picture && world.name === plotted.world) {
    await writeFile(
      picture,
      plot(
        runs.filter(({ name }) => plotted.names.includes(name)),
        world.name,
      ),
    )
  }
}
for (const service of services) service.disconnect()

/** Runs the conformance checks of the SDK on every runtime, or on one: `pnpm --dir runtimes runtimes workerd`. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Miniflare } from 'miniflare'
import { bundle } from './bundle.ts'
import { onPage } from './chromium.ts'
import type { Addresses } from './conformance.ts'
import { startServers } from './servers.ts'

const run = promisify(execFile)
const here = import.meta.dirname
const command = await bundle('command')
const worker = await bundle('worker')
const page = await bundle('page', 'browser')

const onCommandLine =
  (file: string, ...args: string[]) =>
  async (addresses: Addresses): Promise<string[]> => {
    const { stdout } = await run(file, [...args, command, JSON.stringify(addresses)], { timeout: 120_000 })
    return JSON.parse(stdout) as string[]
  }

/**
 * Runs the checks in workerd, and those of a client in module scope, which several events share. The runtime ends the
 * timers and requests of an event with the event, so that no event may depend on those of another.
 */
const inWorkerd = async (addresses: Addresses): Promise<string[]> => {
  const miniflare = new Miniflare({
    modules: true,
    scriptPath: worker,
    compatibilityDate: '2026-07-01',
  })
  const send = async (path: string): Promise<unknown> => {
    const signal = AbortSignal.timeout(60_000)
    const init = { method: 'POST', body: JSON.stringify(addresses), signal }
    const response = await miniflare.dispatchFetch(`http://worker${path}`, init)
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }
  try {
    const passed = (await send('/')) as string[]

    const outcomes = await Promise.all(Array.from({ length: 25 }, () => send('/list')))
    if (outcomes.some((outcome) => outcome !== 'ok')) throw new Error(`events of one client: ${outcomes.join(', ')}`)

    await Promise.all(Array.from({ length: 10 }, () => send('/list'))) // takes all slots
    await send('/leave')
    const startedAt = performance.now()
    const outcome = await send('/list')
    const ms = performance.now() - startedAt
    if (outcome !== 'ok' || ms > 10_000) throw new Error(`after events that ended: ${outcome} after ${ms} ms`)

    const [error, givenUp] = (await send('/give-up')) as [string, number]
    if (!error.startsWith('TimeoutError') || givenUp !== 1) throw new Error(`${givenUp} requests given up, ${error}`)
    for (let left = 50; (await send('/given-up')) !== 0; left--) {
      if (left === 0) throw new Error('the response to a request that was given up has not been seen')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }

    return [
      ...passed,
      'queues calls of several events that share a client',
      'lets calls pass whose predecessors ended with their events',
      'sees the response to a request that was given up if waitUntil keeps the event alive',
    ]
  } finally {
    await miniflare.dispose()
  }
}

const inChromium = async (addresses: Addresses): Promise<string[]> =>
  onPage(`${addresses.mock}/page`, async (tab) =>
    tab.evaluate(
      (given) => (globalThis as unknown as { conformance: (given: unknown) => Promise<string[]> }).conformance(given),
      { ...addresses, isBrowser: true },
    ),
  )

const bin = (name: string) => join(here, 'node_modules', name)
const runtimes: [string, (addresses: Addresses) => Promise<string[]>][] = [
  ['Node 22', onCommandLine(bin('node-22/bin/node'))],
  ['Node 24', onCommandLine(bin('node-24/bin/node'))],
  ['Node 26', onCommandLine(bin('node-26/bin/node'))],
  ['Bun', onCommandLine(bin('.bin/bun'), 'run')],
  ['Deno', onCommandLine(bin('.bin/deno'), 'run', '--allow-net=127.0.0.1')],
  ['workerd', inWorkerd],
  ['Chromium', inChromium],
]

const only = process.argv[2]
const check = async ([name, conformance]: (typeof runtimes)[number]): Promise<void> => {
  const servers = await startServers(() => readFileSync(page, 'utf8'))
  try {
    const passed = await conformance(servers.addresses)
    if (servers.strayRequests.length > 0)
      throw new Error(`a redirect was followed: ${servers.strayRequests.join(', ')}`)
    process.stdout.write(`${name}: ${passed.length} checks passed: ${passed.join('; ')}\n`)
  } catch (error) {
    process.exitCode = 1
    process.stdout.write(`${name}: FAILED: ${error instanceof Error ? error.message : String(error)}\n`)
  } finally {
    servers.close()
  }
}
// At the same time: most checks wait for a time limit.
await Promise.all(runtimes.filter(([name]) => only === undefined || only === name).map(check))

/** Runs the conformance checks of the SDK on every runtime. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { onPage } from './chromium.ts'
import type { Addresses } from './conformance.ts'
import { startServers } from './servers.ts'

const run = promisify(execFile)
const here = import.meta.dirname
const out = resolve(here, 'out')
const bundle = async (entry: string, platform: 'neutral' | 'browser') => {
  const outfile = join(out, `${entry}.js`)
  await build({
    entryPoints: [join(here, `${entry}.ts`)],
    outfile,
    bundle: true,
    format: platform === 'browser' ? 'iife' : 'esm',
    platform,
    mainFields: ['module', 'main'],
    external: ['node:*'],
    target: 'es2023',
    logLevel: 'warning',
  })
  return outfile
}

const command = await bundle('command', 'neutral')
const worker = await bundle('worker', 'neutral')
const page = await bundle('page', 'browser')

const onCommandLine =
  (file: string, ...args: string[]) =>
  async (addresses: Addresses): Promise<string[]> => {
    const { stdout } = await run(file, [...args, command, JSON.stringify(addresses)], { timeout: 60_000 })
    return JSON.parse(stdout) as string[]
  }

const inWorkerd = async (addresses: Addresses): Promise<string[]> => {
  const miniflare = new Miniflare({ modules: true, scriptPath: worker, compatibilityDate: '2026-07-01' })
  const request = async (path: string): Promise<unknown> => {
    const signal = AbortSignal.timeout(30_000)
    const init = { method: 'POST', body: JSON.stringify(addresses), signal }
    const response = await miniflare.dispatchFetch(`http://worker${path}`, init)
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }
  try {
    const passed = (await request('/')) as string[]
    // The key is wrong. What counts is that every request gets a response, queued ones too.
    const statuses = await Promise.all(Array.from({ length: 25 }, () => request('/shared')))
    if (statuses.some((status) => status !== 401)) throw new Error(`requests of one client: ${statuses.join(', ')}`)
    return [...passed, 'queues requests that share a client']
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

for (const [name, conformance] of runtimes) {
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

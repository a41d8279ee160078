/** Tries every failure of the mock through the doors of other runtimes: what the table in its README says of them. */
import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { behindServiceWorker } from './chromium.ts'

/** For each door how many failures were tried, and which of them showed something else. */
type Found = Record<string, { count: number; wrong: string[] }>

const run = promisify(execFile)
const suite = resolve(import.meta.dirname, '../packages/mock-server/test/faults')
const bin = (name: string) => join(import.meta.dirname, 'node_modules', name)

const printed =
  (file: string, ...args: string[]) =>
  async (): Promise<Found> => {
    const command = [...args, '--conditions=@guild-ledger/source', join(suite, 'print-outcomes.ts')]
    const { stdout } = await run(file, command, { timeout: 60_000 })
    return JSON.parse(stdout) as Found
  }

const runtimes: [string, () => Promise<Found>][] = [
  ['Node 22', printed(bin('node-22/bin/node'), '--experimental-strip-types', '--no-warnings')],
  ['Node 24', printed(bin('node-24/bin/node'))],
  ['Node 26', printed(bin('node-26/bin/node'))],
  ['Bun', printed(bin('.bin/bun'))],
  ['Deno', printed(bin('.bin/deno'), 'run', '--no-check', '--allow-all')],
  ['Chromium', async () => behindServiceWorker<Found>(join(suite, 'worker-page.ts'), 'faults')],
]
for (const [name, find] of runtimes) {
  for (const [door, { count, wrong }] of Object.entries(await find())) {
    const held = `${count - wrong.length} of ${count} failures show as the README says`
    process.stdout.write(`${name}, ${door}: ${held}\n`)
    for (const line of wrong) process.stdout.write(`  FAILED ${line}\n`)
    if (wrong.length > 0) process.exitCode = 1
  }
}

/** Tries every fault of the mock server through the adapters of other runtimes, against the table in docs/faults.md. */
import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { behindServiceWorker } from './chromium.ts'

/** For each adapter, how many faults were tried and which of them had another effect. */
type Outcomes = Record<string, { count: number; wrong: string[] }>

const run = promisify(execFile)
const suite = resolve(import.meta.dirname, '../packages/mock-server/test/faults')
const bin = (name: string) => join(import.meta.dirname, 'node_modules', name)

const printed =
  (file: string, ...args: string[]) =>
  async (): Promise<Outcomes> => {
    const command = [...args, '--conditions=@guild-ledger/source', join(suite, 'print-outcomes.ts')]
    const { stdout } = await run(file, command, { timeout: 120_000 })
    return JSON.parse(stdout) as Outcomes
  }

const runtimes: [string, () => Promise<Outcomes>][] = [
  ['Node 22', printed(bin('node-22/bin/node'), '--experimental-strip-types', '--no-warnings')],
  ['Node 24', printed(bin('node-24/bin/node'))],
  ['Node 26', printed(bin('node-26/bin/node'))],
  ['Bun', printed(bin('.bin/bun'))],
  ['Deno', printed(bin('.bin/deno'), 'run', '--no-check', '--allow-all')],
  ['Chromium', async () => behindServiceWorker<Outcomes>(join(suite, 'worker-page.ts'), 'faults')],
]
for (const [name, tryFaults] of runtimes) {
  for (const [adapter, { count, wrong }] of Object.entries(await tryFaults())) {
    process.stdout.write(`${name}, ${adapter}: ${count - wrong.length} of ${count} faults as documented\n`)
    for (const line of wrong) process.stdout.write(`  FAILED ${line}\n`)
    if (wrong.length > 0) process.exitCode = 1
  }
}

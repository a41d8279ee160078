/** Sends the same 300 requests to the mock on every runtime, and in Chromium behind MSW's service worker: same bytes. */
import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { behindServiceWorker } from './chromium.ts'

const run = promisify(execFile)
const here = import.meta.dirname
const suite = resolve(here, '../packages/mock-server/test/golden')
const source = '--conditions=@guild-ledger/source'
const bin = (name: string) => join(here, 'node_modules', name)

const printed = async (file: string, ...args: string[]): Promise<string> => {
  const options = { timeout: 120_000, maxBuffer: 2 ** 26 }
  const { stdout } = await run(file, [...args, source, join(suite, 'print-responses.ts')], options)
  return stdout
}

const expected = await printed(bin('node-24/bin/node'))
const lines = expected.split('\n')
const runtimes: [string, () => Promise<string>][] = [
  ['Node 22', () => printed(bin('node-22/bin/node'), '--experimental-strip-types', '--no-warnings')],
  ['Node 26', () => printed(bin('node-26/bin/node'))],
  ['Bun', () => printed(bin('.bin/bun'))],
  ['Deno', () => printed(bin('.bin/deno'), 'run', '--no-check', '--allow-all')],
  ['Chromium, service worker', async () => behindServiceWorker<string>(join(suite, 'worker-page.ts'), 'golden')],
]
for (const [name, print] of runtimes) {
  const got = (await print()).split('\n')
  const difference = lines.findIndex((line, i) => line !== got[i])
  if (difference >= 0 || got.length !== lines.length) process.exitCode = 1
  const outcome =
    difference < 0 ? `${got.length - 1} responses equal to those of Node 24` : `FAILED at request ${difference + 1}`
  process.stdout.write(`${name}: ${outcome}\n`)
  if (difference >= 0) process.stdout.write(`  expected ${lines[difference]}\n  got      ${got[difference]}\n`)
}

/** Asks the mock the same 300 requests on every runtime, and in Chromium behind MSW's service worker: same bytes. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'

const run = promisify(execFile)
const here = import.meta.dirname
const suite = resolve(here, '../packages/mock-server/test/golden')
const source = '--conditions=@guild-ledger/source'
const bin = (name: string) => join(here, 'node_modules', name)

const printed = async (file: string, ...args: string[]): Promise<string> => {
  const options = { timeout: 60_000, maxBuffer: 2 ** 26 }
  const { stdout } = await run(file, [...args, source, join(suite, 'print-replies.ts')], options)
  return stdout
}

const chromiumPath = (): string => {
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  const places = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  const found = [process.env.CHROMIUM_PATH, ...places].find((path) => path && existsSync(path))
  if (found) return found
  throw new Error('Chromium is missing: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH')
}

const behindServiceWorker = async (): Promise<string> => {
  const page = join(here, 'out/golden-page.js')
  await build({
    entryPoints: [join(suite, 'worker-page.ts')],
    outfile: page,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2023',
    logLevel: 'error',
  })
  const msw = dirname(createRequire(join(suite, 'worker-page.ts')).resolve('msw/package.json'))
  const files: Record<string, [type: string, read: () => string]> = {
    '/': ['text/html', () => '<script src="/page.js"></script>'],
    '/page.js': ['text/javascript', () => readFileSync(page, 'utf8')],
    '/mockServiceWorker.js': ['text/javascript', () => readFileSync(join(msw, 'lib/mockServiceWorker.js'), 'utf8')],
  }
  const server = createServer((asked, out) => {
    const [type, read] = files[asked.url ?? ''] ?? ['text/plain', () => '']
    out.writeHead(200, { 'content-type': type }).end(read())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const flags = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [...flags, '--disable-component-update', '--disable-sync', '--disable-quic'],
  })
  try {
    const tab = await browser.newPage()
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    return await tab.evaluate(() => (globalThis as unknown as { golden: () => Promise<string> }).golden())
  } finally {
    await browser.close()
    server.close()
  }
}

const expected = await printed(bin('node-24/bin/node'))
const lines = expected.split('\n')
const runtimes: [string, () => Promise<string>][] = [
  ['Node 22', () => printed(bin('node-22/bin/node'), '--experimental-strip-types', '--no-warnings')],
  ['Node 26', () => printed(bin('node-26/bin/node'))],
  ['Bun', () => printed(bin('.bin/bun'))],
  ['Deno', () => printed(bin('.bin/deno'), 'run', '--no-check', '--allow-all')],
  ['Chromium, service worker', behindServiceWorker],
]
for (const [name, replies] of runtimes) {
  const got = (await replies()).split('\n')
  const different = lines.findIndex((line, i) => line !== got[i])
  if (different >= 0 || got.length !== lines.length) process.exitCode = 1
  const outcome =
    different < 0 ? `answers ${got.length - 1} requests as Node 24 does` : `FAILED at request ${different + 1}`
  process.stdout.write(`${name}: ${outcome}\n`)
  if (different >= 0) process.stdout.write(`  expected ${lines[different]}\n  got      ${got[different]}\n`)
}

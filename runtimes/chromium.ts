/** Chromium, and pages in it behind MSW's service worker. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'
import { chromium, type Browser, type Page } from 'playwright-core'
import { chromiumFlags, findChromium } from '../scripts/chromium.ts'

/** Starts a browser that makes no requests of its own. */
export const startChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium(), args: chromiumFlags })

/** Opens a page, runs `use` on it, and closes the browser. */
export const onPage = async <Result>(url: string, use: (tab: Page) => Promise<Result>): Promise<Result> => {
  const browser = await startChromium()
  try {
    const tab = await browser.newPage()
    await tab.goto(url)
    return await use(tab)
  } finally {
    await browser.close()
  }
}

/** Bundles a file into a page, serves it with MSW's worker, and calls a global function that the file defines. */
export const behindServiceWorker = async <Result>(entry: string, functionName: string): Promise<Result> => {
  const page = join(import.meta.dirname, 'out', `${functionName}-${basename(entry, '.ts')}.js`)
  await build({
    entryPoints: [entry],
    outfile: page,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2023',
    logLevel: 'error',
  })
  const msw = dirname(createRequire(entry).resolve('msw/package.json'))
  const files: Record<string, [type: string, read: () => string]> = {
    '/': ['text/html', () => '<script src="/page.js"></script>'],
    '/page.js': ['text/javascript', () => readFileSync(page, 'utf8')],
    '/mockServiceWorker.js': ['text/javascript', () => readFileSync(join(msw, 'lib/mockServiceWorker.js'), 'utf8')],
  }
  const server = createServer((request, response) => {
    const [type, read] = files[request.url ?? ''] ?? ['text/plain', () => '']
    response.writeHead(200, { 'content-type': type }).end(read())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await onPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, async (tab) =>
      tab.evaluate(
        (name) => (globalThis as unknown as Record<string, () => Promise<never>>)[name]?.() as Promise<Result>,
        functionName,
      ),
    )
  } finally {
    server.close()
  }
}

/** Chromium, and pages in it that stand behind MSW's service worker. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'
import { chromium, type Browser, type Page } from 'playwright-core'
import { chromiumFlags, findChromium } from '../scripts/chromium.ts'

/** Starts a browser that talks to nobody on its own. */
export const startChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium(), args: chromiumFlags })

/** Opens a page, and closes the browser once the work on it is done. */
export const onPage = async <Result>(url: string, work: (tab: Page) => Promise<Result>): Promise<Result> => {
  const browser = await startChromium()
  try {
    const tab = await browser.newPage()
    await tab.goto(url)
    return await work(tab)
  } finally {
    await browser.close()
  }
}

/** Serves a page made from a file, with MSW's worker beside it, and calls a function that the file offers to the page. */
export const behindServiceWorker = async <Result>(entry: string, offered: string): Promise<Result> => {
  const page = join(import.meta.dirname, 'out', `${offered}-${basename(entry, '.ts')}.js`)
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
  const server = createServer((asked, out) => {
    const [type, read] = files[asked.url ?? ''] ?? ['text/plain', () => '']
    out.writeHead(200, { 'content-type': type }).end(read())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  try {
    return await onPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, async (tab) =>
      tab.evaluate(
        (name) => (globalThis as unknown as Record<string, () => Promise<never>>)[name]?.() as Promise<Result>,
        offered,
      ),
    )
  } finally {
    server.close()
  }
}

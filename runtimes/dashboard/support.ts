import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createMockLedger, type MockLedgerOptions } from '@guild-ledger/mock-server'
import { createAdmin, createMockClock, type AdminOptions } from '@guild-ledger/mock-server/admin'
import { startMockServer } from '@guild-ledger/mock-server/node'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const run = promisify(execFile)
const out = join(import.meta.dirname, '../out')
const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

export const expectSame = (what: string, actual: unknown, expected: unknown): void => {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return
  throw new Error(`${what}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`)
}
export const expectIncludes = (what: string, text: string, part: string): void => {
  if (!text.includes(part)) throw new Error(`${what}: ${JSON.stringify(text)} does not include ${JSON.stringify(part)}`)
}

/** Starts the built mock server. `get` sends a request and returns the status. */
export const serve = async (options: MockLedgerOptions = {}, access: AdminOptions = {}) => {
  const clock = createMockClock()
  const mock = createMockLedger({ seed: 1, users: 50, transactions: 1000, now: clock.now, ...options })
  const server = await startMockServer({ mock, routes: createAdmin(mock, { clock, ...access }) })
  const get = async (path: string, apiKey = mock.apiKey) =>
    (await fetch(server.url + path, { headers: { 'x-api-key': apiKey } })).status
  return { mock, server, clock, get, [Symbol.asyncDispose]: () => server.close() }
}

/** Opens the dashboard. `problems` collects errors of the browser and requests to other origins. */
export const open = async (browser: Browser, url: string, options: BrowserContextOptions & { hash?: string } = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  context.setDefaultTimeout(30_000)
  const tab = await context.newPage()
  const problems: string[] = []
  tab.on('console', (line) => void (line.type() === 'error' && problems.push(line.text())))
  tab.on('pageerror', ({ message }) => problems.push(message))
  tab.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:')) problems.push(request.url())
  })
  await tab.goto(`${url}/_mock/${options.hash ?? ''}`)
  return { tab, problems, [Symbol.asyncDispose]: () => context.close() }
}

export const say = (line: string): void => void process.stdout.write(`dashboard: ${line}\n`)

export const list = '/guild/ledger/transactions'

/** Selects the tab of a language and returns its snippet. */
export const snippet = async (tab: Page, language: 'curl' | 'Python' | 'TypeScript'): Promise<string> => {
  await tab.getByRole('tab', { name: language }).click()
  return tab.locator(`#panel-${language.toLowerCase()}`).innerText()
}

/** Creates a key with the form and returns its value. */
export const createKey = async (tab: Page, name: string): Promise<string> => {
  await tab.getByLabel('Name', { exact: true }).fill(name)
  await tab.getByRole('button', { name: 'Create key' }).click()
  await tab.locator('#created').waitFor()
  return tab.locator('#created-value').innerText()
}

/** The id of the focused element. */
export const focused = (tab: Page) => tab.evaluate(() => document.activeElement?.id)

export const checkAccessibility = async (tab: Page, where: string): Promise<void> => {
  await tab.evaluate(axe)
  const found = await tab.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  })
  expectSame(`axe-core violations, ${where}`, found, [])
}

/** Counts the colours of a picture. */
const coloursIn = async (browser: Browser, picture: Buffer): Promise<number> => {
  const tab = await browser.newPage()
  const colours = await tab.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
      canvas?.drawImage(image, 0, 0)
      return new Set(new Uint32Array(canvas?.getImageData(0, 0, image.width, image.height).data.buffer ?? [])).size
    },
    `data:image/png;base64,${picture.toString('base64')}`,
  )
  await tab.close()
  return colours
}

/** Takes a screenshot for people to look at, and checks that it is not blank. */
export const photograph = async (browser: Browser, tab: Page, name: string): Promise<void> => {
  const picture = await tab.screenshot({ path: join(out, `dashboard-${name}.png`), animations: 'disabled' })
  const colours = await coloursIn(browser, picture)
  if (colours < 50) throw new Error(`the screenshot ${name} is almost blank: ${colours} colours`)
}

const lines = (text: string) => text.trim().split('\n').length

/** Runs a snippet and returns how many transactions it printed. */
export const runSnippet = {
  curl: async (text: string): Promise<string> => {
    const { stdout } = await run('sh', ['-c', `${text} --silent --show-error --noproxy '*'`])
    return `${(JSON.parse(stdout) as { pagination: { limit: number } }).pagination.limit} transactions`
  },
  python: async (text: string): Promise<string> => {
    const { stdout } = await run('python3', ['-c', text], { env: { ...process.env, no_proxy: '*' } })
    return `${lines(stdout)} transactions`
  },
  typescript: async (text: string): Promise<string> => {
    // Its imports are found from this folder. Checks run at the same time, so each has a file of its own.
    const file = join(out, `dashboard-snippet-${randomUUID()}.ts`)
    await writeFile(file, text)
    try {
      const { stdout } = await run(process.execPath, [file])
      return `${lines(stdout)} transactions`
    } finally {
      await rm(file)
    }
  },
} as const

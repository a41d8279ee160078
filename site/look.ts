/** Opens each page of the built site in Chromium, as on a desk and as on a phone, in light and in dark, and says what is wrong. */
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import type { AxeResults, RunOptions } from 'axe-core'
import { chromium, type Browser, type Page } from 'playwright-core'
import { chromiumFlags, findChromium } from '../scripts/chromium.ts'
import { built, serve } from './serve.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const desk = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

/** What axe complains about and why it stays. */
const explained: Readonly<Record<string, string>> = {
  'label-content-name-mismatch': 'The search button of VitePress: the K beside the word is the key, not the name.',
}

/** What axe finds, as `rule: element`. */
const violations = async (tab: Page, options: RunOptions = {}): Promise<string[]> => {
  const found = await tab.evaluate(
    async (given) => {
      const { axe } = globalThis as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }
      const { violations } = await axe.run(given)
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ id, html })))
    },
    { ...options, resultTypes: ['violations' as const] },
  )
  return found.filter(({ id }) => !(id in explained)).map(({ id, html }) => `${id}: ${html.slice(0, 160)}`)
}

const tooWide = async (tab: Page): Promise<string[]> => {
  const by = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  return by > 0 ? [`${by} pixels wider than a window of ${tab.viewportSize()?.width}`] : []
}

const colours = 'color-contrast'

/** Loads a page in a window of a size and looks at what there is, its colours last. */
const wrongWith = async (tab: Page, address: string, size: typeof desk, lookAtColours: boolean): Promise<string[]> => {
  await tab.setViewportSize(size)
  await tab.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await tab.goto(address, { waitUntil: 'load' })
  await tab.locator('h1').first().waitFor({ timeout: 20_000 })
  // Before the scripts are through, the switch between light and dark has no name.
  await tab.locator('.VPSwitchAppearance:not([title=""])').first().waitFor({ state: 'attached', timeout: 20_000 })
  const headings = await tab.locator('h1').count()
  await tab.evaluate(axe)
  const inLight = await violations(tab, { rules: { [colours]: { enabled: lookAtColours } } })
  await tab.emulateMedia({ colorScheme: 'dark' })
  await tab.locator('html.dark').waitFor({ state: 'attached', timeout: 20_000 })
  const inDark = lookAtColours ? await violations(tab, { runOnly: [colours] }) : []
  return [
    ...(headings === 1 ? [] : [`${headings} headings of the first level`]),
    ...(await tooWide(tab)),
    ...inLight,
    ...inDark.map((what) => `in dark: ${what}`),
  ]
}

/** A tab that tells of what it logs, and asks for elsewhere. */
const openTab = async (browser: Browser, origin: string, tell: (what: string) => void) => {
  const context = await browser.newContext({ viewport: desk })
  const tab = await context.newPage()
  tab.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(`${origin}/`)) tell(`asked for ${request.url()}`)
  })
  tab.on('pageerror', (error) => tell(error.message))
  tab.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) tell(message.text())
  })
  return tab
}

const searchFinds = async (tab: Page, address: string, words: string): Promise<string[]> => {
  await tab.setViewportSize(desk)
  await tab.goto(address)
  await tab.locator('.VPNavBarSearch button').click()
  await tab.locator('#localsearch-input').fill(words)
  const first = tab.locator('.VPLocalSearchBox .result').first()
  const shown = await first.waitFor({ timeout: 30_000 }).then(
    () => true,
    () => false,
  )
  if (!shown) return [`the search finds nothing for "${words}"`]
  await first.click()
  await tab.waitForURL((url) => url.pathname !== '/', { timeout: 20_000 })
  return []
}

const site = await serve()
// No other host can be found. Requests are not held up one by one, which would keep the cache out of it.
const alone = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'
const browser = await chromium.launch({ executablePath: findChromium(), args: [...chromiumFlags, alone] })
const wrong: string[] = []
try {
  const files = globSync('**/*.html', { cwd: built }).filter((file) => file !== '404.html')
  // One page of each kind is loaded on a phone as well; the others are made as narrow as one once they are there.
  const kinds = [
    'index.html',
    'errors.html',
    'decisions/walking-a-moving-ledger.html',
    'examples/errors.ts.html',
    'reference/sdk/redis.html',
  ]
  // All examples look the same, and all decisions: the colours of one of each will do.
  const alike = /^(examples|decisions)\//
  const left = files.toSorted()
  const lookAtWhatIsLeft = async () => {
    let at = ''
    const tab = await openTab(browser, site.url, (what) => wrong.push(`${at}: ${what}`))
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      at = file
      const address = `${site.url}/${file}`
      const found = await wrongWith(tab, address, desk, kinds.includes(file) || !alike.test(file))
      await tab.setViewportSize(phone)
      found.push(...(await tooWide(tab)))
      if (kinds.includes(file)) found.push(...(await wrongWith(tab, address, phone, true)))
      wrong.push(...found.map((what) => `${file}: ${what}`))
    }
    return tab
  }
  const [tab] = await Promise.all(Array.from({ length: availableParallelism() }, lookAtWhatIsLeft))
  if (tab) wrong.push(...(await searchFinds(tab, `${site.url}/`, 'checkpoint')))
  const missing = kinds.filter((file) => !files.includes(file))
  wrong.push(...missing.map((file) => `${file}: there is no such page to load on a phone`))
  for (const line of wrong) process.stdout.write(`${line}\n`)
  process.stdout.write(`${files.length} pages, on a desk and on a phone, in light and dark: ${wrong.length} faults\n`)
} finally {
  await browser.close()
  site.close()
}
process.exitCode = wrong.length > 0 ? 1 : 0

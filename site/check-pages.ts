/**
 * Opens a page of each kind of the built site in Chromium, at desktop and phone width, and prints problems; axe looks at the
 * first page. With `CASES`, as before a release, it does both with every page.
 */
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Page } from 'playwright-core'
import { axe, contrast, desktop, launchChromium, openTab, phone, violations, widthProblems } from './browser.ts'
import { serve, siteFolder } from './serve.ts'

/** What axe finds in a page; contrast is checked in light and in dark mode. */
const axeProblems = async (tab: Page): Promise<string[]> => {
  await tab.evaluate(axe)
  const inLight = await violations(tab)
  await tab.emulateMedia({ colorScheme: 'dark' })
  await tab.locator('html.dark').waitFor({ state: 'attached', timeout: 120_000 })
  const inDark = await violations(tab, { runOnly: [contrast] })
  return [...inLight, ...inDark.map((violation) => `in dark mode: ${violation}`)]
}

/** Loads a page in a window of a size and returns its problems. */
const pageProblems = async (tab: Page, address: string, size: typeof desktop): Promise<string[]> => {
  await tab.setViewportSize(size)
  await tab.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await tab.goto(address, { waitUntil: 'load' })
  await tab.locator('h1').first().waitFor({ timeout: 120_000 })
  // Until the scripts have run, the switch between light and dark mode has no name.
  await tab.locator('.VPSwitchAppearance:not([title=""])').first().waitFor({ state: 'attached', timeout: 120_000 })
  const headings = await tab.locator('h1').count()
  const hidden = await tab.evaluate(
    () => [...document.querySelectorAll('.vp-doc p')].filter((p) => getComputedStyle(p).fontSize === '0px').length,
  )
  return [
    ...(hidden === 0 ? [] : [`${hidden} paragraphs with font size 0`]),
    ...(headings === 1 ? [] : [`${headings} first-level headings`]),
    ...(await widthProblems(tab)),
  ]
}

const searchProblems = async (tab: Page, address: string, term: string): Promise<string[]> => {
  await tab.setViewportSize(desktop)
  await tab.goto(address)
  await tab.locator('.VPNavBarSearch button').click()
  await tab.locator('#localsearch-input').fill(term)
  const first = tab.locator('.VPLocalSearchBox .result').first()
  const found = await first.waitFor({ timeout: 120_000 }).then(
    () => true,
    () => false,
  )
  if (!found) return [`the search finds nothing for "${term}"`]
  await first.click()
  await tab.waitForURL((url) => url.pathname !== '/', { timeout: 120_000 })
  return []
}

/** Pages without a Markdown file, and links of `llms.txt` that lead nowhere. */
const markdownProblems = async (origin: string, pages: readonly string[]): Promise<string[]> => {
  const list = await (await fetch(`${origin}/llms.txt`)).text()
  const listed = Array.from(list.matchAll(/\]\((\/[^)]+)\)/g), ([, path = '']) => path)
  const paths = [...listed, ...pages.map((page) => `/${page.replace(/html$/, 'md')}`)]
  const statuses = await Promise.all(paths.map(async (path) => (await fetch(origin + path)).status))
  return [
    ...(listed.length > 20 ? [] : [`llms.txt lists ${listed.length} pages`]),
    ...(list.match(/^.*\): (?:#|```)/gm) ?? []).map((line) => `llms.txt: no introduction: ${line}`),
    ...paths.filter((_, i) => statuses[i] !== 200).map((path) => `${path}: missing`),
  ]
}

const site = await serve()
const browser = await launchChromium()
const problems: string[] = []
try {
  const files = globSync('**/*.html', { cwd: siteFolder }).filter((file) => file !== '404.html')
  // These are loaded at phone width, too; the others are only resized.
  const samples = [
    'index.html',
    'errors.html',
    'decisions/pagination-on-a-changing-ledger.html',
    'examples/errors.ts.html',
    'packages/sdk.html',
    'reference/sdk/redis.html',
  ]
  const opened = files.filter((file) => process.env.CASES || samples.includes(file))
  const queue = opened.toSorted()
  const checkQueue = async () => {
    let current = ''
    const tab = await openTab(browser, site.url, (problem) => problems.push(`${current}: ${problem}`))
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      current = file
      const address = `${site.url}/${file}`
      const found = await pageProblems(tab, address, desktop)
      const isForAxe = process.env.CASES !== undefined || file === 'index.html'
      if (isForAxe) found.push(...(await axeProblems(tab)))
      await tab.setViewportSize(phone)
      found.push(...(await widthProblems(tab)))
      if (samples.includes(file)) found.push(...(await pageProblems(tab, address, phone)))
      if (samples.includes(file) && isForAxe) found.push(...(await axeProblems(tab)))
      problems.push(...found.map((problem) => `${file}: ${problem}`))
    }
    return tab
  }
  const [tab] = await Promise.all(Array.from({ length: availableParallelism() }, checkQueue))
  if (tab) problems.push(...(await searchProblems(tab, `${site.url}/`, 'checkpoint')))
  problems.push(...(await markdownProblems(site.url, files)))
  const missing = samples.filter((file) => !files.includes(file))
  problems.push(...missing.map((file) => `${file}: the sample page is missing`))
  for (const line of problems) process.stdout.write(`${line}\n`)
  process.stdout.write(
    `${opened.length} of ${files.length} pages at desktop and phone width: ${problems.length} problems\n`,
  )
} finally {
  await browser.close()
  site.close()
}
process.exitCode = problems.length > 0 ? 1 : 0

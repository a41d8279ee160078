/** Chromium for the checks of the site: how it starts, what a tab reports, and accessibility. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import { chromium, type Browser, type Page } from 'playwright-core'
import { chromiumFlags, findChromium } from '../scripts/chromium.ts'

/** The script of axe, for `evaluate`. */
export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
export const desktop = { width: 1280, height: 800 }
export const phone = { width: 390, height: 844 }

/** Rules of axe that are ignored, with the reason. */
const ignoredRules: Readonly<Record<string, string>> = {
  'label-content-name-mismatch':
    'The search button of VitePress: the K next to its text is the keyboard shortcut, not a part of the name.',
}

/** Violations that axe finds, as `rule: element`. */
export const violations = async (tab: Page, options: RunOptions = {}): Promise<string[]> => {
  const found = await tab.evaluate(
    async (given) => {
      const { axe } = globalThis as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }
      const { violations } = await axe.run(given)
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ id, html })))
    },
    { ...options, resultTypes: ['violations' as const] },
  )
  return found.filter(({ id }) => !(id in ignoredRules)).map(({ id, html }) => `${id}: ${html.slice(0, 160)}`)
}

/** Whether the page is wider than the window. */
export const widthProblems = async (tab: Page): Promise<string[]> => {
  const excess = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  return excess > 0 ? [`${excess} pixels wider than the window of ${tab.viewportSize()?.width}`] : []
}

/** The rule of axe that depends on light and dark mode. */
export const contrast = 'color-contrast'

// No other host resolves. Intercepting requests instead would disable the cache.
const noOtherHosts = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium(), args: [...chromiumFlags, noOtherHosts] })

/** Opens a tab that reports console errors, console warnings and requests to other origins. */
export const openTab = async (browser: Browser, origin: string, report: (problem: string) => void) => {
  const context = await browser.newContext({ viewport: desktop })
  const tab = await context.newPage()
  tab.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(`${origin}/`)) report(`requested ${request.url()}`)
  })
  tab.on('pageerror', (error) => report(error.message))
  tab.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) report(message.text())
  })
  return tab
}

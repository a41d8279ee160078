/** Runs snippets in the built site, as readers do. With `CASES`, as before a release, all of three guides, and all mistakes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Locator, Page } from 'playwright-core'
import { runsInPage, snippetsIn } from '../scripts/snippets.ts'
import { axe, contrast, desktop, launchChromium, openTab, phone, violations, widthProblems } from './browser.ts'
import { serve, siteFolder } from './serve.ts'

const site = await serve()
const browser: Browser = await launchChromium()
const problems: string[] = []
const expectThat = (isSo: boolean, problem: string) => void (isSo || problems.push(problem))

const open = async (page: string): Promise<Page> => {
  const tab = await openTab(browser, site.url, (problem) => problems.push(`${page}: ${problem}`))
  await tab.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await tab.goto(`${site.url}/${page}.html`, { waitUntil: 'networkidle' })
  return tab
}

/** Runs a snippet, and returns what the page shows. */
const run = async (playground: Locator, { code, scenario = 'none' }: { code?: string; scenario?: string } = {}) => {
  await playground.locator('.result').evaluate((result) => result.replaceChildren()) // of an earlier run
  await playground.locator('select').selectOption(scenario)
  if (code !== undefined) await playground.locator('pre code').first().fill(code)
  await playground.locator('.run').click()
  const status = playground.locator('.status:is(.finished, .failed, .stopped)')
  await status.waitFor({ timeout: 120_000 })
  const difference = playground.locator('.difference')
  if (scenario !== 'none') await difference.waitFor({ timeout: 120_000 })
  const requests = await playground.locator('tbody tr').allTextContents()
  const output = (await playground.locator('.output').textContent()) ?? ''
  const texts = { status: (await status.textContent()) ?? '', difference: (await difference.textContent()) ?? '' }
  return { ...texts, output, requests, kind: await status.getAttribute('class') }
}

/** Runs every snippet of a guide. The number of those with a button is typed in. */
const runGuide = async (guide: string, count: number): Promise<Page> => {
  const tab = await open(guide)
  const playgrounds = await tab.locator('.playground').all()
  const runnable = snippetsIn(readFileSync(join(import.meta.dirname, `../docs/${guide}.md`), 'utf8')).filter(runsInPage)
  expectThat(playgrounds.length === count, `${guide}: ${playgrounds.length} snippets have a button, not ${count}`)
  for (const [i, playground] of playgrounds.entries()) {
    const { status, output, requests, kind } = await run(playground)
    const title = `${guide}, button ${i + 1}`
    expectThat(kind === 'status finished', `${title}: ${status}`)
    expectThat(requests.length > 0, `${title}: no requests`)
    const prints = !/verify\(\)/.test(runnable[i] ?? '')
    expectThat(output !== '' || !prints, `${title}: no output`)
  }
  return tab
}

const sizeOf = (urls: readonly string[]): number =>
  urls
    .map((url) => decodeURIComponent(new URL(url).pathname))
    .filter((path) => /\.(js|css)$/.test(path))
    .reduce((sum, path) => sum + gzipSync(readFileSync(join(siteFolder, path))).length, 0)
const inKilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} KB`

/** What a page loads before and after the first click, compressed; then whether it works without a network. */
const checkLoading = async () => {
  const tab = await open('getting-started')
  const urls: string[] = []
  tab.context().on('request', (request) => urls.push(request.url()))
  await tab.reload({ waitUntil: 'networkidle' })
  const before = urls.splice(0)
  const playground = tab.locator('.playground').first()
  await run(playground)
  const after = urls.splice(0).filter((url) => !url.startsWith('blob:'))
  await tab.context().setOffline(true)
  expectThat((await run(playground)).kind === 'status finished', 'the playground needs a network after it is loaded')
  return `${inKilobytes(sizeOf(before))} before the first click, ${inKilobytes(sizeOf(after))} more after it (gzip)`
}

/** Readers change the code before it has run, and get the original back. */
const checkReset = async () => {
  const playground = (await open('getting-started')).locator('.playground').first()
  const code = playground.locator('pre code')
  const reset = playground.locator('.reset')
  const original = await code.innerHTML()
  expectThat(await reset.isHidden(), 'Reset is shown before a change')
  const { output } = await run(playground, { code: "import '@guild-ledger/sdk'\nconsole.log('changed')" })
  expectThat(output === 'changed\n', `changed code printed ${output}`)
  await playground.locator('select').selectOption('limited')
  expectThat((await playground.locator('.result').textContent()) === '', 'the result of another behaviour is shown')
  await reset.click()
  expectThat((await code.innerHTML()) === original, 'Reset did not restore the code')
  expectThat(await reset.isHidden(), 'Reset is shown after a reset')
}

/** Readers choose how the service behaves. */
const checkScenarios = async () => {
  const tab = await open('pagination-and-watching')
  const [drift, percent] = [tab.locator('.playground').first(), tab.locator('.playground').nth(1)]
  const outputOf = async (playground: Locator, scenario: string) => (await run(playground, { scenario })).output
  expectThat((await outputOf(percent, 'users')) === '100 %\n', 'pages that count users: not all on one page')
  expectThat((await outputOf(percent, 'clamped')).split('\n').length === 51, 'a limit of 20: not 50 pages')
  expectThat((await outputOf(drift, 'shrinking')).includes('removed at page'), 'a shrinking ledger: no drift')
  const { requests, output, difference } = await run(drift, { scenario: 'limited' })
  expectThat(/429/.test(requests[0] ?? '') && /200/.test(requests[1] ?? ''), `429: ${requests.join(' | ')}`)
  expectThat(/\d+ complete/.test(output), `429: ${output}`)
  const told =
    /^Same result as by default; requests: 4 instead of 3; error responses: 429 instead of none; longest wait/
  expectThat(told.test(difference), `429: ${difference}`)
  const start = await open('getting-started')
  const one = await run(start.locator('.playground').first(), { scenario: 'clamped' })
  expectThat(/^No difference: /.test(one.difference), `a limit of 20 for 5 results: ${one.difference}`)
  const sum = await run(start.locator('.playground', { hasText: 'sumOf(totals)' }).first())
  expectThat(sum.output === '474679.70 in 1000 transactions\n', `other numbers than in the README: ${sum.output}`)
  const days = start.locator('.playground', { hasText: 'calendarDays' })
  const hours = await outputOf(days, 'daylight')
  expectThat(/2026-03-29: 23 hours/.test(hours), `daylight saving: ${hours}`)
}

const client = "import { GuildLedger } from '@guild-ledger/sdk'\nconst ledger = new GuildLedger()\n"
/** Snippets that readers may write, and what they are told. Each eighth one is tried; with `CASES`, all. */
const mistakes: readonly (readonly [code: string, told: RegExp])[] = [
  [
    `${client}void (async () => { for await (const _ of ledger.transactions.watch()); })()`,
    /^Stopped after 15 .* watch/,
  ],
  [`${client}for await (const _ of ledger.transactions.watch());`, /^Stopped after 15 seconds\. .* watch/],
  [`${client}while (true) {}`, /^Stopped after 4 seconds .* endless loop\?$/],
  [`${client}for (;;) await null`, /^Stopped after 4 seconds/],
  [`${client}for (;;) console.log('again')`, /^Stopped after 4 seconds/],
  [`${client}\nconst total = ;`, /^SyntaxError: Unexpected token \(line 4\)$/],
  [`${client}let a = 1\nlet a = 2`, /^SyntaxError: .*'a' has already been declared \(line 4\)$/],
  ["await fetch('https://example.com')", /^TypeError: The playground has no network\./],
  ["const count: number = 'one'", /^Finished/],
  [`${client}\nnull.total`, /^TypeError: .* \(line 4\)$/],
  [`${client}void Promise.reject(new Error('no'))`, /^Error: no \(line 3\)$/],
  ["import { createClient } from 'redis'", /^Error: This page runs in your browser, which has no redis\./],
  ["import { GuildLeger } from '@guild-ledger/sdk'\nnew GuildLeger()", /Did you mean `GuildLedger`\? \(line 2\)$/],
  ['await new Promise(() => {})', /^Stopped after 15 seconds\. .* a promise that never settles\.$/],
  ['throw { count: 1n, map: new Map([[1, 2]]) }', /^Thrown: \{"count":"1n","map":\{"Map":\[\[1,2\]\]\}\}$/],
  ['const circle: object[] = []\ncircle.push(circle)\nthrow circle', /^Thrown: \["\[Circular\]"\]$/],
  ['export const answer = 42', /^Finished/],
]
const checkMistakes = async () => {
  const queue = mistakes.filter((_, i) => process.env.CASES || i % 8 === 5)
  const checkQueue = async () => {
    const playground = (await open('getting-started')).locator('.playground').first()
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [code, told] = next
      const { status } = await run(playground, { code })
      expectThat(told.test(status), `${JSON.stringify(code)}: ${status}`)
    }
  }
  await Promise.all([checkQueue(), checkQueue(), checkQueue()])
}

/** Accessibility, width and pictures of a snippet that has run. */
const checkLooks = async () => {
  const tab = await open('pagination-and-watching')
  const playground = tab.locator('.playground').first()
  await run(playground, { scenario: 'shrinking' })
  for (const details of await playground.locator('summary').all()) await details.click()
  await tab.evaluate(axe)
  for (const size of [desktop, phone]) {
    await tab.setViewportSize({ ...size, height: 1800 }) // the whole snippet
    problems.push(...(await widthProblems(tab)))
    for (const part of await playground.locator('.output, .result table').all()) {
      const hidden = await part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      expectThat(hidden <= 0, `${hidden} pixels of a result are cut off at a width of ${size.width}`)
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.emulateMedia({ colorScheme })
      await tab.locator(colorScheme === 'dark' ? 'html.dark' : 'html:not(.dark)').waitFor({ state: 'attached' })
      const options = colorScheme === 'dark' ? { runOnly: [contrast] } : {}
      problems.push(...(await violations(tab, options)).map((one) => `${colorScheme}, ${size.width}: ${one}`))
      await playground.scrollIntoViewIfNeeded()
      await playground.screenshot({ path: join(siteFolder, `../playground-${size.width}-${colorScheme}.png`) })
    }
  }
}

try {
  const guides = async () => {
    await runGuide('getting-started', 9)
    await runGuide('pagination-and-watching', 5)
    await runGuide('throttling', 3)
  }
  const others = async () => {
    await checkScenarios()
    await checkLooks()
  }
  const loaded = await checkLoading()
  await Promise.all([checkReset(), checkMistakes(), ...(process.env.CASES ? [guides(), others()] : [])])
  expectThat((await (await open('testing')).locator('.playground').count()) === 0, 'testing: a test has a button')
  for (const line of problems) process.stdout.write(`${line}\n`)
  process.stdout.write(`The playground: ${loaded}; ${problems.length} problems\n`)
} finally {
  await browser.close()
  site.close()
}
process.exitCode = problems.length > 0 ? 1 : 0

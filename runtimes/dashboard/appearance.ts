import type { Browser } from 'playwright-core'
import {
  checkAccessibility,
  createKey,
  expectIncludes,
  expectSame,
  list,
  open,
  photograph,
  say,
  serve,
} from './support.ts'

const schemes = ['light', 'dark', 'forced colours'] as const

/** On a desktop in light and in forced colours, on a phone in dark; with `CASES`, as before a release, in all on both. */
const checkDevice = async (browser: Browser, device: string, width: number, height: number): Promise<void> => {
  await using running = await serve({ assumptions: { pageUnit: 'group', maxPage: 50 } })
  const { server, get } = running
  for (const path of [`${list}?from=shop&limit=5`, `${list}?limit=0`, '/guild/ledger/8412/transactions', list])
    await get(path)
  await get(list, 'no-such-key')
  running.mock.guild.fault({ kind: 'latency', ms: { median: 1, p99: 2 }, endpoint: 'user' })
  const isTried = (nth: number) => process.env.CASES !== undefined || (nth % 2 === 0) === (device === 'desktop')
  for (const scheme of schemes.filter((_, i) => isTried(i))) {
    const where = `${device}, ${scheme}`
    await using page = await open(browser, server.url, {
      viewport: { width, height },
      ...(scheme === 'forced colours' ? { forcedColors: 'active' } : { colorScheme: scheme }),
      reducedMotion: 'reduce',
    })
    const { tab, problems } = page
    await tab.getByText('1,000').waitFor()
    await checkAccessibility(tab, where)
    await createKey(tab, `bot on ${where}`)
    await tab.getByRole('button', { name: 'Send request' }).click()
    await tab.getByText('200 in').waitFor()
    await tab.locator('#assumptions summary').click()
    await tab.getByRole('checkbox', { name: 'only changed ones' }).check()
    expectSame('changed assumptions', await tab.locator('#assumption-list tr').count(), 2)
    await tab.locator('#request-list').getByText(`bot on ${where}`).first().waitFor()
    await tab.getByLabel('maxPage', { exact: true }).fill('0')
    await tab.getByLabel('maxPage', { exact: true }).press('Tab')
    await tab.locator('#error-of-maxPage').getByText('must be').waitFor()
    await tab.getByLabel('Further fields, as JSON').fill('{')
    await tab.getByRole('button', { name: 'Script fault' }).click()
    await tab.getByText('must be a JSON object').waitFor()
    await checkAccessibility(tab, `${where}, with a new key, a response and errors`)
    for (const panel of ['#panel-curl', '#response'])
      expectSame(
        `${panel} cut at its right edge, ${where}`,
        await tab.locator(panel).evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
        false,
      )
    expectSame(`page width, ${where}`, await tab.evaluate(() => document.documentElement.scrollWidth), width)
    expectSame(
      'animation',
      await tab
        .locator('#request-list tr')
        .first()
        .evaluate((row) => getComputedStyle(row).animationName),
      'none',
    )
    await tab.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await photograph(browser, tab, where.replaceAll(/[, ]+/g, '-'))
    await tab.getByRole('button', { name: 'Delete the key first key of guild-1' }).click()
    await checkAccessibility(tab, `${where}, with the dialog`)
    await tab.getByRole('button', { name: 'Cancel' }).click()
    await tab.setViewportSize({ width: 320, height: 700 })
    expectSame(
      'page width on the narrowest screen',
      await tab.evaluate(() => document.documentElement.scrollWidth),
      320,
    )
    expectSame('problems', problems.length, 1) // Chromium logs the 400 itself
  }
}

export const checkAppearance = async (browser: Browser): Promise<void> => {
  await Promise.all([checkDevice(browser, 'desktop', 1280, 900), checkDevice(browser, 'phone', 390, 844)])
  say('no axe-core violation and no horizontal scrolling on desktop and phone; see out/dashboard-*.png')
}

export const checkStoppedServer = async (browser: Browser): Promise<void> => {
  const running = await serve()
  await using page = await open(browser, running.server.url)
  await page.tab.getByText('1,000').waitFor()
  await running.server.close()
  await page.tab.getByText('The mock server does not respond').waitFor()
  expectIncludes('state', await page.tab.locator('#state').innerText(), 'not responding')
  say('shows when the mock server was stopped')
}

export const checkSlowServer = async (browser: Browser): Promise<void> => {
  await using running = await serve()
  await using page = await open(browser, running.server.url)
  const { clock } = page.tab
  await page.tab.getByText('1,000').waitFor()
  await clock.install()
  const pageTime = () => page.tab.evaluate(() => Date.now())
  const responded = page.tab.waitForResponse('**/_mock/guilds')
  let [refreshes, from] = [0, 0]
  await page.tab.route('**/_mock/guilds', async (route) => {
    if (refreshes++ === 0) {
      // Half of the ten seconds after which the page gives up. From here on, its clock goes on only where it is told to.
      await clock.pauseAt((await pageTime()) + 5000)
      from = await pageTime()
    }
    await route.continue()
  })
  await responded
  for (let i = 0; refreshes === 1 && i < 30; i++) {
    await clock.runFor(1000)
    await page.tab.waitForTimeout(100)
  }
  const seconds = ((await pageTime()) - from) / 1000
  if (seconds < 9 || seconds > 20) throw new Error(`asked a slow server again after ${seconds} s`)
  say('asks a server that took 5 s to respond again after 10 s')
}

import type { Browser } from 'playwright-core'
import { accessible, createKey, expectPart, expectSame, list, open, photograph, say, serve } from './tools.ts'

export const looksRight = async (browser: Browser): Promise<void> => {
  await using mocked = await serve({ assumptions: { pageUnit: 'group', maxPage: 50 } })
  const { server, ask } = mocked
  for (const path of [`${list}?from=shop&limit=5`, `${list}?limit=0`, '/guild/ledger/8412/transactions', list])
    await ask(path)
  await ask(list, 'no-such-key')
  for (const [device, width, height] of [
    ['desktop', 1280, 900],
    ['phone', 390, 844],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const where = `${device}, ${colorScheme}`
      await using page = await open(browser, server.url, {
        viewport: { width, height },
        colorScheme,
        reducedMotion: 'reduce',
      })
      const { tab, problems } = page
      await tab.getByText('1,000').waitFor()
      await accessible(tab, where)
      await createKey(tab, `bot on ${where}`)
      await tab.getByRole('button', { name: 'Send from here' }).click()
      await tab.getByText('200 in').waitFor()
      await tab.getByRole('checkbox', { name: 'only those that differ' }).check()
      expectSame('assumptions that differ', await tab.locator('#assumption-list tr').count(), 2)
      await tab.locator('#request-list').getByText(`bot on ${where}`).first().waitFor()
      await accessible(tab, `${where}, with a new key and a reply`)
      expectSame(
        `width that sticks out, ${where}`,
        await tab.evaluate(() => document.documentElement.scrollWidth),
        width,
      )
      expectSame(
        'animation',
        await tab
          .locator('#request-list tr')
          .first()
          .evaluate((row) => getComputedStyle(row).animationName),
        'none',
      )
      await tab.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
      await photograph(browser, tab, where.replace(', ', '-'))
      await tab.getByRole('button', { name: 'Delete the key first key of guild-1' }).click()
      await accessible(tab, `${where}, with a question`)
      await tab.getByRole('button', { name: 'Keep it' }).click()
      await tab.setViewportSize({ width: 320, height: 700 })
      expectSame('width on the narrowest screen', await tab.evaluate(() => document.documentElement.scrollWidth), 320)
      expectSame('problems', problems, [])
    }
  }
  say('axe-core finds nothing on desktop and phone, in light and dark; nothing sticks out; see out/mock-page-*.png')
}

export const endIsTold = async (browser: Browser): Promise<void> => {
  const mocked = await serve()
  await using page = await open(browser, mocked.server.url)
  await page.tab.getByText('1,000').waitFor()
  await mocked.server.close()
  await page.tab.getByText('The mock does not answer').waitFor()
  expectPart('state', await page.tab.locator('#state').innerText(), 'not answering')
  say('tells when the mock is gone')
}

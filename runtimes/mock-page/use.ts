import type { Browser } from 'playwright-core'
import { createKey, expectPart, expectSame, focused, list, open, runSnippet, say, serve, snippet } from './tools.ts'

export const aKeyComesAndGoes = async (browser: Browser): Promise<void> => {
  await using mocked = await serve()
  await using page = await open(browser, mocked.server.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  const { tab, problems } = page
  await tab.getByText('1,000').waitFor()
  for (const text of ['Guild Ledger mock', `running at ${mocked.server.url}`, 'guild-1', 'first key of guild-1'])
    expectPart('the page', await tab.locator('body').innerText(), text)
  expectPart('curl without a key', await snippet(tab, 'curl'), `'x-api-key: YOUR_KEY'`)
  say('shows what is running, and YOUR_KEY where it knows no key')

  const value = await createKey(tab, 'bot of Ann')
  expectSame('focus after creating', await focused(tab), 'created-title')
  expectSame('with the new key', await mocked.ask(list, value), 200)
  expectSame('curl prints', await runSnippet.curl(await snippet(tab, 'curl')), '3 rows')
  expectSame('Python prints', await runSnippet.python(await snippet(tab, 'Python')), '3 rows')
  expectSame('TypeScript prints', await runSnippet.typescript(await snippet(tab, 'TypeScript')), '3 rows')
  await tab.getByRole('tab', { name: 'curl' }).press('End')
  expectSame('focus after the key End', await focused(tab), 'tab-typescript')
  await tab.getByRole('button', { name: 'Copy', exact: true }).click()
  await tab.getByText('Copied').waitFor()
  const copied = await tab.evaluate(() => navigator.clipboard.readText())
  expectSame('the clipboard', copied, await snippet(tab, 'TypeScript'))
  await tab.getByRole('button', { name: 'Send from here' }).click()
  await tab.getByText('200 in').waitFor()
  expectPart('the reply', await tab.locator('#reply').innerText(), '"success": true')
  await tab.locator('#request-list tr:nth-child(5)').waitFor()
  expectPart('the newest request', await tab.locator('#request-list tr').first().innerText(), `GET ${list}?limit=3`)
  expectPart('its key', await tab.locator('#request-list tr').first().innerText(), 'bot of Ann')
  say(
    'a key made there works in its curl, Python and TypeScript lines, run as they stand, and these turn up as requests',
  )

  await tab.getByRole('button', { name: 'Done' }).click()
  await tab.reload()
  await tab.getByText('bot of Ann').first().waitFor()
  if ((await tab.content()).includes(value)) throw new Error('the value of a key is shown a second time')
  const row = tab.getByRole('row', { name: 'bot of Ann' }).first()
  expectPart('the key in the list', await row.innerText(), 'guild:read')

  await tab.getByRole('button', { name: 'Delete the key bot of Ann' }).click()
  await tab.keyboard.press('Escape')
  expectSame('after thinking better of it', await mocked.ask(list, value), 200)
  await tab.getByRole('button', { name: 'Delete the key bot of Ann' }).press('Enter')
  await tab.getByRole('button', { name: 'Delete key' }).click()
  await tab.locator('#key-list tr:nth-child(2)').waitFor({ state: 'detached' })
  expectSame('focus after deleting', await focused(tab), 'keys-title')
  expectSame('with the deleted key', await mocked.ask(list, value), 401)
  expectSame('problems', problems, [])
  say(
    'its value is shown once, the key is listed with its scope, and deleted after a question; focus goes where it belongs',
  )
}

export const requestsComeByThemselves = async (browser: Browser): Promise<void> => {
  await using mocked = await serve({ rateLimit: 3 })
  await using page = await open(browser, mocked.server.url, { hash: `#key=${mocked.mock.apiKey}` })
  const { tab, problems } = page
  await tab.getByText('1,000').waitFor()
  expectPart('curl with the key of the link', await snippet(tab, 'curl'), `'x-api-key: ${mocked.mock.apiKey}'`)
  expectSame('address', tab.url(), `${mocked.server.url}/_mock/`)

  const name = tab.getByLabel('Name', { exact: true })
  await name.pressSequentially('half a na')
  const top = await tab.evaluate(() => (scrollTo({ top: 150, behavior: 'instant' }), scrollY))
  mocked.mock.guild.fail({ kind: 'internal-error', times: 1 })
  for (const path of [`${list}?page=2`, `${list}?limit=0`, list, list]) await mocked.ask(path)
  await mocked.ask(list, 'no-such-key')
  await tab.locator('#request-list tr:nth-child(5)').waitFor()
  const texts = await tab.locator('#request-list tr').allInnerTexts()
  for (const [i, part] of [
    'Unauthorized',
    'the limit is 3',
    '200',
    'limit must be',
    'simulated: internal-error',
  ].entries())
    expectPart(`request ${i} from the top`, texts[i] ?? '', part)
  await tab.keyboard.type('me')
  expectSame('what was being typed', await name.inputValue(), 'half a name')
  expectSame('scroll position', await tab.evaluate(() => scrollY), top)
  expectPart('what is said aloud', await tab.locator('#news').innerText(), 'new request')

  await tab.getByRole('button', { name: 'Pause' }).click()
  const before = await tab.locator('#request-list tr').count()
  await mocked.ask(`${list}?page=3`)
  // Two looks later it would be there.
  await tab.waitForResponse(/_mock\/requests$/)
  await tab.waitForResponse(/_mock\/requests$/)
  expectSame('requests while paused', await tab.locator('#request-list tr').count(), before)
  await tab.getByRole('button', { name: 'Pause' }).click()
  await tab.getByText('page=3').waitFor()
  expectSame('problems', problems, [])
  say(
    'requests turn up newest first with what refused them, while someone types and scrolls elsewhere, and wait when told to',
  )
}

export const assumptionsCanBeChanged = async (browser: Browser): Promise<void> => {
  await using mocked = await serve()
  await using page = await open(browser, mocked.server.url)
  const { tab, problems } = page
  const pageUnit = tab.getByLabel('pageUnit', { exact: true })
  expectSame('what is shown', await pageUnit.locator('option:checked').innerText(), 'transaction')

  await pageUnit.focus()
  await pageUnit.selectOption('group')
  await tab.getByText('changed').first().waitFor()
  expectSame('what is in force', mocked.mock.guild.assumptions.pageUnit, 'group')
  expectSame('focus', await tab.evaluate(() => document.activeElement?.ariaLabel), 'pageUnit')

  const maxPage = tab.getByLabel('maxPage', { exact: true })
  await maxPage.fill('7')
  await maxPage.press('Tab')
  await tab.locator('.badge:visible').nth(1).waitFor()
  await maxPage.fill('')
  await maxPage.press('Tab')
  await tab.locator('.badge:visible').nth(1).waitFor({ state: 'detached' })
  expectSame('maxPage', mocked.mock.guild.assumptions.maxPage, null)

  mocked.mock.guild.assume({ sourceMatch: 'contains' })
  await tab.locator('.badge:visible').nth(1).waitFor()
  await tab.getByRole('checkbox', { name: 'only those that differ' }).check()
  expectSame('those that differ', await tab.locator('#assumption-list th code').allInnerTexts(), [
    'pageUnit',
    'sourceMatch',
  ])
  expectSame('problems', problems, [])

  await tab.getByRole('checkbox', { name: 'only those that differ' }).uncheck()
  const userLimit = tab.getByLabel('userLimit', { exact: true })
  await userLimit.fill('101')
  await userLimit.press('Tab')
  await tab.getByText('userLimit must be a whole number from 1 to 100').waitFor()
  expectSame('problems', problems.length, 1) // Chromium tells of the 400 itself
  say('an assumption can be changed there, and one that is changed elsewhere is seen to change')
}

import type { Browser } from 'playwright-core'
import {
  createKey,
  expectIncludes,
  expectSame,
  focused,
  list,
  open,
  runSnippet,
  say,
  serve,
  snippet,
} from './support.ts'

export const checkKeys = async (browser: Browser): Promise<void> => {
  await using running = await serve()
  await using page = await open(browser, running.server.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  const { tab, problems } = page
  await tab.getByText('1,000').waitFor()
  for (const text of [
    'Guild Ledger mock server',
    `running at ${running.server.url}`,
    'guild-1',
    'first key of guild-1',
  ])
    expectIncludes('the page', await tab.locator('body').innerText(), text)
  expectIncludes('curl without a key', await snippet(tab, 'curl'), `'x-api-key: YOUR_KEY'`)
  say('shows the guild, and YOUR_KEY where no key is known')

  const value = await createKey(tab, 'bot of Ann')
  expectSame('focus after creating', await focused(tab), 'created-title')
  expectSame('with the new key', await running.get(list, value), 200)
  expectSame('curl prints', await runSnippet.curl(await snippet(tab, 'curl')), '3 transactions')
  expectSame('Python prints', await runSnippet.python(await snippet(tab, 'Python')), '3 transactions')
  expectSame('TypeScript prints', await runSnippet.typescript(await snippet(tab, 'TypeScript')), '3 transactions')
  await tab.getByRole('tab', { name: 'curl' }).press('End')
  expectSame('focus after the key End', await focused(tab), 'tab-typescript')
  await tab.getByRole('button', { name: 'Copy', exact: true }).click()
  await tab.getByText('Copied').waitFor()
  const copied = await tab.evaluate(() => navigator.clipboard.readText())
  expectSame('the clipboard', copied, await snippet(tab, 'TypeScript'))
  await tab.getByRole('button', { name: 'Send request' }).click()
  await tab.getByText('200 in').waitFor()
  expectIncludes('the response', await tab.locator('#response').innerText(), '"success": true')
  await tab.locator('#request-list tr:nth-child(5)').waitFor()
  expectIncludes('the newest request', await tab.locator('#request-list tr').first().innerText(), `GET ${list}?limit=3`)
  expectIncludes('its key', await tab.locator('#request-list tr').first().innerText(), 'bot of Ann')
  say('a new key works in the curl, Python and TypeScript snippets, whose requests are listed')

  await tab.getByRole('button', { name: 'Done' }).click()
  await tab.reload()
  await tab.getByText('bot of Ann').first().waitFor()
  if ((await tab.content()).includes(value)) throw new Error('the value of a key is shown a second time')
  const row = tab.getByRole('row', { name: 'bot of Ann' }).first()
  expectIncludes('the key in the list', await row.innerText(), 'guild:read')

  await tab.getByRole('button', { name: 'Delete the key bot of Ann' }).click()
  await tab.keyboard.press('Escape')
  expectSame('after cancelling', await running.get(list, value), 200)
  await tab.getByRole('button', { name: 'Delete the key bot of Ann' }).press('Enter')
  await tab.getByRole('button', { name: 'Delete key' }).click()
  await tab.locator('#key-list tr:nth-child(2)').waitFor({ state: 'detached' })
  expectSame('focus after deleting', await focused(tab), 'keys-title')
  expectSame('with the deleted key', await running.get(list, value), 401)
  expectSame('problems', problems, [])
  say(
    'the value of a key is shown once, the key is listed with its scope and deleted after confirmation; the focus moves accordingly',
  )
}

export const checkRequests = async (browser: Browser): Promise<void> => {
  await using running = await serve({ rateLimit: 3 })
  await using page = await open(browser, running.server.url, { hash: `#key=${running.mock.apiKey}` })
  const { tab, problems } = page
  await tab.getByText('1,000').waitFor()
  expectIncludes('curl with the key of the link', await snippet(tab, 'curl'), `'x-api-key: ${running.mock.apiKey}'`)
  expectSame('address', tab.url(), `${running.server.url}/_mock/`)

  const name = tab.getByLabel('Name', { exact: true })
  await name.pressSequentially('half a na')
  const top = await tab.evaluate(() => (scrollTo({ top: 150, behavior: 'instant' }), scrollY))
  running.mock.guild.fault({ kind: 'internal-error', times: 1 })
  // However slow the machine is, these arrive in one second of the mock.
  running.clock.freeze()
  for (const path of [`${list}?page=2`, `${list}?limit=0`, list, list]) await running.get(path)
  running.clock.resume()
  await running.get(list, 'no-such-key')
  await tab.locator('#request-list tr:nth-child(5)').waitFor()
  const texts = await tab.locator('#request-list tr').allInnerTexts()
  for (const [i, part] of [
    'Unauthorized',
    'the limit is 3',
    '200',
    '`limit` must be',
    'fault: internal-error',
  ].entries())
    expectIncludes(`request ${i} from the top`, texts[i] ?? '', part)
  await tab.keyboard.type('me')
  expectSame('what was being typed', await name.inputValue(), 'half a name')
  expectSame('scroll position', await tab.evaluate(() => scrollY), top)
  expectIncludes('the announcement', await tab.locator('#request-announcement').innerText(), 'new request')

  await tab.getByRole('button', { name: 'Pause' }).click()
  const before = await tab.locator('#request-list tr').count()
  await running.get(`${list}?page=3`)
  // Two polls later it would be there.
  await tab.waitForResponse(/_mock\/requests$/)
  await tab.waitForResponse(/_mock\/requests$/)
  expectSame('requests while paused', await tab.locator('#request-list tr').count(), before)
  await tab.getByRole('button', { name: 'Resume' }).click()
  await tab.getByText('page=3').waitFor()
  await tab.locator('#request-list button').first().click()
  await tab.locator('#request-list .response').getByText('"success": true').waitFor()
  await tab.locator('#transactions summary').click()
  await tab.locator('#transaction-list tr').nth(19).waitFor()
  expectSame('problems', problems, [])
  say('requests appear newest first with their errors, without disturbing typing and scrolling, and stop when paused')
}

export const checkAssumptions = async (browser: Browser): Promise<void> => {
  await using running = await serve()
  await using page = await open(browser, running.server.url)
  const { tab, problems } = page
  await tab.locator('#assumptions summary').click()
  const pageUnit = tab.getByLabel('pageUnit', { exact: true })
  expectSame('the shown value', await pageUnit.locator('option:checked').innerText(), 'transaction')

  await pageUnit.focus()
  await pageUnit.selectOption('group')
  await tab.getByText('changed').first().waitFor()
  expectSame('the current value', running.mock.guild.assumptions.pageUnit, 'group')
  expectSame('focus', await tab.evaluate(() => document.activeElement?.ariaLabel), 'pageUnit')

  const maxPage = tab.getByLabel('maxPage', { exact: true })
  await maxPage.fill('7')
  await maxPage.press('Tab')
  await tab.locator('.badge:visible').nth(1).waitFor()
  await maxPage.fill('')
  await maxPage.press('Tab')
  await tab.locator('.badge:visible').nth(1).waitFor({ state: 'detached' })
  expectSame('maxPage', running.mock.guild.assumptions.maxPage, null)

  running.mock.guild.assume({ sourceMatch: 'contains' })
  await tab.locator('.badge:visible').nth(1).waitFor()
  await tab.getByRole('checkbox', { name: 'only changed ones' }).check()
  expectSame('the changed ones', await tab.locator('#assumption-list th code').allInnerTexts(), [
    'pageUnit',
    'sourceMatch',
  ])
  expectSame('problems', problems, [])

  await tab.getByRole('checkbox', { name: 'only changed ones' }).uncheck()
  const userLimit = tab.getByLabel('userLimit', { exact: true })
  await userLimit.fill('101')
  await userLimit.press('Tab')
  await tab
    .locator('#error-of-userLimit')
    .getByText(/userLimit.* must be .* from 1 to 100/)
    .waitFor()
  expectSame('aria-invalid', await userLimit.getAttribute('aria-invalid'), 'true')
  const distance = await tab.evaluate(() => {
    const [field, message] = ['[aria-label="userLimit"]', '#error-of-userLimit'].map((one) =>
      document.querySelector(one)?.getBoundingClientRect(),
    )
    return (message?.top ?? Infinity) - (field?.bottom ?? 0)
  })
  if (distance < 0 || distance > 40) throw new Error(`the message is ${distance} px away from its field`)
  await userLimit.fill('30')
  await userLimit.press('Tab')
  await tab.locator('#error-of-userLimit').getByText('must be').waitFor({ state: 'detached' })
  expectSame('aria-invalid', await userLimit.getAttribute('aria-invalid'), null)
  expectSame('userLimit', running.mock.guild.assumptions.userLimit, 30)
  expectSame('problems', problems.length, 1) // Chromium logs the 400 itself
  say('assumptions can be changed, and changes made elsewhere are shown')
}

export const checkControls = async (browser: Browser): Promise<void> => {
  await using running = await serve()
  const { mock, server } = running
  await using page = await open(browser, server.url)
  const { tab, problems } = page
  await tab.getByText('1,000').waitFor()

  await tab.getByLabel('Kind', { exact: true }).selectOption('status')
  expectSame('suggested fields', await tab.getByLabel('Further fields, as JSON').inputValue(), '{"status":503}')
  await tab.getByLabel('Requests to').selectOption('guild')
  await tab.getByRole('button', { name: 'Script fault' }).click()
  await tab.locator('#fault-list').getByText('status: 503').waitFor()
  expectSame('the fault', mock.guild.faults[0]?.fault, { kind: 'status', endpoint: 'guild', times: 1, status: 503 })
  expectSame('the first request', await running.get(list), 503)
  await tab.locator('#fault-list tr').first().getByText('1', { exact: true }).waitFor()
  await tab.getByRole('button', { name: 'Remove all' }).click()
  await tab.getByText('No faults.').waitFor()
  expectSame('faults', mock.guild.faults, [])

  await tab.getByLabel('Kind', { exact: true }).selectOption('schema')
  await tab.getByLabel('Further fields, as JSON').fill('{"field":"pagination.totl"}')
  await tab.getByRole('button', { name: 'Script fault' }).click()
  await tab.getByText('Did you mean `pagination.total`?').waitFor()
  expectSame('focus after a mistake', await focused(tab), 'fault-fields')

  await tab.getByLabel('Source', { exact: true }).fill('market')
  await tab.getByLabel('How many', { exact: true }).fill('3')
  await tab.getByRole('button', { name: 'Add transactions' }).click()
  await tab.getByText('3 transactions were added.').waitFor()
  await tab.getByText('1,003').waitFor()
  expectSame('the source', mock.guild.transactions.at(-1)?.source, 'market')

  await tab.getByRole('button', { name: 'Stop the clock' }).click()
  await tab.getByText(/, stopped/).waitFor()
  const stopped = await tab.getByText(/, stopped/).innerText()
  await tab.getByLabel('Seconds', { exact: true }).fill('3600')
  await tab.getByRole('button', { name: 'Move forward' }).click()
  await tab.getByText(stopped).waitFor({ state: 'detached' })
  await tab.getByRole('button', { name: 'Back to system time' }).click()
  await tab.getByRole('button', { name: 'Stop the clock' }).waitFor()

  await tab.getByLabel('Subscription', { exact: true }).selectOption('none')
  await tab.getByLabel('Requests per second, or off').fill('off')
  await tab.getByRole('button', { name: 'Change guild' }).click()
  await tab.getByText('guild-1 was changed.').waitFor()
  expectSame('the guild', [mock.guild.subscription, mock.guild.rateLimit], ['none', 'off'])
  await tab.locator('#facts').getByText('none', { exact: true }).waitFor()

  await tab.getByRole('button', { name: 'Reset this guild' }).click()
  await tab.getByText('1,000').waitFor()
  await tab.locator('#facts').getByText('developer').waitFor()
  expectSame('the limit in the form', await tab.getByLabel('Requests per second, or off').inputValue(), '10')
  await tab.getByRole('button', { name: 'New guild' }).click()
  await tab.getByText('A guild was created and selected.').waitFor()
  await tab.locator('#facts').getByText('guild-2').waitFor()
  const [, created] = mock.guilds
  expectIncludes('curl with the key of the new guild', await snippet(tab, 'curl'), created?.apiKey ?? 'no guild')
  await tab.getByLabel('Guild', { exact: true }).selectOption('guild-1')
  await tab.locator('#facts').getByText('1,000').waitFor()
  await tab.getByRole('button', { name: 'Reset everything' }).click()
  await tab.keyboard.press('Escape')
  expectSame('guilds after cancelling', mock.guilds.length, 2)
  await tab.getByRole('button', { name: 'Reset everything' }).click()
  await tab.getByRole('button', { name: 'Reset all guilds' }).click()
  await tab.getByText('Everything was reset.').waitFor()
  expectSame('guilds', mock.guilds.length, 1)
  expectSame('problems', problems.length, 1) // Chromium logs the 400 itself
  say('faults are scripted, transactions added, the clock stopped and moved, guilds created, changed and reset')
}

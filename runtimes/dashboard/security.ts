import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import {
  checkAccessibility,
  createKey,
  expectIncludes,
  expectSame,
  focused,
  list,
  open,
  photograph,
  runSnippet,
  say,
  serve,
  snippet,
} from './support.ts'

const hostile = `"><img src=x onerror="globalThis.broken=1"><script>globalThis.broken=1</script>`

export const checkHostileNames = async (browser: Browser): Promise<void> => {
  await using running = await serve({ apiKey: `it's\\"$(x)\`;` })
  const { mock, server, get } = running
  mock.createGuild({ users: 1, transactions: 3 })
  mock.guild.createKey({ name: hostile, scopes: [], expiresAt: '2999-01-01' })
  for (const path of [
    `${list}?from=${encodeURIComponent(hostile)}&${encodeURIComponent(hostile)}=1&__proto__=1`,
    `${list}?limit=${encodeURIComponent(hostile)}`,
    `/guild/ledger/${encodeURIComponent(hostile)}/transactions`,
  ])
    await get(path)
  await using page = await open(browser, server.url, { hash: `#key=${encodeURIComponent(mock.apiKey)}` })
  const { tab, problems } = page
  await tab.locator('#request-list tr:nth-child(3)').waitFor()
  expectIncludes('name of the key', await tab.locator('#key-list').innerText(), hostile)
  await tab.getByRole('button', { name: `Delete the key ${hostile}` }).click()
  expectIncludes('the dialog', await tab.locator('#delete').innerText(), hostile)
  await tab.getByRole('button', { name: 'Cancel' }).click()
  await createKey(tab, hostile)
  expectIncludes('the new key', await tab.locator('#created').innerText(), hostile)
  expectSame('injected elements', await tab.locator('main img, main script').count(), 0)
  expectSame('injected script', await tab.evaluate(() => 'broken' in globalThis), false)
  await tab.getByLabel('API key to use').fill(mock.apiKey)
  for (const [language, runCode] of [
    ['curl', runSnippet.curl],
    ['Python', runSnippet.python],
    ['TypeScript', runSnippet.typescript],
  ] as const)
    expectSame(
      `${language} with a key that needs escaping`,
      await runCode(await snippet(tab, language)),
      '3 transactions',
    )
  await tab.getByLabel('Guild', { exact: true }).selectOption('guild-2')
  await tab.getByText('first key of guild-2').waitFor()
  expectIncludes('curl of another guild', await snippet(tab, 'curl'), 'YOUR_KEY')
  expectSame('problems', problems, [])
  say('hostile names, queries and keys stay text, on the page and in the snippets')
}

/** Serves a page of another origin that frames the dashboard and allows requests from any origin. */
const serveElsewhere = async (framed: string) => {
  const server = createServer((_request, response) => {
    const headers = { 'content-type': 'text/html', 'access-control-allow-origin': '*', connection: 'close' }
    response.writeHead(200, headers).end(`<iframe src="${framed}"></iframe>`)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, [Symbol.dispose]: () => void server.close() }
}

export const checkPolicy = async (browser: Browser): Promise<void> => {
  await using running = await serve()
  using elsewhere = await serveElsewhere(`${running.server.url}/_mock/`)
  await using page = await open(browser, running.server.url)
  const { tab } = page
  await tab.getByText('1,000').waitFor()
  const outcomes = await tab.evaluate(async (url) => {
    const succeeds = async (attempt: () => unknown) => {
      try {
        await attempt()
        return true
      } catch {
        return false
      }
    }
    const inline = document.createElement('script')
    return {
      html: await succeeds(() => (document.body.innerHTML = '<b>x</b>')),
      script: await succeeds(() => (inline.textContent = 'globalThis.ran = 1')),
      handler: await succeeds(() => document.body.setAttribute('onclick', 'globalThis.ran = 1')),
      elsewhere: await succeeds(() => fetch(url)),
      stored: localStorage.length + sessionStorage.length + document.cookie.length > 0,
    }
  }, elsewhere.url)
  const blocked = { html: false, script: false, handler: false, elsewhere: false, stored: false }
  expectSame('what the policy allows', outcomes, blocked)

  const other = await browser.newPage()
  await other.goto(elsewhere.url)
  expectSame('in a frame', await other.frameLocator('iframe').locator('#request-list').count(), 0)
  await other.close()
  say('its policy blocks HTML from text, inline scripts, other origins and frames; nothing is stored')
}

export const checkToken = async (browser: Browser): Promise<void> => {
  await using running = await serve({}, { token: 'secret' })
  await using page = await open(browser, running.server.url)
  const { tab, problems } = page
  expectSame('focus', await focused(tab), 'token-value')
  await checkAccessibility(tab, 'with the token form')
  await photograph(browser, tab, 'token')
  await tab.getByRole('textbox', { name: 'Token' }).fill('wrong')
  await tab.keyboard.press('Enter')
  await tab.getByText('The token is wrong').waitFor()
  expectSame('problems', problems.length, 1) // Chromium logs the 401 itself
  await tab.getByRole('textbox', { name: 'Token' }).fill('secret')
  await tab.keyboard.press('Enter')
  await tab.getByText('1,000').waitFor()
  await createKey(tab, 'bot')
  const saved = tab.waitForEvent('download')
  await tab.getByRole('link', { name: 'the service' }).click()
  expectSame('file', (await saved).suggestedFilename(), 'openapi.json')
  expectSame('problems', problems.length, 1)
  say('with a token it shows no data until the token is entered, and sends it with every request')
}

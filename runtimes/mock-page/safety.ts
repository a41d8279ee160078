import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import {
  accessible,
  createKey,
  expectPart,
  expectSame,
  focused,
  list,
  open,
  photograph,
  runSnippet,
  say,
  serve,
  snippet,
} from './tools.ts'

const hostile = `"><img src=x onerror="globalThis.broken=1"><script>globalThis.broken=1</script>`

export const hostileNamesAreText = async (browser: Browser): Promise<void> => {
  await using mocked = await serve({ apiKey: `it's\\"$(x)\`;` })
  const { mock, server, ask } = mocked
  mock.createGuild({ users: 1, transactions: 3 })
  mock.guild.createKey({ name: hostile, scopes: [], expiresAt: '2999-01-01' })
  for (const path of [
    `${list}?from=${encodeURIComponent(hostile)}&${encodeURIComponent(hostile)}=1&__proto__=1`,
    `${list}?limit=${encodeURIComponent(hostile)}`,
    `/guild/ledger/${encodeURIComponent(hostile)}/transactions`,
  ])
    await ask(path)
  await using page = await open(browser, server.url, { hash: `#key=${encodeURIComponent(mock.apiKey)}` })
  const { tab, problems } = page
  await tab.locator('#request-list tr:nth-child(3)').waitFor()
  expectPart('name of the key', await tab.locator('#key-list').innerText(), hostile)
  await tab.getByRole('button', { name: `Delete the key ${hostile}` }).click()
  expectPart('the question', await tab.locator('#delete').innerText(), hostile)
  await tab.getByRole('button', { name: 'Keep it' }).click()
  await createKey(tab, hostile)
  expectPart('the new key', await tab.locator('#created').innerText(), hostile)
  expectSame('foreign elements', await tab.locator('main img, main script').count(), 0)
  expectSame('foreign script', await tab.evaluate(() => 'broken' in globalThis), false)
  await tab.getByLabel('API key to use').fill(mock.apiKey)
  for (const [language, pasted] of [
    ['curl', runSnippet.curl],
    ['Python', runSnippet.python],
    ['TypeScript', runSnippet.typescript],
  ] as const)
    expectSame(`${language} with an awkward key`, await pasted(await snippet(tab, language)), '3 rows')
  await tab.getByLabel('Guild', { exact: true }).selectOption('guild-2')
  await tab.getByText('first key of guild-2').waitFor()
  expectPart('curl of another guild', await snippet(tab, 'curl'), 'YOUR_KEY')
  expectSame('problems', problems, [])
  say('names, queries and keys that try to break out stay text, on the page as in the lines to paste')
}

/** A page of another origin that frames ours, and lets anyone ask. */
const serveElsewhere = async (framed: string) => {
  const server = createServer((_asked, reply) => {
    const headers = { 'content-type': 'text/html', 'access-control-allow-origin': '*', connection: 'close' }
    reply.writeHead(200, headers).end(`<iframe src="${framed}"></iframe>`)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, [Symbol.dispose]: () => void server.close() }
}

export const policyIsInForce = async (browser: Browser): Promise<void> => {
  await using mocked = await serve()
  using elsewhere = await serveElsewhere(`${mocked.server.url}/_mock/`)
  await using page = await open(browser, mocked.server.url)
  const { tab } = page
  await tab.getByText('1,000').waitFor()
  const happened = await tab.evaluate(async (url) => {
    const works = async (attempt: () => unknown) => {
      try {
        await attempt()
        return true
      } catch {
        return false
      }
    }
    const inline = document.createElement('script')
    return {
      html: await works(() => (document.body.innerHTML = '<b>x</b>')),
      script: await works(() => (inline.textContent = 'globalThis.ran = 1')),
      handler: await works(() => document.body.setAttribute('onclick', 'globalThis.ran = 1')),
      elsewhere: await works(() => fetch(url)),
      stored: localStorage.length + sessionStorage.length + document.cookie.length > 0,
    }
  }, elsewhere.url)
  const nothing = { html: false, script: false, handler: false, elsewhere: false, stored: false }
  expectSame('what the policy lets happen', happened, nothing)

  const other = await browser.newPage()
  await other.goto(elsewhere.url)
  expectSame('in a frame', await other.frameLocator('iframe').locator('#request-list').count(), 0)
  await other.close()
  say('its policy stops HTML made of text, inline scripts, other addresses and frames; nothing is stored')
}

export const tokenIsAskedFor = async (browser: Browser): Promise<void> => {
  await using mocked = await serve({}, { token: 'secret' })
  await using page = await open(browser, mocked.server.url)
  const { tab, problems } = page
  expectSame('focus', await focused(tab), 'token-value')
  await accessible(tab, 'asking for a token')
  await photograph(browser, tab, 'token')
  await tab.getByRole('textbox', { name: 'Token' }).fill('wrong')
  await tab.keyboard.press('Enter')
  await tab.getByText('That is not the token').waitFor()
  expectSame('problems', problems.length, 1) // Chromium tells of the 401 itself
  await tab.getByRole('textbox', { name: 'Token' }).fill('secret')
  await tab.keyboard.press('Enter')
  await tab.getByText('1,000').waitFor()
  await createKey(tab, 'bot')
  const saved = tab.waitForEvent('download')
  await tab.getByRole('link', { name: 'the service in OpenAPI' }).click()
  expectSame('file', (await saved).suggestedFilename(), 'openapi.json')
  expectSame('problems', problems.length, 1)
  say('with a token it shows nothing until that is typed in, and then sends it with every call')
}

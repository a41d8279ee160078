import { getResponse } from 'msw'
import { setupServer } from 'msw/node'
import { listAll } from '@guild-ledger/test-kit'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMockLedger } from '../index.ts'
import { startMockServer } from './node/server.ts'

const keyOf = (apiKey: string) => ({ headers: { 'x-api-key': apiKey } })

describe('mock.fetch', () => {
  it.each(['https://ledger.test.evil.example/', 'http://ledger.test/', 'https://ledger.test:444/'])(
    'responds to %s with 421',
    async (url) => {
      const mock = createMockLedger()

      const response = await mock.fetch(url)

      expect(response.status).toBe(421)
      expect(await response.json()).toEqual({
        success: false,
        message: `mock.fetch responds for https://ledger.test only, not for ${new URL(url).origin}: use mock.origin as the base URL`,
      })
    },
  )

  it('has the URL and the status text of a response, as fetch has them', async () => {
    const mock = createMockLedger({ rateLimit: 'off' })
    const url = `${mock.origin}${listAll}?limit=1`
    mock.guild.fault({ kind: 'redirect', location: `${listAll}?limit=2`, times: 1, after: 1 })

    const page = await mock.fetch(url, keyOf(mock.apiKey))
    const redirected = await mock.fetch(url, keyOf(mock.apiKey))
    const unknown = await mock.fetch(url)

    expect([page, redirected, unknown].map((one) => [one.url, one.redirected, one.statusText])).toEqual([
      [url, false, 'OK'],
      [`${mock.origin}${listAll}?limit=2`, true, 'OK'],
      [url, false, 'Unauthorized'],
    ])
    expect(page.clone().status).toBe(200)
  })

  it('has the status text that the HTTP server sends', async () => {
    const mock = createMockLedger({ rateLimit: 'off' })
    await using server = await startMockServer({ mock })
    for (const status of [201, 418, 422, 429, 502, 503]) {
      mock.guild.clearFaults()
      mock.guild.fault({ kind: 'status', status })
      const [inProcess, served] = await Promise.all([
        mock.fetch(mock.origin + listAll, keyOf(mock.apiKey)),
        fetch(server.url + listAll, keyOf(mock.apiKey)),
      ])

      expect(inProcess.statusText).toBe(served.statusText)
    }
  })

  it('rejects with the reason of an aborted signal', async () => {
    const mock = createMockLedger()
    const reason = new Error('enough')

    await expect(mock.fetch(`${mock.origin}${listAll}`, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

describe('mock.handlers', () => {
  // As happy-dom and jsdom send them: they apply the rules for pages of another origin.
  it('let a simulated browser read responses from another origin', async () => {
    const { handlers, origin, apiKey } = createMockLedger()
    const page = { origin: 'http://localhost:3000' }
    const preflight = new Request(origin + listAll, {
      method: 'OPTIONS',
      headers: { ...page, 'access-control-request-headers': 'x-api-key', 'access-control-request-method': 'GET' },
    })
    const request = new Request(origin + listAll, { headers: { ...page, 'x-api-key': apiKey } })

    const [allowed, response, without] = await Promise.all([
      getResponse([...handlers], preflight),
      getResponse([...handlers], request),
      getResponse([...handlers], new Request(origin + listAll, keyOf(apiKey))),
    ])

    expect([allowed?.status, allowed?.headers.get('access-control-allow-headers')]).toEqual([204, '*, authorization'])
    expect([response?.status, response?.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(without?.headers.has('access-control-allow-origin')).toBe(false)
  })

  it('respond to everything under the origin, and to nothing else', async () => {
    const mock = createMockLedger({ origin: 'http://ledger.test' })
    vi.spyOn(console, 'error').mockReturnValue() // MSW reports the unhandled request
    const network = setupServer(...mock.handlers)
    network.listen({ onUnhandledFrame: 'error' })
    onTestFinished(() => network.close())

    const page = await fetch(`http://ledger.test${listAll}?limit=1`, keyOf(mock.apiKey))
    const lost = await fetch('http://ledger.test/')
    const posted = await fetch(`http://ledger.test${listAll}`, { method: 'POST', body: 'x' })

    expect([page.status, lost.status, posted.status]).toEqual([200, 404, 405])
    expect(await page.json()).toMatchObject({ success: true, pagination: { limit: 1 } })
    await expect(fetch('http://ledgerxtest/')).rejects.toThrow('fetch failed')
  })
})

describe('startMockServer', () => {
  it.each<[object, string]>([
    [{ port: 65_536 }, '`port` must be an integer from 0 to 65535, got 65536'],
    [{ prot: 1 }, 'Unknown option `prot`. Did you mean `port`?'],
    [{ closeMs: -1 }, '`closeMs` must be a number of milliseconds from 0 to 2147483647, got -1'],
    [{ onResponse: true }, '`onResponse` must be a function, got true'],
    [{ mock: {} }, '`mock` must be a mock ledger, got an object with 0 fields'],
    [{ mock: undefined }, '`mock` must be a mock ledger, got undefined'],
  ])('rejects the options %o', async (options, message) => {
    const mock = createMockLedger({ transactions: 0 })

    await expect(startMockServer({ mock, ...options })).rejects.toThrow(message)
  })
})

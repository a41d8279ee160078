// A page and the mock in one browser: Vitest runs this file in Chromium, and MSW's service worker responds to the requests
// of the page. The configuration is in vitest.config.ts of this repository, project `browser`: a provider, and `msw/vite`
// for the worker. If only the client sends requests, `mock.clientOptions` works without a worker: see the last test.
import { createMockLedger, createTransactionFactory } from '@guild-ledger/mock-server'
import { setupWorker } from 'msw/browser'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { clientFor, managerPage } from '../src/manager-page.ts'

const mock = createMockLedger({ transactions: 0 })
const worker = setupWorker(...mock.handlers)
const transaction = createTransactionFactory()

beforeAll(() => worker.start({ quiet: true, onUnhandledFrame: 'bypass' }))
afterAll(() => worker.stop())
// Resets transactions, faults and the log.
beforeEach(() => mock.reset())

/** Opens the page, fills in both fields and submits the form. */
const submit = async (user: string, key = mock.apiKey, options: { fetch?: typeof fetch } = {}) => {
  managerPage(document.body, (apiKey) => clientFor(apiKey, { baseUrl: mock.origin, retry: false, ...options }))
  await page.getByLabelText('Key').fill(key)
  await page.getByLabelText('User').fill(user)
  await page.getByRole('button', { name: 'Show' }).click()
}

it('the page shows the last purchases of a user, newest first', async () => {
  mock.guild.add(['Shield', 'Potion'].map((name) => transaction({ platformId: '8412', name, total: 12.5 })))

  await submit('8412')

  await expect.element(page.getByRole('status')).toHaveTextContent('The last 2 purchases.')
  const cells = page.getByRole('cell').elements()
  const texts = cells.map(({ textContent }) => textContent)
  expect(texts.slice(0, 3)).toEqual(['Jan 1, 2026', '1 × Potion', '12.50'])
  expect(texts.slice(3)).toEqual(['Jan 1, 2026', '1 × Shield', '12.50'])
  mock.guild.expectRequests(1, { platformId: '8412', status: 200 })
})

it('the page shows HTML in names as text', async () => {
  mock.guild.add([transaction({ platformId: '8412', name: '<img src=x onerror=alert(1)>' })])
  await submit('8412')
  await expect.element(page.getByText('1 × <img src=x onerror=alert(1)>')).toBeVisible()
})

it.each([
  ['nobody', undefined, 'Nothing has been bought yet.'],
  ['8412', 'no-such-key', 'The bot has lost access to the ledger. A manager has been notified.'],
])('for the user %s with the key %s the page shows a message', async (user, key, text) => {
  await submit(user, key)
  await expect.element(page.getByRole('status')).toHaveTextContent(text)
  await expect.element(page.getByRole('table')).not.toBeInTheDocument()
})

it('the page shows a message when the service is down', async () => {
  mock.guild.fault({ kind: 'reset' })
  await submit('8412')
  await expect.element(page.getByRole('status')).toHaveTextContent('The ledger cannot be reached right now.')
})

it('with the fetch of the mock, the page works without a service worker', async () => {
  const own = createMockLedger({ transactions: 0, origin: mock.origin, apiKey: 'another-key' })
  own.guild.add([transaction({ platformId: '8412', name: 'Bow' })])

  await submit('8412', 'another-key', own.clientOptions)

  await expect.element(page.getByText('1 × Bow')).toBeVisible()
  mock.guild.expectRequests(0)
})

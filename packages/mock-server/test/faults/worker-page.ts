/** Offers the faults to a web page, behind MSW's service worker. */
import { createMockLedger } from '@guild-ledger/mock-server'
import { setupWorker } from 'msw/browser'
import { tryAll } from './try-all.ts'

const faults = async () => {
  const mock = createMockLedger()
  const network = setupWorker(...mock.handlers)
  await network.start({ quiet: true, onUnhandledFrame: 'error', serviceWorker: { url: '/mockServiceWorker.js' } })
  return {
    setupWorker: await tryAll('setupWorker', mock, { url: mock.origin, fetch: globalThis.fetch.bind(globalThis) }),
  }
}

Object.assign(globalThis, { faults })

import type { MockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { setupServer } from 'msw/node'
import { onTestFinished } from 'vitest'

/** The adapters of Node, each as a base URL and a `fetch`, until the test ends. */
export const nodeAdapters = {
  'mock.fetch': async (mock: MockLedger) => ({ url: mock.origin, fetch: mock.fetch }),
  setupServer: async (mock: MockLedger) => {
    const network = setupServer(...mock.handlers)
    network.listen({ onUnhandledFrame: 'error' })
    onTestFinished(() => network.close())
    return { url: mock.origin, fetch: globalThis.fetch }
  },
  'real HTTP': async (mock: MockLedger) => {
    const server = await startMockServer({ mock })
    onTestFinished(() => server.close())
    return { url: server.url, fetch: globalThis.fetch }
  },
}

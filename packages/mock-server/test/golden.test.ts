import { setupServer } from 'msw/node'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { goldenSuite, responsesThrough } from './golden/requests.ts'

/**
 * The golden suite through the adapters of Node; other runtimes print theirs with golden/print-responses.ts.
 *
 * @proves `mock.fetch`, MSW and the server send the same bytes
 * @against each other, on Node, Bun, Deno and in Chromium
 */

const suite = goldenSuite()
const golden = suite.requests.map((request) => {
  const { status, headers, body } = suite.mock.respond({ ...request, target: request.target || '/' })
  return { status, contentType: headers['content-type'] ?? null, body: request.method === 'HEAD' ? '' : body }
})
const statuses = golden.map(({ status }) => status)

describe('the 300 requests of the golden suite', () => {
  it('are of many kinds', () => {
    expect(golden).toHaveLength(300)
    expect([...new Set(statuses)].toSorted((a, b) => a - b)).toEqual([200, 400, 401, 404, 405])
    expect(new Set(golden.map(({ body }) => body)).size).toBeGreaterThan(100)
  })

  it('get the same responses from mock.fetch', async () => {
    const { mock, requests } = goldenSuite()

    expect(await responsesThrough(mock.fetch, mock.origin, requests)).toEqual(golden)
  })

  it('get the same responses from MSW', async () => {
    const { mock, requests } = goldenSuite()
    const network = setupServer(...mock.handlers)
    network.listen({ onUnhandledFrame: 'error' })
    onTestFinished(() => network.close())

    expect(await responsesThrough(fetch, mock.origin, requests)).toEqual(golden)
  })

  it('get the same responses over HTTP', async () => {
    const { mock, requests } = goldenSuite()
    await using server = await startMockServer({ mock })

    expect(await responsesThrough(fetch, server.url, requests)).toEqual(golden)
  })
})

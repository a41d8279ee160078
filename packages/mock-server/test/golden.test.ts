import { setupServer } from 'msw/node'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { goldenSuite, repliesThrough } from './golden/requests.ts'

/** The golden suite through the doors there are in Node; other runtimes print theirs with golden/print-replies.ts. */

const suite = goldenSuite()
const golden = suite.requests.map((request) => {
  const { status, headers, body } = suite.mock.answer({ ...request, target: request.target || '/' })
  return { status, contentType: headers['content-type'] ?? null, body: request.method === 'HEAD' ? '' : body }
})
const statuses = golden.map(({ status }) => status)

describe('300 requests', () => {
  it('are of many kinds', () => {
    expect(golden).toHaveLength(300)
    expect([...new Set(statuses)].toSorted((a, b) => a - b)).toEqual([200, 400, 401, 404, 405])
    expect(new Set(golden.map(({ body }) => body)).size).toBeGreaterThan(100)
  })

  it('are answered alike by mock.fetch', async () => {
    const { mock, requests } = goldenSuite()

    expect(await repliesThrough(mock.fetch, mock.origin, requests)).toEqual(golden)
  })

  it('are answered alike by MSW', { timeout: 30_000 }, async () => {
    const { mock, requests } = goldenSuite()
    const network = setupServer(...mock.handlers)
    network.listen({ onUnhandledFrame: 'error' })
    onTestFinished(() => network.close())

    expect(await repliesThrough(fetch, mock.origin, requests)).toEqual(golden)
  })

  it('are answered alike over HTTP', { timeout: 30_000 }, async () => {
    const { mock, requests } = goldenSuite()
    await using server = await startMockServer({ mock })

    expect(await repliesThrough(fetch, server.url, requests)).toEqual(golden)
  })
})

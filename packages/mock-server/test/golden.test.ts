import { describe, expect, it } from 'vitest'
import { goldenSuite, responsesThrough } from './golden/requests.ts'
import { nodeAdapters } from './node-adapters.ts'

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

  it.each(Object.entries(nodeAdapters))('get the same responses from %s', async (_name, open) => {
    const { mock, requests } = goldenSuite()
    const { url, fetch } = await open(mock)

    expect(await responsesThrough(fetch, url, requests)).toEqual(golden)
  })
})

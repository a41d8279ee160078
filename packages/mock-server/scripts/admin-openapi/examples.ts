import { createMockLedger } from '@guild-ledger/mock-server'
import { createMockClock } from '@guild-ledger/mock-server/admin'
import { paths } from '@guild-ledger/sdk/contract'
import { parseBody } from '../../src/admin/body.ts'
import type { AdminRoute } from '../../src/admin/route.ts'
import { createSnapshotStore } from '../../src/admin/snapshots.ts'

/** The example request body of a route, as it is sent. */
const exampleBody = ({ requestBody }: AdminRoute): string => {
  if (!requestBody) return ''
  return 'text' in requestBody ? String(requestBody.example) : JSON.stringify(requestBody.example)
}

// The values of keys depend on how many mocks a process has created.
const maskKeyValues = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) => (['value', 'apiKey'].includes(name) ? 'mock_…' : value))

/**
 * The response of a route in a small seeded mock with one transaction, one request and one fault. Undefined for routes
 * without a response body, for those that wait and for those whose response would be long.
 */
export const exampleResponse = (route: AdminRoute): unknown => {
  if (!route.response || /Description$|Assumptions$/.test(route.operationId)) return undefined
  const clock = createMockClock(() => Date.parse('2026-03-01T00:00:00Z'))
  const mock = createMockLedger({ transactions: 1, users: 1, now: clock.now, apiKey: 'mock_key' })
  mock.respond({ method: 'GET', target: `${paths.guild}?from=shop`, apiKey: 'mock_key' })
  mock.guild.fault({ kind: 'internal-error', endpoint: 'guild', times: 1 })
  const snapshots = createSnapshotStore()
  const body = parseBody(route, exampleBody(route))
  const { signal } = new AbortController()
  const response = route.run({ mock, clock, snapshots, signal, pathParameters: ['guild-1'], ...body })
  return response instanceof Promise ? undefined : maskKeyValues(response)
}

import { createMockLedger } from '@guild-ledger/mock-server'
import { createAdmin, createMockClock, type AdminOptions } from '@guild-ledger/mock-server/admin'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { onTestFinished } from 'vitest'
import { list, sendRequest } from './raw-http.ts'

/** Starts a mock server with an admin API. */
export const startAdmin = async (options: AdminOptions = {}) => {
  const clock = createMockClock(() => Date.parse('2026-03-01T00:00:00Z'))
  const mock = createMockLedger({ transactions: 5, users: 2, now: clock.now })
  const server = await startMockServer({ mock, routes: createAdmin(mock, { clock, ...options }) })
  onTestFinished(() => server.close())
  const admin = async (call: string, given?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = call.split(' ')
    const text = given === undefined || typeof given === 'string' ? given : JSON.stringify(given)
    const response = await sendRequest(server, path, { host: `127.0.0.1:${server.port}`, ...headers }, method, text)
    const content = response.body.toString()
    const body = (content === '' ? null : JSON.parse(content)) as unknown
    return { status: response.status, headers: response.headers, body }
  }
  const service = (apiKey = mock.apiKey) => sendRequest(server, list, { 'x-api-key': apiKey })
  const total = async (apiKey?: string) =>
    (JSON.parse((await service(apiKey)).body.toString()) as { pagination: { total: number } }).pagination.total
  return { mock, clock, server, admin, service, total }
}

import description from '@guild-ledger/mock-server/admin.openapi.json' with { type: 'json' }
import { createMockLedger } from '@guild-ledger/mock-server'
import { createAdmin, createMockClock, type AdminOptions } from '@guild-ledger/mock-server/admin'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { expect, onTestFinished } from 'vitest'
import { createDescriptionValidator } from './description-validator.ts'
import { list, sendRequest } from './raw-http.ts'

const validator = await createDescriptionValidator(description)

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: unknown }>> }
  readonly responses: Readonly<Record<string, unknown>>
}

/** All operations of the description. */
export const operations = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    operation,
  })),
)

const operationAt = (method: string, path: string) =>
  operations.find((one) => one.method === method && one.pattern.test(path))?.operation

/** Whether a body is valid by the description. */
export const allowsBody = (method: string, path: string, body: unknown): boolean => {
  const operation = operationAt(method, path)
  const request = { method, path, headers: { 'content-type': 'application/json' }, body }
  return operation !== undefined && validator.validateRequest(request, operation.operationId).valid
}

/** How a response violates the description. */
const violationsOf = (method: string, path: string, status: number, body: unknown): unknown[] => {
  const operation = operationAt(method, path)
  if (!operation) return [404, 405].includes(status) ? [] : [`no operation is ${method} ${path}`]
  if (!Object.hasOwn(operation.responses, status)) return [`status ${status} is not described`]
  if (status === 204) return body === null ? [] : ['a body with status 204']
  return validator.validateResponse(body, operation.operationId, status).errors ?? []
}

/** Starts a mock server with an admin API. Every response of the admin API is validated against the description. */
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
    expect(violationsOf(method, path, response.status, body)).toEqual([])
    return { status: response.status, headers: response.headers, body }
  }
  const service = (apiKey = mock.apiKey) => sendRequest(server, list, { 'x-api-key': apiKey })
  const total = async (apiKey?: string) =>
    (JSON.parse((await service(apiKey)).body.toString()) as { pagination: { total: number } }).pagination.total
  return { mock, clock, server, admin, service, total }
}

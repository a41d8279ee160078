import description from '@guild-ledger/mock-server/admin.openapi.json' with { type: 'json' }
import { createMockLedger } from '@guild-ledger/mock-server'
import { createAdmin, createClock, type AdminOptions } from '@guild-ledger/mock-server/admin'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { expect, onTestFinished } from 'vitest'
import { createDescriptionValidator } from './description-validator.ts'
import { ask, list } from './raw-http.ts'

const validator = await createDescriptionValidator(description)

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: unknown }>> }
  readonly responses: Readonly<Record<string, unknown>>
}

/** All operations as they are described. */
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

/** Whether the description allows this body. */
export const allowsBody = (method: string, path: string, body: unknown): boolean => {
  const operation = operationAt(method, path)
  const request = { method, path, headers: { 'content-type': 'application/json' }, body }
  return operation !== undefined && validator.validateRequest(request, operation.operationId).valid
}

/** What the description says against a reply. */
const flawsOf = (method: string, path: string, status: number, body: unknown): unknown[] => {
  const operation = operationAt(method, path)
  if (!operation) return [404, 405].includes(status) ? [] : [`no operation is ${method} ${path}`]
  if (!Object.hasOwn(operation.responses, status)) return [`status ${status} is not described`]
  if (status === 204) return body === null ? [] : ['a body with status 204']
  return validator.validateResponse(body, operation.operationId, status).errors ?? []
}

/** A mock behind HTTP with an admin API, whose every reply is held against its description. */
export const startAdmin = async (options: AdminOptions = {}) => {
  const clock = createClock(() => Date.parse('2026-03-01T00:00:00Z'))
  const mock = createMockLedger({ transactions: 5, users: 2, now: clock.now })
  const server = await startMockServer({ mock, beside: createAdmin(mock, { clock, ...options }) })
  onTestFinished(() => server.close())
  const admin = async (call: string, given?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = call.split(' ')
    const text = given === undefined || typeof given === 'string' ? given : JSON.stringify(given)
    const reply = await ask(server, path, { host: `127.0.0.1:${server.port}`, ...headers }, method, text)
    const written = reply.body.toString()
    const body = (written === '' ? null : JSON.parse(written)) as unknown
    expect(flawsOf(method, path, reply.status, body)).toEqual([])
    return { status: reply.status, headers: reply.headers, body }
  }
  const service = (apiKey = mock.apiKey) => ask(server, list, { 'x-api-key': apiKey })
  const total = async (apiKey?: string) =>
    (JSON.parse((await service(apiKey)).body.toString()) as { pagination: { total: number } }).pagination.total
  return { mock, clock, server, admin, service, total }
}

/**
 * Checks the OpenAPI descriptions that the packages ship with third-party tools: a linter, and clients with generated
 * types, for the service and for the admin API. The types are checked by the script `types`.
 */
import { fileURLToPath } from 'node:url'
import { createMockLedger } from '@guild-ledger/mock-server'
import { createAdmin } from '@guild-ledger/mock-server/admin'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { createConfig, lint } from '@redocly/openapi-core'
import createClient from 'openapi-fetch'
import type { paths as AdminPaths } from './out/admin.d.ts'
import type { components, paths } from './out/ledger.d.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
const expectSame = (what: string, actual: unknown, expected: unknown) => {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return
  throw new Error(`${what}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`)
}

// The licence of the service is unspecified.
const config = await createConfig({ extends: ['recommended-strict'], rules: { 'info-license': 'off' } })
for (const file of ['@guild-ledger/sdk/openapi.json', '@guild-ledger/mock-server/admin.openapi.json']) {
  const problems = await lint({ ref: fileURLToPath(import.meta.resolve(file)), config })
  for (const { ruleId, message, location } of problems) say(`${ruleId}: ${message} (${location[0]?.pointer})`)
  expectSame(`problems that Redocly finds in ${file}`, problems.length, 0)
  say(`Redocly: no problem in ${file}`)
}

const mock = createMockLedger({ seed: 1, users: 5, transactions: 120 })
await using server = await startMockServer({ mock, routes: createAdmin(mock) })
const baseUrl = server.url

const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': mock.apiKey } })
const all = await client.GET('/guild/ledger/transactions', { params: { query: { limit: 5, sortBy: 'name' } } })
const transactions: components['schemas']['Transaction'][] = all.data?.data.flatMap((group) => group.transactions) ?? []
expectSame('transactions on the page', [transactions.length, all.data?.pagination.total], [5, 120])

const platformId = all.data?.data[0]?.platformId ?? ''
const path = { platformId }
const one = await client.GET('/guild/ledger/{platformId}/transactions', { params: { path, query: { limit: 1 } } })
expectSame('the user', one.data?.data.platformId, platformId)
expectSame('transactions of the user', one.data?.data.transactions.length, 1)

// @ts-expect-error the spec does not allow sorting one user's transactions by name
await client.GET('/guild/ledger/{platformId}/transactions', { params: { path, query: { sortBy: 'name' } } })

const headers = { 'x-api-key': 'wrong-key' }
const rejected = await client.GET('/guild/ledger/transactions', { headers })
expectSame('message', rejected.error?.message, 'Unauthorized - invalid API key')
say('openapi-typescript and openapi-fetch: list pages of both endpoints, and recognise a wrong key')

const admin = createClient<AdminPaths>({ baseUrl })
const created = await admin.POST('/_mock/guilds', { body: { transactions: 3, assumptions: { pageUnit: 'group' } } })
const id = created.data?.id ?? ''
expectSame('the guild', [id, created.data?.transactions, created.data?.assumptions.pageUnit], ['guild-2', 3, 'group'])

const guild = { params: { path: { id } } }
await admin.POST('/_mock/guilds/{id}/faults', { ...guild, body: { kind: 'status', status: 503, times: 2 } })
const failed = await client.GET('/guild/ledger/transactions', { headers: { 'x-api-key': created.data?.apiKey ?? '' } })
const faults = await admin.GET('/_mock/guilds/{id}/faults', guild)
expectSame('the fault', [failed.response.status, faults.data?.[0]?.happened, faults.data?.[0]?.left], [503, 1, 1])

// @ts-expect-error there is no such value
const wrong = await admin.PATCH('/_mock/guilds/{id}', { ...guild, body: { assumptions: { pageUnit: 'user' } } })
expectSame('message', wrong.error?.message.includes('must be one of transaction, group'), true)
say('openapi-typescript and openapi-fetch: create a guild, script a fault, and recognise a wrong assumption value')

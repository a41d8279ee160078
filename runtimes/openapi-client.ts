/**
 * Checks the OpenAPI description that the SDK ships with third-party tools: a linter, and a client with generated types.
 * The types are checked by the script `types`.
 */
import { fileURLToPath } from 'node:url'
import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { createConfig, lint } from '@redocly/openapi-core'
import createClient from 'openapi-fetch'
import type { components, paths } from './out/ledger.d.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
const expectSame = (what: string, actual: unknown, expected: unknown) => {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return
  throw new Error(`${what}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`)
}

// The licence of the service is unspecified.
const config = await createConfig({ extends: ['recommended-strict'], rules: { 'info-license': 'off' } })
const problems = await lint({ ref: fileURLToPath(import.meta.resolve('@guild-ledger/sdk/openapi.json')), config })
for (const { ruleId, message, location } of problems) say(`${ruleId}: ${message} (${location[0]?.pointer})`)
expectSame('problems that Redocly finds', problems.length, 0)
say('Redocly: no problem')

const mock = createMockLedger({ seed: 1, users: 5, transactions: 120 })
await using server = await startMockServer({ mock })
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

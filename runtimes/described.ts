/**
 * Lets others read what the packages ship in OpenAPI: a linter the descriptions of the service and of the admin API, and
 * a client that a generator made of the former, which lists pages over HTTP. That its types fit is checked by `types`.
 */
import { fileURLToPath } from 'node:url'
import { createConfig, lint } from '@redocly/openapi-core'
import createClient from 'openapi-fetch'
import type { components, paths } from './out/ledger.d.ts'
import { startServers } from './servers.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
const expectSame = (what: string, actual: unknown, expected: unknown) => {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return
  throw new Error(`${what}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`)
}

// Under which licence the service may be used is not shown.
const config = await createConfig({ extends: ['recommended-strict'], rules: { 'info-license': 'off' } })
for (const shipped of ['@guild-ledger/sdk/openapi.json', '@guild-ledger/mock-server/admin.openapi.json']) {
  const problems = await lint({ ref: fileURLToPath(import.meta.resolve(shipped)), config })
  for (const { ruleId, message, location } of problems) say(`${ruleId}: ${message} (${location[0]?.pointer})`)
  expectSame(`problems that Redocly finds in ${shipped}`, problems.length, 0)
  say(`Redocly: finds no problem in ${shipped}`)
}

const servers = await startServers(() => '')
try {
  const { mock: baseUrl, apiKey } = servers.addresses
  const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': apiKey } })

  const all = await client.GET('/guild/ledger/transactions', { params: { query: { limit: 5, sortBy: 'name' } } })
  const rows: components['schemas']['Transaction'][] = all.data?.data.flatMap((group) => group.transactions) ?? []
  expectSame('rows on the page', [rows.length, all.data?.pagination.total], [5, 120])

  const platformId = all.data?.data[0]?.platformId ?? ''
  const path = { platformId }
  const one = await client.GET('/guild/ledger/{platformId}/transactions', { params: { path, query: { limit: 1 } } })
  expectSame('the user', one.data?.data.platformId, platformId)
  expectSame('rows of the user', one.data?.data.transactions.length, 1)

  // @ts-expect-error the document does not allow sorting one user's transactions by name
  await client.GET('/guild/ledger/{platformId}/transactions', { params: { path, query: { sortBy: 'name' } } })

  const headers = { 'x-api-key': 'wrong-key' }
  const refused = await client.GET('/guild/ledger/transactions', { headers })
  expectSame('message', refused.error?.message, 'Unauthorized - invalid API key')
  say('openapi-typescript and openapi-fetch: lists a page of all and of one user, and tells a wrong key')
} finally {
  servers.close()
}

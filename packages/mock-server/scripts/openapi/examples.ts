import { endpoints, paths, type Endpoint, type GuildResponse } from '@guild-ledger/sdk/contract'
import { createMockLedger } from '@guild-ledger/mock-server'
import { described } from './operations.ts'

const mock = createMockLedger({ seed: 1, users: 3, transactions: 8, rateLimit: 'off' })
const get = (target: string): unknown => JSON.parse(mock.respond({ method: 'GET', target, apiKey: mock.apiKey }).body)

const guild = get(`${paths.guild}?limit=1`) as GuildResponse
const [{ platformId, transactions: [transaction] } = { platformId: '', transactions: [] }] = guild.data
if (!transaction) throw new Error('The seeded ledger has no transaction to use as an example.')

/** A seeded transaction with its user. Its values are the examples of fields and parameters. */
export const exampleTransaction = { ...transaction, platformId }

const exampleOf = (endpoint: Endpoint) => {
  const [query, summary] = described[endpoint].example
  const value = get(`${paths[endpoint].replace('{platformId}', platformId)}?${query}`)
  return { summary: `${summary}, requested with \`${query}\``, value }
}

/** A seeded response of each endpoint. */
export const exampleResponses = Object.fromEntries(
  endpoints.map((endpoint) => [endpoint, exampleOf(endpoint)]),
) as Readonly<Record<Endpoint, ReturnType<typeof exampleOf>>>

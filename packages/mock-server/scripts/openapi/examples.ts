import { paths, type GuildResponse, type UserResponse } from '@guild-ledger/sdk/contract'
import { createMockLedger } from '@guild-ledger/mock-server'

const mock = createMockLedger({ seed: 1, users: 3, transactions: 8, rateLimit: 'off' })
const get = (target: string): unknown => JSON.parse(mock.respond({ method: 'GET', target, apiKey: mock.apiKey }).body)

const guild = get(`${paths.guild}?limit=3`) as GuildResponse
const [{ platformId, transactions: [transaction] } = { platformId: '', transactions: [] }] = guild.data
if (!transaction) throw new Error('The seeded ledger has no transaction to use as an example.')

/** A seeded transaction with its user. Its values are the examples of fields and parameters. */
export const exampleTransaction = { ...transaction, platformId }

/** A seeded response of each endpoint. */
export const exampleResponses = {
  guild: { summary: 'Three transactions of a seeded ledger, requested with `limit=3`', value: guild },
  user: {
    summary: 'Two transactions of one user of the same ledger, requested with `limit=2`',
    value: get(`${paths.user.replace('{platformId}', platformId)}?limit=2`) as UserResponse,
  },
}

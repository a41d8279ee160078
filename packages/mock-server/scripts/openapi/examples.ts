import { paths, type GuildReply, type UserReply } from '@guild-ledger/sdk/contract'
import { createMockLedger } from '@guild-ledger/mock-server'

const mock = createMockLedger({ seed: 1, users: 3, transactions: 8, rateLimit: 'off' })
const asked = (target: string): unknown => JSON.parse(mock.answer({ method: 'GET', target, apiKey: mock.apiKey }).body)

const guild = asked(`${paths.guild}?limit=3`) as GuildReply
const [{ platformId, transactions: [transaction] } = { platformId: '', transactions: [] }] = guild.data
if (!transaction) throw new Error('The seeded ledger has no transaction to show.')

/** A seeded transaction with its user: what fields and parameters are shown by. */
export const row = { ...transaction, platformId }

/** A seeded reply of each endpoint. */
export const pages = {
  guild: { summary: 'Three transactions of a seeded ledger, asked for with `limit=3`', value: guild },
  user: {
    summary: 'Two transactions of a user of the same ledger, asked for with `limit=2`',
    value: asked(`${paths.user.replace('{platformId}', platformId)}?limit=2`) as UserReply,
  },
}

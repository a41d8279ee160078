import { refusals, type Endpoint } from '@guild-ledger/sdk/contract'
import { said, type Said } from './said.ts'
import { refTo } from './schemas.ts'

const rateHeaders = 'which headers tell how much of the rate limit is left'

/** When the service refuses. Spec: Errors. */
const conditions: Record<keyof typeof refusals, Said> = {
  missingGuildId: {
    is: 'The guild identifier is missing.',
    open: ['how it reaches the service other than through the key', 'whether wrong parameters get this status too'],
  },
  invalidApiKey: {
    is: 'The API key is invalid.',
    open: ['whether a key that is missing, has expired or lacks the scope gets this status too'],
  },
  noGuildTransactions: {
    is: 'The guild has no transactions to show.',
    open: ['whether filters that match nothing, or a page after the last, count as that'],
  },
  noUserTransactions: {
    is: 'The user has no transactions to show.',
    open: ['whether filters that match nothing, or a page after the last, count as that'],
  },
  guildTransactionsFailed: { is: 'The service failed to list the transactions of the guild.' },
  userTransactionsFailed: { is: 'The service failed to list the transactions of the user.' },
}

const success: Record<Endpoint, Said> = {
  guild: { is: 'A page of transactions, grouped by user, with a summary.', open: [rateHeaders] },
  user: { is: "A page of the user's transactions. There is no summary.", open: [rateHeaders] },
}

const otherwise: Said = {
  is: 'Any other error. All errors have this body.',
  open: [
    'status and message for a request above the rate limit, and which headers tell when to come back',
    'for a key that has expired or lacks the scope',
    'for a guild without an active subscription',
    'for a parameter out of range, malformed, unlisted or given twice',
  ],
}

const json = (schema: Parameters<typeof refTo>[0], examples?: object) => ({
  content: { 'application/json': { schema: { $ref: refTo(schema) }, ...(examples && { examples }) } },
})

/** The replies of an endpoint by status. `page` is a reply to show. */
export const responsesOf = (endpoint: Endpoint, page: { summary: string; value: unknown }) => {
  const refused = Object.entries(refusals)
    .filter(([, { endpoints }]) => (endpoints as readonly Endpoint[]).includes(endpoint))
    .map(([name, { status, message, code }]) => {
      const words = conditions[name as keyof typeof refusals]
      const example = { summary: words.is, value: { success: false, message } }
      return [status, { description: said(words), ...json('ErrorBody', { [code]: example }) }] as const
    })
  const reply = json(endpoint === 'guild' ? 'GuildReply' : 'UserReply', { seeded: page })
  return {
    200: { description: said(success[endpoint]), ...reply },
    ...Object.fromEntries(refused),
    default: { description: said(otherwise), ...json('ErrorBody') },
  }
}

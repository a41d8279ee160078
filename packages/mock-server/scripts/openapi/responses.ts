import { documentedErrors, type Endpoint } from '@guild-ledger/sdk/contract'
import { describe, type Description } from './describe.ts'
import { refTo } from './schemas.ts'

const rateLimitHeaders = 'rate-limit response headers'
const emptyResults = 'whether filters that match nothing, or a page after the last one, get this response too'

/** When the service responds with each documented error. Spec: Errors. */
const conditions: Record<keyof typeof documentedErrors, Description> = {
  missingGuildId: {
    text: 'The guild identifier is missing.',
    unspecified: [
      'how the guild identifier reaches the service other than through the key',
      'whether invalid parameters get this status too',
    ],
  },
  invalidApiKey: {
    text: 'The API key is invalid.',
    unspecified: ['whether a key that is missing, has expired or lacks the scope gets this status too'],
  },
  noGuildTransactions: { text: 'The guild has no transactions.', unspecified: [emptyResults] },
  noUserTransactions: { text: 'The user has no transactions.', unspecified: [emptyResults] },
  guildTransactionsFailed: { text: 'Internal failure while listing the transactions of the guild.' },
  userTransactionsFailed: { text: 'Internal failure while listing the transactions of the user.' },
}

const success: Record<Endpoint, Description> = {
  guild: { text: 'A page of transactions, grouped by user, with a summary.', unspecified: [rateLimitHeaders] },
  user: { text: "A page of the user's transactions. There is no summary.", unspecified: [rateLimitHeaders] },
}

const otherErrors: Description = {
  text: 'Any other error. All errors have this body.',
  unspecified: [
    'status and message of a request above the rate limit, and its rate-limit headers',
    'those of a key that has expired or lacks the scope',
    'those of a guild without an active subscription',
    'those of a parameter that is out of range, malformed, unknown or repeated',
  ],
}

const json = (schema: Parameters<typeof refTo>[0], examples?: object) => ({
  content: { 'application/json': { schema: { $ref: refTo(schema) }, ...(examples && { examples }) } },
})

/** Describes the responses of an endpoint by status, with `example` for status 200. */
export const responsesOf = (endpoint: Endpoint, example: { summary: string; value: unknown }) => {
  const errors = Object.entries(documentedErrors)
    .filter(([, { endpoints }]) => (endpoints as readonly Endpoint[]).includes(endpoint))
    .map(([name, { status, message, code }]) => {
      const condition = conditions[name as keyof typeof documentedErrors]
      const errorExample = { summary: condition.text, value: { success: false, message } }
      return [status, { description: describe(condition), ...json('ErrorBody', { [code]: errorExample }) }] as const
    })
  const body = json(endpoint === 'guild' ? 'GuildResponse' : 'UserResponse', { seeded: example })
  return {
    200: { description: describe(success[endpoint]), ...body },
    ...Object.fromEntries(errors),
    default: { description: describe(otherErrors), ...json('ErrorBody') },
  }
}

import { documentedErrors, type Endpoint } from '@guild-ledger/sdk/contract'
import { commentsIn } from '../../../sdk/scripts/comments.ts'
import { describe, type Description } from './describe.ts'
import { refTo } from './schemas.ts'

const rateLimitHeaders = 'rate-limit response headers'

const comments = commentsIn(
  new URL('../../../sdk/src/contract/documented-errors.ts', import.meta.url),
  'const documentedErrors',
)

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
      const condition = comments.get(name)
      if (!condition) throw new Error(`${name} has no comment in contract/documented-errors.ts.`)
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

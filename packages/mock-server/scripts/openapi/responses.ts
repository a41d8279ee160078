import { errorCodes } from '@guild-ledger/sdk'
import {
  documentedErrors,
  operations,
  type DocumentedError,
  type Endpoint,
  type OperationFacts,
} from '@guild-ledger/sdk/contract'
import { describe, type Description } from './describe.ts'
import { described } from './operations.ts'
import { refTo } from './schemas.ts'

const rateLimitHeaders = 'rate-limit response headers'

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

const ownErrors = ({ nothingFound, failed }: OperationFacts): DocumentedError[] => [nothingFound, failed]
const ofOneOperation = new Set(Object.values(operations).flatMap(ownErrors))

/** Describes the responses of an endpoint by status, with `example` for status 200. */
export const responsesOf = (endpoint: Endpoint, example: { summary: string; value: unknown }) => {
  const errors = Object.values(documentedErrors)
    .filter((error) => !ofOneOperation.has(error) || ownErrors(operations[endpoint]).includes(error))
    .map(({ status, message, code }) => {
      const { cause, unspecified } = errorCodes[code]
      const errorExample = { summary: cause, value: { success: false, message } }
      return [
        status,
        { description: describe({ text: cause, unspecified }), ...json('ErrorBody', { [code]: errorExample }) },
      ] as const
    })
  const { success, body } = described[endpoint]
  return {
    200: {
      description: describe({ text: success, unspecified: [rateLimitHeaders] }),
      ...json(body, { seeded: example }),
    },
    ...Object.fromEntries(errors),
    default: { description: describe(otherErrors), ...json('ErrorBody') },
  }
}

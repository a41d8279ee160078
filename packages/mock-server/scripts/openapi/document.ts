import { apiKeyHeader, endpoints, limits, paths, requiredScope, type Endpoint } from '@guild-ledger/sdk/contract'
import { describe } from './describe.ts'
import { exampleResponses, exampleTransaction } from './examples.ts'
import { described } from './operations.ts'
import { parametersOf } from './parameters.ts'
import { responsesOf } from './responses.ts'
import { createSchemas } from './schemas.ts'

const rateLimit = describe({
  text: `At most ${limits.requestsPerSecond} requests per second.`,
  unspecified: ['whether the limit applies per key, guild or address'],
})

const operationOf = (endpoint: Endpoint) => {
  const { operationId, summary, text } = described[endpoint]
  return {
    operationId,
    summary,
    description: `${text} ${rateLimit}`,
    tags: ['transactions'],
    security: [{ apiKey: [requiredScope] }],
    parameters: parametersOf(endpoint, exampleTransaction),
    responses: responsesOf(endpoint, exampleResponses[endpoint]),
  }
}

const info = {
  title: 'Guild Ledger Transactions Service',
  version: '1.0.0',
  summary: "Read-only access to the transactions of one guild's ledger.",
  description: describe({
    text: 'Two operations that read the ledger of the guild an API key is bound to. The descriptions state what the spec says, and after "Unspecified:" what it leaves open. No path has a version segment.',
    unspecified: [
      'compatibility policy, deprecation rules and version negotiation',
      'events, webhooks or other notifications',
      'operations that create, change or delete transactions',
    ],
  }),
}

const apiKey = {
  type: 'apiKey',
  in: 'header',
  name: apiKeyHeader,
  description: describe({
    text: `A key that a guild manager creates in the web dashboard of the service. The guild needs an active Developer or Enterprise subscription. A key has a name, one guild, scopes and an expiration date. Its value is displayed only once, at its creation; a lost key cannot be recovered. Both operations require the scope \`${requiredScope}\`.`,
    unspecified: [
      'format and length of the value',
      'other scope names',
      'other fields of the key record',
      'the maximum number of keys per guild',
      'how the guild identifier reaches the service other than through the key',
    ],
  }),
}

/** The OpenAPI description of the service: every fact of the spec, and what the spec leaves open. Spec: Versioning. */
const openapiDocument = {
  openapi: '3.1.1',
  info,
  servers: [
    {
      url: '{base_url}',
      description: describe({ text: 'The service.', unspecified: ['its address'] }),
      variables: {
        base_url: {
          default: 'http://127.0.0.1:4010',
          description: 'Base URL without a slash at the end. The default is that of `guild-ledger-mock`.',
        },
      },
    },
  ],
  tags: [{ name: 'transactions', description: "Transactions of the guild's ledger." }],
  paths: {
    '/guild/discharges': {
      description: describe({
        text: 'A path that a key-usage example of the spec names, with method GET.',
        unspecified: ['its parameters and responses'],
      }),
    },
    ...Object.fromEntries(endpoints.map((endpoint) => [paths[endpoint], { get: operationOf(endpoint) }])),
  },
  components: { securitySchemes: { apiKey }, schemas: createSchemas(exampleTransaction) },
}

/** The description as it is shipped. */
export const openapiText = `${JSON.stringify(openapiDocument, null, 2)}\n`

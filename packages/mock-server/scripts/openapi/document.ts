import { apiKeyHeader, limits, paths, requiredScope, type Endpoint } from '@guild-ledger/sdk/contract'
import { pages, row } from './examples.ts'
import { parametersOf } from './parameters.ts'
import { responsesOf } from './responses.ts'
import { said, type Said } from './said.ts'
import { schemasWith } from './schemas.ts'

const paced: Said = {
  is: `At most ${limits.requestsPerSecond} requests per second.`,
  open: ['whether they are counted by key, by guild or by address'],
}

const operations: Record<Endpoint, { operationId: string; summary: string; is: string }> = {
  guild: {
    operationId: 'listGuildTransactions',
    summary: 'Transactions of all users, grouped by user',
    is: 'Lists the transactions of all users of the guild, grouped by user: paginated, filtered, sorted.',
  },
  user: {
    operationId: 'listUserTransactions',
    summary: 'Transactions of one user',
    is: 'Lists the transactions of one user of the guild: paginated, filtered, sorted.',
  },
}

const operationOf = (endpoint: Endpoint) => {
  const { is, ...names } = operations[endpoint]
  return {
    ...names,
    description: `${is} ${said(paced)}`,
    tags: ['transactions'],
    security: [{ apiKey: [requiredScope] }],
    parameters: parametersOf(endpoint, row),
    responses: responsesOf(endpoint, pages[endpoint]),
  }
}

const info = {
  title: 'Guild Ledger Transactions Service',
  version: '1.0.0',
  summary: "The transactions of one guild's ledger, to read.",
  description: said({
    is: 'Two operations that read the ledger of the guild an API key is bound to. This description says what is documented; a sentence that ends in "not shown" names something that is not. No path has a version segment.',
    open: [
      'what stays compatible, how something is deprecated and how a version is agreed on',
      'events, webhooks or other notifications',
      'operations that create, change or delete transactions',
    ],
  }),
}

const apiKey = {
  type: 'apiKey',
  in: 'header',
  name: apiKeyHeader,
  description: said({
    is: `A key made in the dashboard of the service by someone who manages the guild, which needs an active Developer or Enterprise subscription. It has a name, one guild, scopes and a date on which it expires; its value is displayed once, when it is made, and can not be had again. Both operations need the scope \`${requiredScope}\`.`,
    open: [
      'format and length of the value',
      'the names of other scopes',
      'what else is recorded of a key',
      'how many keys a guild may have',
      'how the guild is named other than by the key',
    ],
  }),
}

/** The description of the service: every fact from the contract, every silence where it matters. Spec: Versioning. */
const openapiDocument = {
  openapi: '3.1.1',
  info,
  servers: [
    {
      url: '{base_url}',
      description: said({ is: 'Where the service stands.', open: ['its address'] }),
      variables: {
        base_url: {
          default: 'http://127.0.0.1:4010',
          description: 'Base address without a slash at its end; unless given, where `guild-ledger-mock` listens.',
        },
      },
    },
  ],
  tags: [{ name: 'transactions', description: "Reading the guild's ledger." }],
  paths: {
    [paths.guild]: { get: operationOf('guild') },
    [paths.user]: { get: operationOf('user') },
    '/guild/discharges': {
      description: said({
        is: 'Named by an example of how to use a key, as a path to ask with GET.',
        open: ['its parameters and replies'],
      }),
    },
  },
  components: { securitySchemes: { apiKey }, schemas: schemasWith(row) },
}

/** The same as text, as it is shipped. */
export const openapiText = `${JSON.stringify(openapiDocument, null, 2)}\n`

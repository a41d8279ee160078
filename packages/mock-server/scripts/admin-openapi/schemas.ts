import { requiredScope } from '@guild-ledger/sdk/contract'
import { schemaRef, string, type Schema } from '../../src/admin/route.ts'
import { matcherFields } from '../../src/admin/routes/requests.ts'
import { exampleTransaction } from '../openapi/examples.ts'
import { createSchemas } from '../openapi/schemas.ts'
import { assumptionSchemas } from './assumption-schemas.ts'
import { faultSchemas } from './fault-schemas.ts'
import { count, objectSchema } from './object-schema.ts'

const dateTime = { type: 'string', format: 'date-time' }
const service = createSchemas(exampleTransaction)

const guildFields = {
  id: ['Id of the guild in paths.', string],
  subscription: ['Subscription plan of the guild.', schemaRef('Subscription')],
  rateLimit: ['Requests per second.', schemaRef('RateLimit')],
  assumptions: ['The current values of the assumptions.', schemaRef('Assumptions')],
  keys: ['Number of keys.', count],
  transactions: ['Number of transactions.', count],
} as const

const keyFields = {
  id: ['Id of the key in paths and logs.', string],
  name: ['Free text.', string],
  guildId: ['The guild it is bound to; `null` for none.', { type: ['string', 'null'] }],
  scopes: ['Scopes of the key.', { type: 'array', items: { const: requiredScope } }],
  expiresAt: ['Expiration date, in UTC.', dateTime],
} as const

const oneOrMore = { anyOf: [string, { type: 'array', items: string }] }

const ledgerEntry = {
  description: 'A transaction with the user it belongs to.',
  type: 'object',
  required: ['platformId', ...(service['Transaction']?.required ?? [])],
  properties: {
    platformId: service['UserGroup']?.properties?.['platformId'],
    ...service['Transaction']?.properties,
  },
}

/** Schemas of the bodies of the admin API, by name. */
export const schemas: Readonly<Record<string, Schema>> = {
  Guild: objectSchema('The current state of a guild.', guildFields),
  CreatedGuild: objectSchema('A guild at its creation.', {
    ...guildFields,
    apiKey: ['Value of its first key. It is shown only here.', string],
  }),
  Subscription: {
    description: 'A plan. With `none`, requests with keys of the guild are rejected and no more keys can be created.',
    enum: ['developer', 'enterprise', 'none'],
  },
  RateLimit: {
    description: 'Requests per second, or `off`.',
    anyOf: [{ type: 'integer', minimum: 1, maximum: 1_000_000 }, { const: 'off' }],
  },
  Key: objectSchema('A key, without its value.', keyFields),
  CreatedKey: objectSchema('A key at its creation.', {
    ...keyFields,
    value: ['Value of the key. It is shown only here.', string],
  }),
  LedgerEntry: ledgerEntry,
  TransactionDraft: {
    ...ledgerEntry,
    description: 'Some fields of a transaction.',
    required: [],
    additionalProperties: false,
  },
  SeenResponse: objectSchema('A request with the response it got.', {
    request: ['The request.', schemaRef('LoggedRequest')],
    headers: [
      'Headers of the response, without those of every response.',
      { type: 'object', additionalProperties: string },
    ],
    body: ['Body of the response.', string],
  }),
  Endpoint: { description: 'An endpoint of the service: list-all or one user.', enum: ['guild', 'user'] },
  LoggedRequest: objectSchema('A request of the service, and its response.', {
    method: ['HTTP method.', string],
    path: ['Path as sent, percent-encoded.', string],
    endpoint: [
      'The endpoint; `null` for a path that is neither.',
      { anyOf: [schemaRef('Endpoint'), { type: 'null' }] },
    ],
    platformId: ['The user in the path, on the one-user endpoint.', string, 'optional'],
    query: [
      'The query parameters as sent; an array where one was repeated.',
      { type: 'object', additionalProperties: oneOrMore },
    ],
    keyId: ['The key; `null` for an unknown key.', { type: ['string', 'null'] }],
    at: ['Milliseconds since 1970 on the clock of the mock server.', { type: 'number' }],
    status: [
      'Status of the response; `null` where the client got none, or not all of it.',
      { type: ['integer', 'null'] },
    ],
    message: ['The `message` of an error response.', string, 'optional'],
    rejectedBy: ['What rejected the request, such as `key` or `rate limit`.', string, 'optional'],
    retryAfterMs: ['Milliseconds after which a rate-limited client may retry.', count, 'optional'],
    faults: ['The kinds of faults that affected the request.', { type: 'array', items: string }, 'optional'],
    assumptions: [
      'With `explain`: the assumptions that the response depends on.',
      schemaRef('AssumptionChanges'),
      'optional',
    ],
  }),
  RequestMatcher: {
    description: 'Which requests are meant: those that agree with every field.',
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(matcherFields).map(([name, { description, schema }]) => [name, { ...schema, description }]),
    ),
    additionalProperties: false,
  },
  Stub: objectSchema('A response for a path that the spec only names.', {
    path: ['The path.', string],
    status: ['The status; 200 where it is missing.', { type: 'integer' }, 'optional'],
    body: ['The body as it was given.', {}, 'optional'],
    headers: ['The additional headers.', { type: 'object', additionalProperties: string }, 'optional'],
  }),
  ClientAudit: objectSchema('What a client did wrong with one key, as far as the log goes back.', {
    keyId: ['The key.', string],
    requests: ['Number of requests.', count],
    mostInOneSecond: ['Greatest number of requests within one second.', count],
    beforeRetryAfter: ['Requests sent earlier than a rate-limited response allowed.', count],
    samePageAgain: [
      'Requests for a page that an identical request had got less than a second before, while the ledger did not change.',
      count,
    ],
    withoutBackOff: ['Requests that were repeated after failures at regular intervals.', count],
    findings: ['The client mistakes as sentences.', { type: 'array', items: string }],
  }),
  Clock: objectSchema('The clock of the mock server.', {
    now: ['Its time, in UTC.', dateTime],
    frozen: ['Whether it is stopped.', { type: 'boolean' }],
  }),
  ...assumptionSchemas,
  ...faultSchemas,
  ErrorBody: objectSchema('The body of every error response, like that of the service.', {
    success: ['Always false.', { const: false }],
    message: ['What is wrong and what to do.', string],
  }),
}

import { requiredScope } from '@guild-ledger/sdk/contract'
import { named, text, type Schema } from '../../src/admin/verb.ts'
import { row } from '../openapi/examples.ts'
import { schemasWith } from '../openapi/schemas.ts'
import { assumptionSchemas } from './assumption-schemas.ts'
import { faultSchemas } from './fault-schemas.ts'
import { count, object } from './object.ts'

const dateTime = { type: 'string', format: 'date-time' }
const service = schemasWith(row)

const guildFields = {
  id: ['Name of the guild in paths.', text],
  subscription: ["The guild's plan.", named('Subscription')],
  rateLimit: ['Requests a second.', named('RateLimit')],
  assumptions: ['The readings in force.', named('Assumptions')],
  keys: ['How many keys there are.', count],
  transactions: ['How many transactions there are.', count],
} as const

const keyFields = {
  id: ['Name of the key in paths and logs.', text],
  name: ['Free text.', text],
  guildId: ['The guild it is bound to; `null` for none.', { type: ['string', 'null'] }],
  scopes: ['What it may do.', { type: 'array', items: { const: requiredScope } }],
  expiresAt: ['When it stops working, in UTC.', dateTime],
} as const

const oneOrMore = { anyOf: [text, { type: 'array', items: text }] }

const ledgerEntry = {
  description: 'A transaction with the user it belongs to.',
  type: 'object',
  required: ['platformId', ...(service['Transaction']?.required ?? [])],
  properties: {
    platformId: service['UserGroup']?.properties?.['platformId'],
    ...service['Transaction']?.properties,
  },
}

/** What bodies of the admin API are made of, by name. */
export const schemas: Readonly<Record<string, Schema>> = {
  Guild: object('A guild as it is now.', guildFields),
  CreatedGuild: object('A guild at its creation.', {
    ...guildFields,
    apiKey: ['Value of its first key, which is shown this once.', text],
  }),
  Subscription: {
    description: 'A plan. With `none` the keys of the guild are refused, and no more can be created.',
    enum: ['developer', 'enterprise', 'none'],
  },
  RateLimit: {
    description: 'Requests a second, or `off`.',
    anyOf: [{ type: 'integer', minimum: 1, maximum: 1_000_000 }, { const: 'off' }],
  },
  Key: object('A key, without its value.', keyFields),
  CreatedKey: object('A key at its creation.', { ...keyFields, value: ['Its value, which is shown this once.', text] }),
  LedgerEntry: ledgerEntry,
  Endpoint: { description: 'One of the two operations of the service.', enum: ['guild', 'user'] },
  LoggedRequest: object('A request of the service as it was asked and answered.', {
    method: ['How it was asked.', { enum: ['GET', 'HEAD'] }],
    endpoint: ['The operation.', named('Endpoint')],
    platformId: ['The user asked for, on the one-user operation.', text, 'may be missing'],
    query: [
      'The parameters as sent; a list where one was repeated.',
      { type: 'object', additionalProperties: oneOrMore },
    ],
    keyId: ['The key; `null` where no such key is known.', { type: ['string', 'null'] }],
    at: ['Milliseconds since 1970 on the clock of the mock.', { type: 'number' }],
    status: ['The status of the reply.', { type: 'integer' }],
    message: ['The `message` of an error.', text, 'may be missing'],
    refusedBy: ['What refused it, such as `key` or `rate limit`.', text, 'may be missing'],
    retryAfterMs: ['Milliseconds after which a refused request was told to come back.', count, 'may be missing'],
    faults: ['The kinds of failures that met it.', { type: 'array', items: text }, 'may be missing'],
    assumed: ['With `explain`: the assumptions that shaped the reply.', text, 'may be missing'],
  }),
  Conduct: object('How a client behaved with one key, as far as the log goes back.', {
    keyId: ['The key.', text],
    requests: ['How many requests there were.', count],
    mostInOneSecond: ['Most requests that came within one second.', count],
    beforeRetryAfter: ['Requests that came before the time that a refusal had named.', count],
    samePageAgain: ['Requests for what had been asked and answered before.', count],
    withoutBackOff: ['Requests that were repeated after failures without longer pauses.', count],
    findings: ['The above in words, where there is something to say.', { type: 'array', items: text }],
  }),
  Clock: object('Where the clock of the mock stands.', {
    now: ['Its time, in UTC.', dateTime],
    frozen: ['Whether it stands still.', { type: 'boolean' }],
  }),
  ...assumptionSchemas,
  ...faultSchemas,
  ErrorBody: object('The body of every error, as the service has it.', {
    success: ['Always false.', { const: false }],
    message: ['A sentence that says what is wrong and what to do.', text],
  }),
}

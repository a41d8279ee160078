import { guildQuery, limits, userQuery, type Endpoint } from '@guild-ledger/sdk/contract'
import { describe, type Description } from './describe.ts'
import { propertiesOf, type Schema } from './schemas.ts'

/** A parameter in OpenAPI. */
export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
  readonly example?: unknown
}

const invalid = 'the response to an invalid value'
const inverted = 'the response when the minimum is greater than the maximum'
const inclusive = 'whether the bound is inclusive'
const noDefault = 'the default'
const unit = 'whether transactions or user groups are counted'

const descriptions: Readonly<Record<string, Description>> = {
  page: { text: 'Page number, from 1.', unspecified: ['the largest page number', invalid] },
  limit: { text: 'Results per page, from 1 to 100.', unspecified: [invalid] },
  platformId: { text: 'Only this user.', unspecified: ['the format of the identifier'] },
  from: { text: 'Only transactions with this `source`.', unspecified: ['the matching rule', 'the allowed values'] },
  minAmount: { text: 'Only transactions with at least this `amount`.', unspecified: [inverted, invalid] },
  maxAmount: { text: 'Only transactions with at most this `amount`.', unspecified: [inverted, invalid] },
  startDate: { text: 'Start of the date range, an ISO 8601 date-time.', unspecified: [inclusive, invalid] },
  endDate: { text: 'End of the date range, an ISO 8601 date-time.', unspecified: [inclusive, invalid] },
  sortBy: { text: 'Sort field.', unspecified: ['the order of ties', invalid] },
  sortOrder: { text: 'Sort direction.', unspecified: [invalid] },
}

/** What is unspecified for one of the two endpoints only. Spec: Endpoints, 1 and 2. */
const unspecifiedAt: Record<Endpoint, Readonly<Record<string, readonly string[]>>> = {
  guild: { page: [unit], limit: [unit], sortBy: ['the order of upper and lower case in names'] },
  user: { page: [noDefault], limit: [noDefault], sortBy: [noDefault], sortOrder: [noDefault] },
}

/** The one-user endpoint has no documented defaults. Spec: Endpoints, 1 and 2. */
const defaults: Record<Endpoint, Readonly<Record<string, string | number>>> = {
  guild: { page: 1, limit: limits.defaultLimit, sortBy: 'createdAt', sortOrder: 'desc' },
  user: {},
}

const queries = { guild: guildQuery, user: userQuery }

const pathParameter = (example: unknown): Parameter => ({
  name: 'platformId',
  in: 'path',
  required: true,
  description: describe({
    text: 'Identifier of the user on the game platform, percent-encoded.',
    unspecified: ['the format of the identifier'],
  }),
  schema: { type: 'string' },
  example,
})

/** Describes the parameters of an endpoint, with values of `transaction` as examples. */
export const parametersOf = (endpoint: Endpoint, transaction: { platformId: string; source: string }): Parameter[] => {
  const examples: Readonly<Record<string, string>> = { platformId: transaction.platformId, from: transaction.source }
  const queryParameters = Object.entries(propertiesOf(queries[endpoint])).map(([name, schema]): Parameter => {
    const description = descriptions[name]
    if (!description) throw new Error(`The parameter ${name} has no description: add one to parameters.ts.`)
    const unspecified = [...(unspecifiedAt[endpoint][name] ?? []), ...(description.unspecified ?? [])]
    const defaultValue = defaults[endpoint][name]
    return {
      name,
      in: 'query',
      required: false,
      description: describe({ text: description.text, unspecified }),
      schema: { ...schema, ...(defaultValue !== undefined && { default: defaultValue }) },
      ...(examples[name] !== undefined && { example: examples[name] }),
    }
  })
  return endpoint === 'user' ? [pathParameter(transaction.platformId), ...queryParameters] : queryParameters
}

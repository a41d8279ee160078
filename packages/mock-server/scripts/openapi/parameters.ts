import { guildQuery, limits, userQuery, type Endpoint } from '@guild-ledger/sdk/contract'
import { said, type Said } from './said.ts'
import { propertiesOf, type Schema } from './schemas.ts'

/** A parameter as OpenAPI writes it. */
export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
  readonly example?: unknown
}

const outside = 'the answer to a value that does not fit'
const twoEnds = 'the answer when the least is above the most'
const bound = 'whether a transaction at exactly that time is in'
const noDefault = 'what applies when it is left out'
const unit = 'whether transactions or user groups are counted'

const words: Readonly<Record<string, Said>> = {
  page: { is: 'Number of the page, counted from 1.', open: ['the largest page number', outside] },
  limit: { is: 'Results on a page, 1 to 100.', open: [outside] },
  platformId: { is: 'Only this user.', open: ['the format of such an identifier'] },
  from: { is: 'Only transactions with this `source`.', open: ['how the two are compared', 'which values there are'] },
  minAmount: { is: 'Only transactions with at least this `amount`.', open: [twoEnds, outside] },
  maxAmount: { is: 'Only transactions with at most this `amount`.', open: [twoEnds, outside] },
  startDate: { is: 'Start of the date range, an ISO 8601 date-time.', open: [bound, outside] },
  endDate: { is: 'End of the date range, an ISO 8601 date-time.', open: [bound, outside] },
  sortBy: { is: 'Field to sort by.', open: ['the order of transactions that are equal in it', outside] },
  sortOrder: { is: 'Direction to sort in.', open: [outside] },
}

/** What only one of the two endpoints leaves open. Spec: Endpoints, 1 and 2. */
const openAt: Record<Endpoint, Readonly<Record<string, readonly string[]>>> = {
  guild: { page: [unit], limit: [unit], sortBy: ['how names with upper and lower case sort'] },
  user: { page: [noDefault], limit: [noDefault], sortBy: [noDefault], sortOrder: [noDefault] },
}

/** The one-user endpoint has none that are documented. Spec: Endpoints, 1 and 2. */
const defaults: Record<Endpoint, Readonly<Record<string, string | number>>> = {
  guild: { page: 1, limit: limits.defaultLimit, sortBy: 'createdAt', sortOrder: 'desc' },
  user: {},
}

const queries = { guild: guildQuery, user: userQuery }

const inPath = (example: unknown): Parameter => ({
  name: 'platformId',
  in: 'path',
  required: true,
  description: said({
    is: 'Identifier of the user on the game platform, percent-encoded.',
    open: ['the format of such an identifier'],
  }),
  schema: { type: 'string' },
  example,
})

/** The parameters of an endpoint. `row` lends its values as examples. */
export const parametersOf = (endpoint: Endpoint, row: { platformId: string; source: string }): Parameter[] => {
  const examples: Readonly<Record<string, string>> = { platformId: row.platformId, from: row.source }
  const inQuery = Object.entries(propertiesOf(queries[endpoint])).map(([name, schema]): Parameter => {
    const about = words[name]
    if (!about) throw new Error(`Parameter ${name} has no words: write some into parameters.ts.`)
    const preset = defaults[endpoint][name]
    return {
      name,
      in: 'query',
      required: false,
      description: said({ is: about.is, open: [...(openAt[endpoint][name] ?? []), ...(about.open ?? [])] }),
      schema: { ...schema, ...(preset !== undefined && { default: preset }) },
      ...(examples[name] !== undefined && { example: examples[name] }),
    }
  })
  return endpoint === 'user' ? [inPath(row.platformId), ...inQuery] : inQuery
}

import { operations, parameters, type Endpoint } from '@guild-ledger/sdk/contract'
import { commentsIn } from '../../../sdk/scripts/comments.ts'
import { describe } from './describe.ts'
import { described } from './operations.ts'
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

const queriesFile = new URL('../../../sdk/src/contract/queries.ts', import.meta.url)

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
  const { query, hasDefaults } = described[endpoint]
  const comments = new Map(['SharedQuery', query].flatMap((name) => [...commentsIn(queriesFile, `interface ${name}`)]))
  const queryParameters = Object.entries(propertiesOf(operations[endpoint].query)).map(([name, schema]): Parameter => {
    const comment = comments.get(name)
    if (!comment) throw new Error(`The parameter ${name} has no comment in contract/queries.ts.`)
    const { type, min, max, default: listAllDefault } = parameters[name as keyof typeof parameters]
    const isNumber = type === 'integer' || type === 'number'
    const range = isNumber && {
      type,
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
    }
    const noDefault = !hasDefaults && listAllDefault !== undefined ? ['the default'] : []
    const unspecified = [...comment.unspecified, ...noDefault, 'the response to an invalid value']
    return {
      name,
      in: 'query',
      required: false,
      description: describe({ text: comment.text.replace(', or a `Date`', ''), unspecified }),
      schema: {
        ...schema,
        ...range,
        ...(hasDefaults && listAllDefault !== undefined && { default: listAllDefault }),
      },
      ...(examples[name] !== undefined && { example: examples[name] }),
    }
  })
  return operations[endpoint].path.includes('{platformId}')
    ? [pathParameter(transaction.platformId), ...queryParameters]
    : queryParameters
}

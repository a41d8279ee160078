import {
  errorBody,
  guildReply,
  pagination,
  summary,
  transaction,
  userGroup,
  userReply,
} from '@guild-ledger/sdk/contract'
import * as z from 'zod/mini'
import { schemaWords } from './fields.ts'
import { said } from './said.ts'

export type Schema = z.core.JSONSchema.BaseSchema

const named = {
  Transaction: transaction,
  UserGroup: userGroup,
  Pagination: pagination,
  Summary: summary,
  GuildReply: guildReply,
  UserReply: userReply,
  ErrorBody: errorBody,
}

export const refTo = (id: keyof typeof named) => `#/components/schemas/${id}`

const patternOf = ({ _zod }: z.core.$ZodType): RegExp | undefined => {
  const pattern = (_zod.def.checks ?? []).map((check) => 'pattern' in check._zod.def && check._zod.def.pattern)[0]
  return pattern instanceof RegExp ? pattern : undefined
}

/**
 * What the conversion can not know: bounds that only say how far numbers of JavaScript reach are none of the service's,
 * patterns of JSON Schema have no flags, and a `Date` is text when it is sent.
 */
const mended: z.core.ToJSONSchemaParams['override'] = ({ zodSchema, jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  const pattern = patternOf(zodSchema)
  if (pattern?.flags === 'i') jsonSchema.pattern = pattern.source.replaceAll('a-f', 'a-fA-F')
  if (zodSchema._zod.def.type === 'custom') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
}

// As input: in a reply there may be more fields than are known.
const settings = { io: 'input', unrepresentable: 'any', override: mended } as const

/** The properties of an object schema, each as JSON Schema. */
export const propertiesOf = (schema: z.core.$ZodType): Record<string, Schema> =>
  z.toJSONSchema(schema, settings).properties as Record<string, Schema>

const converted = (): Record<string, Schema> => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  return z.toJSONSchema(registry, { ...settings, uri: (id) => refTo(id as keyof typeof named) }).schemas
}

const fieldWords = (id: string, field: string) => {
  const words = schemaWords[id]?.fields[field]
  if (words) return { description: said(words) }
  throw new Error(`${id}.${field} has no words: write some into fields.ts.`)
}

/** The schemas of all bodies, by name, with words for each field. `row` is shown as an example of its fields. */
export const schemasWith = (row: Readonly<Record<string, unknown>>): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(converted()).map(([id, { $schema: _dialect, $id: _id, properties = {}, ...schema }]) => {
      const described = Object.entries(properties).map(([field, property]) => {
        const examples = id === 'Transaction' && { examples: [row[field]] }
        return [field, { ...(property as Schema), ...fieldWords(id, field), ...examples }]
      })
      const words = schemaWords[id]
      return [id, { ...(words && { description: said(words) }), ...schema, properties: Object.fromEntries(described) }]
    }),
  )

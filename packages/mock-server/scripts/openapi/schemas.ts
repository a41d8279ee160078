import {
  errorBody,
  guildResponse,
  pagination,
  summary,
  transaction,
  userGroup,
  userResponse,
  type StandardSchema,
} from '@guild-ledger/sdk/contract'
import * as z from 'zod/mini'
import { describe } from './describe.ts'
import { schemaDescriptions } from './schema-descriptions.ts'

export type Schema = z.core.JSONSchema.BaseSchema

const namedSchemas = {
  Transaction: transaction,
  UserGroup: userGroup,
  Pagination: pagination,
  Summary: summary,
  GuildResponse: guildResponse,
  UserResponse: userResponse,
  ErrorBody: errorBody,
}

export const refTo = (id: keyof typeof namedSchemas) => `#/components/schemas/${id}`

const isInteger = ({ _zod }: z.core.$ZodType): boolean =>
  (_zod.def.checks ?? []).some((check) => 'fn' in check._zod.def && check._zod.def.fn === Number.isSafeInteger)

/** Corrects what zod cannot know: functions, that patterns in JSON Schema have no flags, and that a `Date` is sent as a string. */
const override: z.core.ToJSONSchemaParams['override'] = ({ zodSchema, jsonSchema }) => {
  if (isInteger(zodSchema)) jsonSchema.type = 'integer'
  if (jsonSchema.pattern) jsonSchema.pattern = jsonSchema.pattern.replaceAll('a-f', 'a-fA-F')
  if (zodSchema._zod.def.type === 'custom') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
}

// As input, because a response may have fields that are not known yet.
const settings = { io: 'input', unrepresentable: 'any', override } as const

/** The properties of an object schema, as JSON Schema. */
export const propertiesOf = (schema: StandardSchema): Record<string, Schema> =>
  z.toJSONSchema(schema as unknown as z.core.$ZodType, settings).properties as Record<string, Schema>

const toJsonSchemas = (): Record<string, Schema> => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(namedSchemas)) registry.add(schema as unknown as z.core.$ZodType, { id })
  return z.toJSONSchema(registry, { ...settings, uri: (id) => refTo(id as keyof typeof namedSchemas) }).schemas
}

const fieldDescription = (id: string, field: string) => {
  const description = schemaDescriptions[id]?.fields[field]
  if (description) return { description: describe(description) }
  throw new Error(`${id}.${field} has no description: add one to schema-descriptions.ts.`)
}

/** The schemas of all bodies by name, with descriptions, and with values of `example` as examples. */
export const createSchemas = (example: Readonly<Record<string, unknown>>): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(toJsonSchemas()).map(([id, { $schema: _dialect, $id: _id, properties = {}, ...schema }]) => {
      const described = Object.entries(properties).map(([field, property]) => {
        const examples = id === 'Transaction' && { examples: [example[field]] }
        return [field, { ...(property as Schema), ...fieldDescription(id, field), ...examples }]
      })
      const description = schemaDescriptions[id]
      return [
        id,
        {
          ...(description && { description: describe(description) }),
          ...schema,
          properties: Object.fromEntries(described),
        },
      ]
    }),
  )

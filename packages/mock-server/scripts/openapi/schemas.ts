import type { StandardSchema } from '@guild-ledger/sdk/contract'
import * as z from 'zod/mini'
import { commentsIn } from '../../../sdk/scripts/comments.ts'
import * as responses from '../../../sdk/src/contract/responses.ts'
import { transaction } from '../../../sdk/src/contract/transaction.ts'
import { describe } from './describe.ts'

export type Schema = z.core.JSONSchema.BaseSchema

/** The schemas of the contract, by the name of their type. */
const namedSchemas = Object.fromEntries(
  Object.entries({ transaction, ...responses })
    .map(([name, schema]) => [name.replace(/^./, (first) => first.toUpperCase()), schema] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
)
export type SchemaName = Capitalize<keyof typeof responses | 'transaction'>

export const refTo = (id: SchemaName) => `#/components/schemas/${id}`

type Fn = { readonly pattern?: RegExp; readonly values?: readonly unknown[] }
/** The functions by which a schema checks: they have the pattern or the values that they accept. */
const functionsOf = ({ _zod: { def } }: z.core.$ZodType): Fn[] =>
  [def, ...(def.checks ?? []).map((check) => check._zod.def)].flatMap((one) => ('fn' in one ? [one.fn as Fn] : []))

/** Corrects what zod cannot know: functions, that patterns in JSON Schema have no flags, and that a `Date` is sent as a string. */
const override: z.core.ToJSONSchemaParams['override'] = ({ zodSchema, jsonSchema }) => {
  const functions = functionsOf(zodSchema)
  if (functions.includes(Number.isSafeInteger as Fn)) jsonSchema.type = 'integer'
  const pattern = functions.find((fn) => fn.pattern)?.pattern
  if (pattern) jsonSchema.pattern = pattern.source.replaceAll('a-f', 'a-fA-F')
  if (zodSchema._zod.def.type !== 'custom') return
  const values = functions.find((fn) => fn.values)?.values
  if (!values) Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
  else
    Object.assign(jsonSchema, { type: typeof values[0] }, values.length > 1 ? { enum: values } : { const: values[0] })
}

// As input, because a response may have fields that are not known yet.
const settings = { io: 'input', unrepresentable: 'any', override } as const

/** The properties of an object schema, as JSON Schema. */
export const propertiesOf = (schema: StandardSchema): Record<string, Schema> =>
  z.toJSONSchema(schema as unknown as z.core.$ZodType, settings).properties as Record<string, Schema>

const toJsonSchemas = (): Record<string, Schema> => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(namedSchemas)) registry.add(schema, { id })
  return z.toJSONSchema(registry, { ...settings, uri: (id) => refTo(id as SchemaName) }).schemas
}

const fileOf = (id: string): URL =>
  new URL(`../../../sdk/src/contract/${id === 'Transaction' ? 'transaction' : 'responses'}.ts`, import.meta.url)

/** The comment of the type of a schema, or of one of its fields. */
const descriptionOf = (id: string, field = '') => {
  const comment = commentsIn(fileOf(id), `interface ${id}`).get(field)
  if (!comment?.text) throw new Error(`${id} ${field} has no comment in the contract.`)
  return { description: describe(comment) }
}

/** The schemas of all bodies by name, with descriptions, and with values of `example` as examples. */
export const createSchemas = (example: Readonly<Record<string, unknown>>): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(toJsonSchemas()).map(([id, { $schema: _dialect, $id: _id, properties = {}, ...schema }]) => {
      const described = Object.entries(properties).map(([field, property]) => {
        const examples = id === 'Transaction' && { examples: [example[field]] }
        return [field, { ...(property as Schema), ...descriptionOf(id, field), ...examples }]
      })
      return [id, { ...descriptionOf(id), ...schema, properties: Object.fromEntries(described) }]
    }),
  )

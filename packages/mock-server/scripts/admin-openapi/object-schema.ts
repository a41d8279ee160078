import type { Schema } from '../../src/admin/route.ts'

/** A field of a response body. */
type Field = readonly [description: string, schema: Schema, presence?: 'optional']

/** Creates the schema of an object in a response. Further fields are allowed. */
export const objectSchema = (description: string, fields: Readonly<Record<string, Field>>): Schema => ({
  description,
  type: 'object',
  required: Object.entries(fields).flatMap(([name, [, , presence]]) => (presence ? [] : [name])),
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, [text, schema]]) => [name, { ...schema, description: text }]),
  ),
})

/** A number of things. */
export const count: Schema = { type: 'integer', minimum: 0 }

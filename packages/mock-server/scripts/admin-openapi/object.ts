import type { Schema } from '../../src/admin/verb.ts'

/** A field of a reply: what it is, its schema, and whether it may be missing. */
type Described = readonly [is: string, schema: Schema, presence?: 'may be missing']

/** An object with such fields, and room for more. */
export const object = (description: string, fields: Readonly<Record<string, Described>>): Schema => ({
  description,
  type: 'object',
  required: Object.entries(fields).flatMap(([name, [, , presence]]) => (presence ? [] : [name])),
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, [is, schema]]) => [name, { ...schema, description: is }]),
  ),
})

/** How many of something. */
export const count: Schema = { type: 'integer', minimum: 0 }

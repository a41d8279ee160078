import { commentsIn } from '../../../sdk/scripts/comments.ts'
import { schemaRef, type Schema } from '../../src/admin/route.ts'
import { faultKinds, matcherFields, type FaultFields } from '../../src/faults/index.ts'
import { count, objectSchema } from './object-schema.ts'

const fileOf = (name: string) => new URL(`../../src/${name}`, import.meta.url)

/** The comments of the types, by kind, by kind and field, and by field of every kind. */
const faultComments = new Map([
  ...commentsIn(fileOf('fault.ts'), 'interface FaultFieldsByKind'),
  ...commentsIn(fileOf('fault.ts'), 'interface FaultMatch'),
  ...commentsIn(fileOf('request-matcher.ts'), 'interface RequestMatch'),
])

/** What a kind does, or what a field of a fault means. */
export const faultDescription = (name: string): string => {
  const comment = faultComments.get(name)
  if (!comment) throw new Error(`The fault ${name} has no comment in fault.ts.`)
  const { text, byDefault } = comment
  return byDefault === undefined ? text : `${text} Default: ${byDefault.replaceAll("'", '`')}.`
}

const propertiesOf = (fields: FaultFields, prefix = '') =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { schema }]) => [
      name,
      { ...schema, description: faultDescription(prefix + name) },
    ]),
  )

const kindSchema = ([kind, { fields }]: [string, { fields: FaultFields }]): Schema => ({
  title: kind,
  description: faultDescription(kind),
  type: 'object',
  required: ['kind', ...Object.entries(fields).flatMap(([name, { isRequired }]) => (isRequired ? [name] : []))],
  properties: { kind: { const: kind }, ...propertiesOf(fields, `${kind} `), ...propertiesOf(matcherFields) },
  additionalProperties: false,
})

/** Schemas of faults, made from the table that validates them. */
export const faultSchemas: Readonly<Record<string, Schema>> = {
  Fault: {
    description: 'A fault, and the requests it affects. A fault without a probability goes before those with one.',
    oneOf: Object.entries(faultKinds).map(kindSchema),
  },
  ScriptedFault: objectSchema('A fault, and how often it happened.', {
    fault: ['The fault as it was given.', schemaRef('Fault')],
    happened: ['Number of requests whose response it changed so far.', count],
    left: [
      'Number of requests it can still affect; `null` for all that follow, 0 once its time is over.',
      { type: ['integer', 'null'] },
    ],
    waits: ['Number of matching requests that pass first.', count],
  }),
}

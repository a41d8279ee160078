import { assumptionDefinitions, type AssumptionDefinition } from '@guild-ledger/mock-server'

const schemaOf = (definition: AssumptionDefinition): object => {
  if ('values' in definition) {
    const meanings = definition.values.map(
      ([value, meaning], i) => `\`${value}\`${i === 0 ? ' (default)' : ''}: ${meaning}`,
    )
    return {
      description: `${definition.question} ${meanings.join('; ')}.`,
      enum: definition.values.map(([value]) => value),
    }
  }
  const { question, meaning, orNull, min, max, default: defaultValue } = definition
  const noLimit = orNull ? '; `null`: no limit' : ''
  return {
    description: `${question} An integer: ${meaning}${noLimit}; default \`${defaultValue}\`.`,
    type: orNull ? ['integer', 'null'] : 'integer',
    minimum: min,
    maximum: max,
  }
}

const properties = Object.fromEntries(
  Object.entries<AssumptionDefinition>(assumptionDefinitions).map(([key, definition]) => [key, schemaOf(definition)]),
)

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://unpkg.com/@guild-ledger/mock-server/assumptions.schema.json',
  description: 'New values for some of the assumptions.',
  type: 'object',
  properties: { $schema: { type: 'string' }, ...properties },
  additionalProperties: false,
}

/** JSON Schema of a file of assumptions, as it is shipped: for editors. */
export const assumptionsSchemaText = `${JSON.stringify(schema, null, 2)}\n`

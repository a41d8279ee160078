import { assumptionDefinitions, type AssumptionDefinition } from '@guild-ledger/mock-server'
import { schemaRef, string, type Schema } from '../../src/admin/route.ts'
import { objectSchema } from './object-schema.ts'

// No `default` in the schemas: what a change leaves out keeps its value.
const schemaOf = (definition: AssumptionDefinition): Schema => {
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
const value: Schema = { type: ['string', 'number', 'boolean', 'null'] }

/** Schemas of assumptions, made from their definitions. */
export const assumptionSchemas: Readonly<Record<string, Schema>> = {
  Assumptions: {
    description: 'The current values of all assumptions.',
    allOf: [schemaRef('AssumptionChanges')],
    required: Object.keys(properties),
  },
  AssumptionChanges: {
    description: 'New values for some of the assumptions.',
    type: 'object',
    properties,
    additionalProperties: false,
  },
  AssumptionDefinition: objectSchema('One assumption about unspecified behaviour.', {
    question: ['What the spec leaves open, in its own words where it has any.', string],
    remedy: ['What code can do to work under every value.', string],
    current: ['The value for every guild without a value of its own.', value],
    values: [
      'The possible values and their meanings; the first is the default.',
      { type: 'array', items: { type: 'array', minItems: 2, maxItems: 2, prefixItems: [value, string], items: value } },
      'optional',
    ],
    default: ['The default of a numeric assumption.', { type: ['integer', 'null'] }, 'optional'],
    min: ['The least value of a numeric assumption.', { type: 'integer' }, 'optional'],
    max: ['The greatest value of a numeric assumption.', { type: 'integer' }, 'optional'],
    orNull: ['Whether a numeric assumption may be `null`, for no limit.', { type: 'boolean' }, 'optional'],
    meaning: ['The meaning of a numeric assumption.', string, 'optional'],
  }),
  AssumptionDefinitions: {
    description: 'Assumptions by name.',
    type: 'object',
    additionalProperties: schemaRef('AssumptionDefinition'),
  },
}

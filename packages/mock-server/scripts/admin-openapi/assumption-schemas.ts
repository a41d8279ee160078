import { assumptionRows, type AssumptionRow } from '@guild-ledger/mock-server'
import { named, text, type Schema } from '../../src/admin/verb.ts'
import { object } from './object.ts'

// The first reading is no `default` of the schema: what is left out of a change stays as it is.
const schemaOf = (row: AssumptionRow): Schema => {
  if ('readings' in row) {
    const meanings = row.readings.map(([value, meaning], i) => `\`${value}\`${i === 0 ? ' (default)' : ''}: ${meaning}`)
    return { description: `${row.question} ${meanings.join('; ')}.`, enum: row.readings.map(([value]) => value) }
  }
  const { question, meaning, orNull, min, max, default: preset } = row
  const none = orNull ? '; `null`: no such limit' : ''
  return {
    description: `${question} A number: ${meaning}${none}; default \`${preset}\`.`,
    type: orNull ? ['integer', 'null'] : 'integer',
    minimum: min,
    maximum: max,
  }
}

const properties = Object.fromEntries(
  Object.entries<AssumptionRow>(assumptionRows).map(([key, row]) => [key, schemaOf(row)]),
)
const value: Schema = { type: ['string', 'number', 'boolean', 'null'] }

/** Readings of what the document leaves open, made from the rows themselves. */
export const assumptionSchemas: Readonly<Record<string, Schema>> = {
  Assumptions: {
    description: 'The readings in force, all of them.',
    allOf: [named('AssumptionChanges')],
    required: Object.keys(properties),
  },
  AssumptionChanges: {
    description: 'Other readings of some of what the document leaves open.',
    type: 'object',
    properties,
    additionalProperties: false,
  },
  AssumptionRow: object('One thing that the document leaves open.', {
    question: ['The open question, in the words of the document where it has any.', text],
    inForce: ['The reading of the mock, which guilds have that have none of their own.', value],
    readings: [
      'Each reading and what it means; the first is the default.',
      { type: 'array', items: { type: 'array', minItems: 2, maxItems: 2, prefixItems: [value, text] } },
      'may be missing',
    ],
    default: ['Where a number decides: the default.', { type: ['integer', 'null'] }, 'may be missing'],
    min: ['Where a number decides: the least.', { type: 'integer' }, 'may be missing'],
    max: ['Where a number decides: the most.', { type: 'integer' }, 'may be missing'],
    orNull: ['Where a number decides: whether `null`, for no such limit, may.', { type: 'boolean' }, 'may be missing'],
    meaning: ['Where a number decides: what it means.', text, 'may be missing'],
  }),
  AssumptionRows: {
    description: 'What the document leaves open, by the name of the assumption.',
    type: 'object',
    additionalProperties: named('AssumptionRow'),
  },
}

import { schemaRef, type Schema } from '../../src/admin/route.ts'
import { kindFields, matcherFields, type FaultFields } from '../../src/faults/index.ts'
import { count, objectSchema } from './object-schema.ts'

const descriptions: Readonly<Record<string, string>> = {
  'internal-error': 'The documented 500 of the endpoint.',
  status:
    'A response with any status, with a `message` in the error body or with another `body`. 204, 205 and 304 have no body.',
  latency: 'The normal response, delayed. Can be combined with one other fault.',
  hang: 'No response; the connection stays open.',
  reset: 'The connection breaks before the response.',
  truncate: 'The connection breaks in the middle of the body.',
  'malformed-json': 'The normal response without the last characters of its body.',
  'wrong-content-type': 'The normal body with another content type.',
  'html-502': 'An HTML error page, as of a proxy that cannot reach the service.',
  'slow-body': 'The normal body in small chunks.',
  schema: 'A field of the body is missing or has another value.',
  redirect: 'A redirect.',
  endpoint: 'Only requests to this endpoint. Default: both.',
  platformId: 'Only requests for this user: in the path, or as the query parameter of the list-all endpoint.',
  query: 'Only requests that sent these parameters with these values. Other parameters are ignored.',
  keyId: 'Only requests with the key that has this id.',
  after: 'Number of matching requests that pass first. Default: 0.',
  times: 'Number of requests it affects. Default: all that follow.',
  probability: 'Probability that it affects a matching request, drawn from the seeded random numbers of the guild.',
  until: 'End of the fault on the clock of the mock; later than now.',
  'status status': 'The status.',
  'status message': 'The `message` of the error body.',
  'status body': 'A string is sent as it is, anything else as JSON.',
  'status headers': 'Additional headers. Headers that frame the body, such as `content-length`, are rejected.',
  'latency ms': 'Milliseconds, or a log-normal distribution of them: half are below `median`, 99 of 100 below `p99`.',
  'truncate bytes': 'Number of bytes before the break. Default: half of the body.',
  'wrong-content-type contentType': 'Default: `text/plain`.',
  'slow-body chunkBytes': 'Bytes per chunk. Default: 16.',
  'slow-body intervalMs':
    'Milliseconds between two chunks, or a distribution, of which one value is drawn for each body. Default: 100.',
  'schema field': 'Path of the field, such as `pagination.total`, or `data[*].transactions[*].amount` for all of them.',
  'schema value': 'The new value. Default: the field is removed.',
  'redirect location': 'Target of the redirect. Default: another host.',
  'redirect status': 'Default: 302.',
}

const descriptionOf = (name: string): string => {
  const description = descriptions[name]
  if (description) return description
  throw new Error(`The fault ${name} has no description: add one to fault-schemas.ts.`)
}

const propertiesOf = (fields: FaultFields, prefix = '') =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { schema }]) => [
      name,
      { ...schema, description: descriptionOf(prefix + name) },
    ]),
  )

const kindSchema = ([kind, fields]: [string, FaultFields]): Schema => ({
  title: kind,
  description: descriptionOf(kind),
  type: 'object',
  required: ['kind', ...Object.entries(fields).flatMap(([name, { isRequired }]) => (isRequired ? [name] : []))],
  properties: { kind: { const: kind }, ...propertiesOf(fields, `${kind} `), ...propertiesOf(matcherFields) },
  additionalProperties: false,
})

/** Schemas of faults, made from the table that validates them. */
export const faultSchemas: Readonly<Record<string, Schema>> = {
  Fault: {
    description: 'A fault, and the requests it affects. A fault without a probability goes before those with one.',
    oneOf: Object.entries(kindFields).map(kindSchema),
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

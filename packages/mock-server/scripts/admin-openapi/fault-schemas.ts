import { aimFields, kindFields, type FaultFields } from '../../src/faults/index.ts'
import { named, type Schema } from '../../src/admin/verb.ts'
import { count, object } from './object.ts'

const words: Readonly<Record<string, string>> = {
  'internal-error': 'The documented 500 of the operation.',
  status: 'Any status, with `message` in the error body or with a `body` of its own; 204, 205 and 304 have neither.',
  latency: 'The right reply, late. Goes together with any other failure.',
  hang: 'No reply at all, on a connection that stays open.',
  reset: 'The connection breaks before a reply.',
  truncate: 'The connection breaks in the middle of the body.',
  'malformed-json': 'The right reply, but for its last characters.',
  'wrong-content-type': 'The right body under a wrong name.',
  'html-502': 'The page of a proxy that does not reach the service.',
  'slow-body': 'The right body in small pieces.',
  schema: 'A field is missing, or has another value.',
  redirect: 'A redirect.',
  endpoint: 'Only requests to this operation; both unless given.',
  platformId: 'Only requests for this user: in the path, or as the parameter of list-all.',
  query: 'Only requests that sent these parameters, with these values; others do not matter.',
  keyId: 'Only requests with the key that has this id.',
  after: 'How many of these requests it lets pass first; 0 unless given.',
  times: 'How many requests it meets; all that follow unless given.',
  probability: 'How likely it meets each of them, by dice of the guild.',
  'status status': 'The status.',
  'status message': 'The `message` of the error body.',
  'status body': 'Text is sent as it is, anything else as JSON.',
  'status headers': 'Headers besides those that every reply has. Those that frame the body are refused.',
  'latency ms': 'By how many milliseconds.',
  'truncate bytes': 'After so many bytes; half of the body unless given.',
  'wrong-content-type contentType': '`text/plain` unless given.',
  'slow-body chunkBytes': 'Bytes of a piece; 16 unless given.',
  'slow-body intervalMs': 'Milliseconds between two pieces; 100 unless given.',
  'schema field': 'Such as `pagination.total`, or `data[*].transactions[*].amount` for each of them.',
  'schema value': 'What stands there instead; nothing unless given.',
  'redirect location': 'To where; to another host unless given.',
  'redirect status': '302 unless given.',
}

const wordsOf = (name: string): string => {
  const found = words[name]
  if (found) return found
  throw new Error(`The failure ${name} has no words: write some into fault-schemas.ts.`)
}

const propertiesOf = (fields: FaultFields, prefix = '') =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { schema }]) => [name, { ...schema, description: wordsOf(prefix + name) }]),
  )

const kindSchema = ([kind, fields]: [string, FaultFields]): Schema => ({
  title: kind,
  description: wordsOf(kind),
  type: 'object',
  required: ['kind', ...Object.entries(fields).flatMap(([name, { isOptional }]) => (isOptional ? [] : [name]))],
  properties: { kind: { const: kind }, ...propertiesOf(fields, `${kind} `), ...propertiesOf(aimFields) },
  additionalProperties: false,
})

/** Failures, made from the table that checks them. */
export const faultSchemas: Readonly<Record<string, Schema>> = {
  Fault: {
    description: 'A failure, and the requests it meets. Sure ones go before those with a probability.',
    oneOf: Object.entries(kindFields).map(kindSchema),
  },
  ScriptedFault: object('A failure that was scripted, and what became of it.', {
    fault: ['The failure as it was given.', named('Fault')],
    happened: ['Requests it met so far.', count],
    left: ['Requests it will meet if they come; `null` for all that follow.', { type: ['integer', 'null'] }],
    waits: ['Requests it was meant for that it still lets pass before.', count],
  }),
}

import { named, type Method, type Schema, type Verb } from '../../src/admin/verb.ts'
import { exampleReply } from './examples.ts'

type Takes = NonNullable<Verb['takes']>

const ids: Readonly<Record<string, string>> = {
  id: 'Name of the guild, such as `guild-1`.',
  keyId: 'Name of the key, such as `key-1`.',
  snapshotId: 'Name of the snapshot, such as `snapshot-1`.',
}

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const parametersOf = (path: string) =>
  namesIn(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: ids[name],
    schema: { type: 'string' },
    example: `${name === 'id' ? 'guild' : name.replace('Id', '')}-1`,
  }))

const bodySchema = (takes: Takes): Schema => {
  if ('json' in takes) return takes.json.schema
  if ('text' in takes) return takes.text.schema
  const fields = Object.entries(takes.fields)
  const required = fields.flatMap(([name, { isRequired }]) => (isRequired ? [name] : []))
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(fields.map(([name, { is, schema }]) => [name, { ...schema, description: is }])),
    additionalProperties: false,
  }
}

const wordsOf = (takes: Takes): string => {
  if ('json' in takes) return takes.json.is
  return 'text' in takes ? takes.text.is : 'These fields and no others.'
}

const mayBeLeftOut = (takes: Takes): boolean =>
  'fields' in takes && Object.values(takes.fields).every(({ isRequired }) => !isRequired)

const requestBodyOf = (takes: Takes) => {
  const type = 'text' in takes ? 'application/x-ndjson' : 'application/json'
  return {
    description: wordsOf(takes),
    required: !mayBeLeftOut(takes),
    content: { [type]: { schema: bodySchema(takes), example: takes.example } },
  }
}

const withBody = (description: string) => ({
  description,
  content: { 'application/json': { schema: named('ErrorBody') } },
})

/** Errors that many verbs have, by name. */
export const sharedErrors = {
  Mistake: withBody('Something is wrong with the path or the body; nothing was changed.'),
  NoToken: withBody('There is a token, and the request does not carry it.'),
  NotAdmitted: withBody(
    'There is no token, and the request does not come from this machine or comes from a web page of another origin.',
  ),
  NotFound: withBody('There is nothing of that name.'),
  TooLarge: withBody('The body is larger than 64 MiB.'),
} as const

const shared = (name: keyof typeof sharedErrors) => ({ $ref: `#/components/responses/${name}` })

// A body is looked at even where none is taken.
const errorsOf = (path: string, method: Method, { conflict }: Verb) => ({
  ...((method !== 'GET' || path.includes('{')) && { 400: shared('Mistake') }),
  401: shared('NoToken'),
  403: shared('NotAdmitted'),
  ...(path.includes('{') && { 404: shared('NotFound') }),
  ...(conflict && { 409: withBody(conflict) }),
  ...(method !== 'GET' && { 413: shared('TooLarge') }),
})

const replyOf = (verb: Verb) => {
  if (!verb.replies) return { 204: { description: 'Done.' } }
  const { is, schema } = verb.replies
  const example = exampleReply(verb)
  return {
    200: { description: is, content: { 'application/json': { schema, ...(example !== undefined && { example }) } } },
  }
}

/** A verb as OpenAPI describes it. */
export const operationOf = (path: string, method: Method, verb: Verb, tag: string) => {
  const { id, summary, does, takes } = verb
  const inCode = does.map((member) => `\`${member}\``).join(', ')
  return {
    operationId: id,
    summary,
    ...(does.length > 0 && { description: `In code: ${inCode}.` }),
    tags: [tag],
    ...(path.includes('{') && { parameters: parametersOf(path) }),
    ...(takes && { requestBody: requestBodyOf(takes) }),
    responses: { ...replyOf(verb), ...errorsOf(path, method, verb) },
  }
}

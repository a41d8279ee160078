import { schemaRef, type AdminRoute, type Method, type RequestBody, type Schema } from '../../src/admin/route.ts'
import { exampleResponse } from './examples.ts'

const pathParameters: Readonly<Record<string, string>> = {
  id: 'Id of the guild, such as `guild-1`.',
  keyId: 'Id of the key, such as `key-1`.',
  snapshotId: 'Id of the snapshot, such as `snapshot-1`.',
}

const parametersOf = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: pathParameters[name],
    schema: { type: 'string' },
    example: `${name === 'id' ? 'guild' : name.replace('Id', '')}-1`,
  }))

/** The schema of a request body. */
export const schemaOf = (body: RequestBody): Schema => {
  if ('json' in body) return body.json.schema
  if ('text' in body) return body.text.schema
  const fields = Object.entries(body.fields)
  const names = fields.flatMap(([name, { required }]) => (required ? [name] : []))
  return {
    type: 'object',
    ...(names.length > 0 && { required: names }),
    properties: Object.fromEntries(fields.map(([name, { description, schema }]) => [name, { ...schema, description }])),
    additionalProperties: false,
  }
}

const descriptionOf = (body: RequestBody): string => {
  if ('json' in body) return body.json.description
  return 'text' in body ? body.text.description : 'An object with these fields only.'
}

const isOptional = (body: RequestBody): boolean =>
  'fields' in body && Object.values(body.fields).every(({ required }) => !required)

const requestBodyOf = (body: RequestBody) => {
  const type = 'text' in body ? 'application/x-ndjson' : 'application/json'
  return {
    description: descriptionOf(body),
    required: !isOptional(body),
    content: { [type]: { schema: schemaOf(body), example: body.example } },
  }
}

const errorResponse = (description: string) => ({
  description,
  content: { 'application/json': { schema: schemaRef('ErrorBody') } },
})

/** Error responses that many operations have, by name. */
export const sharedErrors = {
  InvalidRequest: errorResponse('The path or the body is invalid; nothing was changed.'),
  MissingToken: errorResponse('The mock server requires a token, and the request does not carry it.'),
  Forbidden: errorResponse(
    'The mock server has no token, and the request comes from another machine or from a web page of another origin.',
  ),
  NotFound: errorResponse('There is nothing with this id.'),
  TooLarge: errorResponse('The body is larger than 64 MiB.'),
} as const

const sharedError = (name: keyof typeof sharedErrors) => ({ $ref: `#/components/responses/${name}` })

// A body is read and checked even where none is expected.
const errorsOf = (path: string, method: Method, { conflict }: AdminRoute) => ({
  ...((method !== 'GET' || path.includes('{')) && { 400: sharedError('InvalidRequest') }),
  401: sharedError('MissingToken'),
  403: sharedError('Forbidden'),
  ...(path.includes('{') && { 404: sharedError('NotFound') }),
  ...(conflict && { 409: errorResponse(conflict) }),
  ...(method !== 'GET' && { 413: sharedError('TooLarge') }),
})

const successOf = (route: AdminRoute) => {
  if (!route.response) return { 204: { description: 'Done.' } }
  const { description, schema } = route.response
  const example = exampleResponse(route)
  return {
    [route.creates ? 201 : 200]: {
      description,
      content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
    },
  }
}

/** Describes a route as an OpenAPI operation. */
export const operationOf = (path: string, method: Method, route: AdminRoute, tag: string) => {
  const { operationId, summary, covers, requestBody } = route
  const members = covers.map((member) => `\`${member}\``).join(', ')
  return {
    operationId,
    summary,
    ...(covers.length > 0 && { description: `In code: ${members}.` }),
    tags: [tag],
    ...(path.includes('{') && { parameters: parametersOf(path) }),
    ...(requestBody && { requestBody: requestBodyOf(requestBody) }),
    responses: { ...successOf(route), ...errorsOf(path, method, route) },
  }
}

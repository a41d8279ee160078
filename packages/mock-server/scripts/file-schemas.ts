import { adminRoutes } from '../src/admin/routes/index.ts'
import { schemaRef, type Method, type Schema } from '../src/admin/route.ts'
import { schemaOf } from './admin-openapi/operations.ts'
import { schemas } from './admin-openapi/schemas.ts'

/** The fields that a request of the admin API takes: a set-up file has the same. */
const fieldsOf = (path: string, method: Method): Schema => {
  const body = adminRoutes[path]?.[method]?.requestBody
  if (!body) throw new Error(`${method} ${path} has no body`)
  return schemaOf(body)
}

const arrayOf = (items: Schema): Schema => ({ type: 'array', items })
const object = (description: string, properties: Schema): Schema => ({
  description,
  type: 'object',
  properties,
  additionalProperties: false,
})

const extras = {
  keys: arrayOf(fieldsOf('/_mock/guilds/{id}/keys', 'POST')),
  faults: arrayOf(schemaRef('Fault')),
}
const guildSchema = (description: string, method: Method, path = '/_mock/guilds'): Schema =>
  object(description, { ...(fieldsOf(path, method)['properties'] as Schema), ...extras })

const setUpFile = object('Guilds, keys, faults and stubs that a mock server starts with.', {
  guild: guildSchema('Changes of the first guild.', 'PATCH', '/_mock/guilds/{id}'),
  guilds: arrayOf(guildSchema('A further guild.', 'POST')),
  unboundKeys: arrayOf(fieldsOf('/_mock/keys', 'POST')),
  stubs: arrayOf(fieldsOf('/_mock/stubs', 'POST')),
})

const fileSchema = (name: string, schema: Schema): string => {
  const file = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `https://unpkg.com/@guild-ledger/mock-server/${name}`,
    ...schema,
    properties: { $schema: { type: 'string' }, ...(schema['properties'] as Schema) },
  }
  const used = ['Fault', 'Subscription', 'RateLimit', 'AssumptionChanges', 'Endpoint']
  const isUsed = JSON.stringify(file).includes('#/components/')
  const $defs = Object.fromEntries(used.map((one) => [one, schemas[one]]))
  const text = JSON.stringify(isUsed ? { ...file, $defs } : file, null, 2)
  return `${text.replaceAll('#/components/schemas/', '#/$defs/')}\n`
}

/** JSON Schemas of the files that the command line reads, by name, as they are shipped. */
export const fileSchemas: Readonly<Record<string, string>> = {
  'assumptions.schema.json': fileSchema('assumptions.schema.json', schemas['AssumptionChanges'] ?? {}),
  'setup.schema.json': fileSchema('setup.schema.json', setUpFile),
}

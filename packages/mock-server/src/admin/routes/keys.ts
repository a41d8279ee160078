import { requiredScope } from '@guild-ledger/sdk/contract'
import { describeValue } from '@guild-ledger/validation'
import type { ApiKey, KeyDetails } from '../../store/index.ts'
import { HttpError } from '../http-error.ts'
import { arrayOf, isoDate, schemaRef, type AdminRequest, type AdminRoutes, type RequestBody } from '../route.ts'
import { findGuild } from './find-guild.ts'

const requestBody: RequestBody = {
  fields: {
    name: { description: 'Free text.', schema: { type: 'string', minLength: 1 }, required: true },
    scopes: {
      description: 'Scopes of the key. May be empty: the key is then valid, but has no access.',
      schema: { type: 'array', items: { const: requiredScope } },
      required: true,
    },
    expiresAt: { description: 'Expiration date. In the past for an expired key.', schema: isoDate, required: true },
    value: {
      description: 'Value of the key. Default: a value made from the seed.',
      schema: { type: 'string', pattern: String.raw`^[\x21-\x7e]+$` },
    },
  },
  example: { name: 'bot', scopes: [requiredScope], expiresAt: '2030-01-01T00:00:00Z' },
}

const createdKey = {
  description: 'The key with its value. The value is shown only here.',
  schema: schemaRef('CreatedKey'),
}
const keyList = { description: 'The keys without their values, oldest first.', schema: arrayOf('Key') }

const existingId = (keys: readonly ApiKey[], id = ''): string => {
  if (keys.some((key) => key.id === id)) return id
  throw new HttpError(404, `There is no key ${describeValue(id)} here: see GET on the path above.`)
}

// Missing and wrong details are rejected where the key is created.
const keyDetails = ({ fields }: AdminRequest) => fields as unknown as KeyDetails

export const keyRoutes: AdminRoutes = {
  '/_mock/guilds/{id}/keys': {
    GET: {
      operationId: 'listKeys',
      summary: 'Lists the keys of a guild',
      covers: ['guild.keys'],
      response: keyList,
      run: (request) => findGuild(request).keys,
    },
    POST: {
      operationId: 'createKey',
      summary: 'Creates a key for a guild',
      covers: ['guild.createKey'],
      requestBody,
      response: createdKey,
      creates: true,
      run: (request) => findGuild(request).createKey(keyDetails(request)),
    },
  },
  '/_mock/guilds/{id}/keys/{keyId}': {
    DELETE: {
      operationId: 'deleteKey',
      summary: 'Deletes a key of a guild; from then on it is an invalid key',
      covers: ['guild.deleteKey'],
      run(request) {
        const guild = findGuild(request)
        guild.deleteKey(existingId(guild.keys, request.pathParameters[1]))
      },
    },
  },
  '/_mock/keys': {
    GET: {
      operationId: 'listUnboundKeys',
      summary: 'Lists the keys that are bound to no guild',
      covers: ['mock.unboundKeys'],
      response: keyList,
      run: ({ mock }) => mock.unboundKeys,
    },
    POST: {
      operationId: 'createUnboundKey',
      summary: 'Creates a key that is bound to no guild; its requests get the documented 400 `No guild ID provided`',
      covers: ['mock.createUnboundKey'],
      requestBody,
      response: createdKey,
      creates: true,
      run: (request) => request.mock.createUnboundKey(keyDetails(request)),
    },
  },
  '/_mock/keys/{keyId}': {
    DELETE: {
      operationId: 'deleteUnboundKey',
      summary: 'Deletes a key that is bound to no guild; from then on it is an invalid key',
      covers: ['mock.deleteUnboundKey'],
      run: ({ mock, pathParameters }) => mock.deleteUnboundKey(existingId(mock.unboundKeys, pathParameters[0])),
    },
  },
}

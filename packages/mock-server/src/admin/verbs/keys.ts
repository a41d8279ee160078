import { inWords, requiredScope } from '@guild-ledger/sdk/contract'
import type { ApiKey, KeyDetails } from '../../store/index.ts'
import { Refused } from '../refused.ts'
import { isoDate, manyOf, named, type Call, type Verb, type Verbs } from '../verb.ts'
import { guildOf } from './guild-of.ts'

const takes: Verb['takes'] = {
  fields: {
    name: { is: 'Free text.', schema: { type: 'string', minLength: 1 }, isRequired: true },
    scopes: {
      is: 'What the key may do. None is allowed: such a key is valid and may do nothing.',
      schema: { type: 'array', items: { const: requiredScope } },
      isRequired: true,
    },
    expiresAt: { is: 'When it stops working: later than now.', schema: isoDate, isRequired: true },
  },
  example: { name: 'bot', scopes: [requiredScope], expiresAt: '2030-01-01T00:00:00Z' },
}

const created = { is: 'The key, and its value this once.', schema: named('CreatedKey') }
const listed = { is: 'The keys, oldest first, without their values.', schema: manyOf('Key') }

const idAmong = (keys: readonly ApiKey[], id = ''): string => {
  if (keys.some((key) => key.id === id)) return id
  throw new Refused(404, `There is no key ${inWords(id)} here: see GET on the path above.`)
}

// Whatever is missing or wrong is named by whoever creates the key.
const detailsOf = ({ fields }: Call) => fields as unknown as KeyDetails

export const keyVerbs: Verbs = {
  '/_mock/guilds/{id}/keys': {
    GET: {
      id: 'listKeys',
      summary: 'The keys of a guild',
      does: ['guild.keys'],
      replies: listed,
      run: (call) => guildOf(call).keys,
    },
    POST: {
      id: 'createKey',
      summary: 'Creates a key for a guild',
      does: ['guild.createKey'],
      takes,
      replies: created,
      run: (call) => guildOf(call).createKey(detailsOf(call)),
    },
  },
  '/_mock/guilds/{id}/keys/{keyId}': {
    DELETE: {
      id: 'deleteKey',
      summary: 'Deletes a key of a guild: from then on it is an invalid key',
      does: ['guild.deleteKey'],
      run(call) {
        const guild = guildOf(call)
        guild.deleteKey(idAmong(guild.keys, call.ids[1]))
      },
    },
  },
  '/_mock/keys': {
    GET: {
      id: 'listUnboundKeys',
      summary: 'The keys that are bound to no guild',
      does: ['mock.unboundKeys'],
      replies: listed,
      run: ({ mock }) => mock.unboundKeys,
    },
    POST: {
      id: 'createUnboundKey',
      summary: 'Creates a key that is bound to no guild, to meet `No guild ID provided`',
      does: ['mock.createUnboundKey'],
      takes,
      replies: created,
      run: (call) => call.mock.createUnboundKey(detailsOf(call)),
    },
  },
  '/_mock/keys/{keyId}': {
    DELETE: {
      id: 'deleteUnboundKey',
      summary: 'Deletes a key that is bound to no guild: from then on it is an invalid key',
      does: ['mock.deleteUnboundKey'],
      run: ({ mock, ids }) => mock.deleteUnboundKey(idAmong(mock.unboundKeys, ids[0])),
    },
  },
}

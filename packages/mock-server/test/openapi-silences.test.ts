import description from '@guild-ledger/sdk/openapi.json' with { type: 'json' }
import { expect, it } from 'vitest'

/** What the document leaves open, and where the description has to say so. */

/** What stands at a place such as `components/schemas/Summary`; a parameter is found by its name. */
const at = (place: string): { description?: string } =>
  place.split('/').reduce<unknown>((part, key) => {
    if (Array.isArray(part))
      return (part as { name?: string }[]).find(({ name }, i) => name === key || String(i) === key)
    return (part as Record<string, unknown>)[key.replaceAll('~1', '/')]
  }, description) as { description?: string }

const guildPath = '/guild/ledger/transactions'
const userPath = '/guild/ledger/{platformId}/transactions'
const placeOf = (path: string) => `paths/${path.replaceAll('/', '~1')}/get`
const inGuild = placeOf(guildPath)
const inUser = placeOf(userPath)
const field = (id: string, name: string) => `components/schemas/${id}/properties/${name}`

it.each([
  ['how transactions come into existence', 'components/schemas/Transaction', 'comes to be'],
  ['states and transitions', 'components/schemas/Transaction', 'states'],
  ['operations that change transactions', 'info', 'create, change or delete'],
  ['events', 'info', 'webhooks'],
  ['compatibility, deprecation, negotiation', 'info', 'compatible, how something is deprecated'],
  ['the base address', 'servers/0', 'its address'],
  ['unit of amount', field('Transaction', 'amount'), 'unit or currency'],
  ['unit of total', field('Transaction', 'total'), 'unit or currency'],
  ['amount, quantity and total', field('Transaction', 'amount'), 'quantity and total'],
  ['amount, quantity and total', field('Transaction', 'quantity'), 'amount and total'],
  ['amount, quantity and total', field('Transaction', 'total'), 'amount and quantity'],
  ['values of source', field('Transaction', 'source'), 'which values'],
  ['fields of a key', 'components/securitySchemes/apiKey', 'recorded of a key'],
  ['format and length of a key', 'components/securitySchemes/apiKey', 'format and length'],
  ['other scopes', 'components/securitySchemes/apiKey', 'names of other scopes'],
  ['keys per guild', 'components/securitySchemes/apiKey', 'how many keys'],
  ['how the guild is named', 'components/securitySchemes/apiKey', 'other than by the key'],
  ['how the guild is named', `${inGuild}/responses/400`, 'other than through the key'],
  ['how the guild is named', `${inUser}/responses/400`, 'other than through the key'],
  ['matching rule of from', `${inGuild}/parameters/from`, 'compared'],
  ['matching rule of from', `${inUser}/parameters/from`, 'compared'],
  ['bounds of dates', `${inGuild}/parameters/startDate`, 'exactly that time'],
  ['bounds of dates', `${inGuild}/parameters/endDate`, 'exactly that time'],
  ['what page counts', `${inGuild}/parameters/page`, 'user groups'],
  ['what limit counts', `${inGuild}/parameters/limit`, 'user groups'],
  ['what total counts', field('Pagination', 'total'), 'user groups'],
  ['order of groups', field('GuildReply', 'data'), 'order of the groups'],
  ['defaults of one user', `${inUser}/parameters/page`, 'left out'],
  ['defaults of one user', `${inUser}/parameters/limit`, 'left out'],
  ['defaults of one user', `${inUser}/parameters/sortBy`, 'left out'],
  ['defaults of one user', `${inUser}/parameters/sortOrder`, 'left out'],
  ['the other path', 'paths/~1guild~1discharges', 'parameters and replies'],
  ['key without scope or expired', `${inGuild}/responses/default`, 'expired or lacks the scope'],
  ['key without scope or expired', `${inUser}/responses/default`, 'expired or lacks the scope'],
  ['rate limit exceeded', `${inGuild}/responses/default`, 'above the rate limit'],
  ['rate limit exceeded', `${inUser}/responses/default`, 'above the rate limit'],
  ['rate-limit headers', `${inGuild}/responses/200`, 'headers'],
  ['rate-limit headers', `${inUser}/responses/default`, 'headers'],
  ['malformed parameters', `${inGuild}/responses/default`, 'malformed'],
  ['malformed parameters', `${inUser}/parameters/limit`, 'does not fit'],
  ['scope of the rate limit', inGuild, 'by key, by guild or by address'],
  ['scope of the rate limit', inUser, 'by key, by guild or by address'],
  ['largest page', `${inGuild}/parameters/page`, 'largest page'],
  ['largest page', `${inUser}/parameters/page`, 'largest page'],
])('says that it is not shown, %s: at %s', (_silence, place, words) => {
  const [, silence = ''] = /([^.]*): not shown\.$/.exec(at(place).description ?? '') ?? []

  expect(silence.toLowerCase()).toContain(words)
})

it('every parameter, reply, schema and field has words', () => {
  const { [guildPath]: guild, [userPath]: user } = description.paths
  const described = [
    ...[guild.get, user.get].flatMap(({ parameters, responses }) => [...parameters, ...Object.values(responses)]),
    ...Object.values(description.components.schemas).flatMap((schema) => [schema, ...Object.values(schema.properties)]),
  ]

  expect(described.filter((one) => !/^[A-Z].*\.$/.test((one as { description: string }).description))).toEqual([])
  expect(described).toHaveLength(18 + 12 + 7 + 25)
})

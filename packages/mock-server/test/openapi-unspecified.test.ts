import description from '@guild-ledger/sdk/openapi.json' with { type: 'json' }
import { expect, it } from 'vitest'

/** The part of the description at a place such as `components/schemas/Summary`; a parameter is found by its name. */
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
  ['how transactions come into existence', 'components/schemas/Transaction', 'come into existence'],
  ['states and transitions', 'components/schemas/Transaction', 'states'],
  ['operations that change transactions', 'info', 'create, change or delete'],
  ['events', 'info', 'webhooks'],
  ['compatibility, deprecation, negotiation', 'info', 'compatibility policy, deprecation rules'],
  ['the base address', 'servers/0', 'its address'],
  ['unit of amount', field('Transaction', 'amount'), 'unit or currency'],
  ['unit of total', field('Transaction', 'total'), 'unit or currency'],
  ['amount, quantity and total', field('Transaction', 'amount'), 'quantity and total'],
  ['amount, quantity and total', field('Transaction', 'quantity'), 'amount and total'],
  ['amount, quantity and total', field('Transaction', 'total'), 'amount and quantity'],
  ['values of source', field('Transaction', 'source'), 'the allowed values'],
  ['fields of a key', 'components/securitySchemes/apiKey', 'fields of the key record'],
  ['format and length of a key', 'components/securitySchemes/apiKey', 'format and length'],
  ['other scopes', 'components/securitySchemes/apiKey', 'other scope names'],
  ['keys per guild', 'components/securitySchemes/apiKey', 'number of keys'],
  ['how the guild identifier reaches the service', 'components/securitySchemes/apiKey', 'other than through the key'],
  ['how the guild identifier reaches the service', `${inGuild}/responses/400`, 'other than through the key'],
  ['how the guild identifier reaches the service', `${inUser}/responses/400`, 'other than through the key'],
  ['matching rule of from', `${inGuild}/parameters/from`, 'matching rule'],
  ['matching rule of from', `${inUser}/parameters/from`, 'matching rule'],
  ['bounds of dates', `${inGuild}/parameters/startDate`, 'inclusive'],
  ['bounds of dates', `${inGuild}/parameters/endDate`, 'inclusive'],
  ['what page counts', `${inGuild}/parameters/page`, 'user groups'],
  ['what limit counts', `${inGuild}/parameters/limit`, 'user groups'],
  ['what total counts', field('Pagination', 'total'), 'user groups'],
  ['order of groups', field('GuildResponse', 'data'), 'order of the groups'],
  ['defaults of one user', `${inUser}/parameters/page`, 'the default'],
  ['defaults of one user', `${inUser}/parameters/limit`, 'the default'],
  ['defaults of one user', `${inUser}/parameters/sortBy`, 'the default'],
  ['defaults of one user', `${inUser}/parameters/sortOrder`, 'the default'],
  ['the other path', 'paths/~1guild~1discharges', 'parameters and responses'],
  ['key without scope or expired', `${inGuild}/responses/default`, 'expired or lacks the scope'],
  ['key without scope or expired', `${inUser}/responses/default`, 'expired or lacks the scope'],
  ['rate limit exceeded', `${inGuild}/responses/default`, 'above the rate limit'],
  ['rate limit exceeded', `${inUser}/responses/default`, 'above the rate limit'],
  ['rate-limit headers', `${inGuild}/responses/200`, 'headers'],
  ['rate-limit headers', `${inUser}/responses/default`, 'headers'],
  ['malformed parameters', `${inGuild}/responses/default`, 'malformed'],
  ['malformed parameters', `${inUser}/parameters/limit`, 'invalid value'],
  ['scope of the rate limit', inGuild, 'per key, guild or address'],
  ['scope of the rate limit', inUser, 'per key, guild or address'],
  ['largest page', `${inGuild}/parameters/page`, 'largest page'],
  ['largest page', `${inUser}/parameters/page`, 'largest page'],
])('openapi.json names %s as unspecified, at %s', (_topic, place, words) => {
  const [, unspecified = ''] = / Unspecified: (.*)\.$/.exec(at(place).description ?? '') ?? []

  expect(unspecified).toContain(words)
})

it('openapi.json describes every parameter, response, schema and field', () => {
  const { [guildPath]: guild, [userPath]: user } = description.paths
  const described = [
    ...[guild.get, user.get].flatMap(({ parameters, responses }) => [...parameters, ...Object.values(responses)]),
    ...Object.values(description.components.schemas).flatMap((schema) => [schema, ...Object.values(schema.properties)]),
  ]

  expect(described.filter((one) => !/^[A-Z].*\.$/.test((one as { description: string }).description))).toEqual([])
  expect(described.length).toBeGreaterThan(60)
})

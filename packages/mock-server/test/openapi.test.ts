import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import description from '@guild-ledger/sdk/openapi.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { openapiText } from '../scripts/openapi/document.ts'
import { createDescriptionValidator } from './description-validator.ts'

const guildPath = '/guild/ledger/transactions'
const userPath = '/guild/ledger/{platformId}/transactions'
const guild = description.paths[guildPath].get
const user = description.paths[userPath].get
const operations = { [guildPath]: guild, [userPath]: user }

/** What stands at a place such as `components/schemas/Summary`; a parameter is found by its name. */
const at = (place: string): { description?: string } =>
  place.split('/').reduce<unknown>((part, key) => {
    if (Array.isArray(part))
      return (part as { name?: string }[]).find(({ name }, i) => name === key || String(i) === key)
    return (part as Record<string, unknown>)[key.replaceAll('~1', '/')]
  }, description) as { description?: string }

const inGuild = 'paths/~1guild~1ledger~1transactions/get'
const inUser = 'paths/~1guild~1ledger~1{platformId}~1transactions/get'
const field = (id: string, name: string) => `components/schemas/${id}/properties/${name}`

it('openapi.json is up to date; if not, run pnpm docs:openapi', () => {
  const written = readFileSync(new URL('../../sdk/openapi.json', import.meta.url), 'utf8')

  expect(written).toBe(openapiText)
})

it('is OpenAPI 3.1 by the schema of the OpenAPI Initiative', async () => {
  const validator = new Validator()

  const result = await validator.validate(structuredClone(description))

  expect(result).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

it('carries the version that the document says', () => {
  expect([description.openapi, description.info.version]).toEqual(['3.1.1', '1.0.0'])
})

it('asks with the key in its header, for the documented scope', () => {
  expect(description.components.securitySchemes.apiKey).toMatchObject({
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
  })
  expect([guild.security, user.security]).toEqual([[{ apiKey: ['guild:read'] }], [{ apiKey: ['guild:read'] }]])
})

describe('parameters', () => {
  const amount = { type: 'number', minimum: 0 }
  const date = { type: 'string', format: 'date-time' }
  const text = { type: 'string' }
  const sortOrder = { type: 'string', enum: ['asc', 'desc'] }
  const userFields = ['amount', 'quantity', 'total', 'createdAt']

  const schemasOf = ({
    parameters,
  }: {
    parameters: { name: string; in: string; required: boolean; schema: object }[]
  }) => Object.fromEntries(parameters.map((one) => [`${one.in} ${one.name}${one.required ? '' : '?'}`, one.schema]))

  it('of list-all are those of the document, with its defaults', () => {
    expect(schemasOf(guild)).toEqual({
      'query page?': { type: 'integer', minimum: 1, default: 1 },
      'query limit?': { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      'query platformId?': text,
      'query from?': text,
      'query minAmount?': amount,
      'query maxAmount?': amount,
      'query startDate?': date,
      'query endDate?': date,
      'query sortBy?': { type: 'string', enum: [...userFields, 'name'], default: 'createdAt' },
      'query sortOrder?': { ...sortOrder, default: 'desc' },
    })
  })

  it('of one user are those of the document, which gives them no default', () => {
    expect(schemasOf(user)).toEqual({
      'path platformId': text,
      'query page?': { type: 'integer', minimum: 1 },
      'query limit?': { type: 'integer', minimum: 1, maximum: 100 },
      'query from?': text,
      'query minAmount?': amount,
      'query maxAmount?': amount,
      'query sortBy?': { type: 'string', enum: userFields },
      'query sortOrder?': sortOrder,
    })
  })
})

describe('replies', () => {
  const messagesOf = (responses: object) =>
    Object.entries(responses).flatMap(([status, { content }]: [string, typeof guild.responses.default]) =>
      Object.values(('examples' in content['application/json'] ? content['application/json'].examples : {}) as object)
        .filter(({ value }: { value: { success: boolean } }) => !value.success)
        .map(({ value }: { value: { message: string } }) => [status, value.message]),
    )

  it.each([
    ['list-all', guild, 'No transactions found for this guild', 'Failed to fetch guild transactions'],
    ['one user', user, 'No transactions found for this user', 'Failed to fetch user transactions'],
  ])('of %s: each documented status with its message', (_endpoint, { responses }, noTransactions, failed) => {
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '404', '500', 'default'])
    expect(messagesOf(responses)).toEqual([
      ['400', 'No guild ID provided'],
      ['401', 'Unauthorized - invalid API key'],
      ['404', noTransactions],
      ['500', failed],
    ])
  })

  it('only list-all has a summary', () => {
    const { GuildReply, UserReply } = description.components.schemas

    expect(GuildReply.required).toEqual(['success', 'data', 'pagination', 'summary'])
    expect(UserReply.required).toEqual(['success', 'data', 'pagination'])
  })

  it('allow fields that are not known yet', () => {
    expect(JSON.stringify(description)).not.toContain('additionalProperties')
  })

  it('are shown by examples that fit their schemas', async () => {
    const validator = await createDescriptionValidator()
    const fits = Object.values(operations).flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        const { examples = {} } = content['application/json'] as { examples?: Record<string, { value: unknown }> }
        return Object.values(examples).map(
          ({ value }) => validator.validateResponse(value, operationId, Number(status)).valid,
        )
      }),
    )

    expect(fits).toEqual(Array.from({ length: 10 }, () => true))
  })
})

describe('silences', () => {
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
  ])('%s: at %s', (_silence, place, words) => {
    const [, silence = ''] = /([^.]*): not shown\.$/.exec(at(place).description ?? '') ?? []

    expect(silence.toLowerCase()).toContain(words)
  })

  it('and facts: every parameter, reply, schema and field has words', () => {
    const described = [
      ...Object.values(operations).flatMap(({ parameters, responses }) => [...parameters, ...Object.values(responses)]),
      ...Object.values(description.components.schemas).flatMap((schema) => [
        schema,
        ...Object.values(schema.properties),
      ]),
    ]

    expect(described.filter((one) => !/^[A-Z].*\.$/.test((one as { description: string }).description))).toEqual([])
    expect(described).toHaveLength(18 + 12 + 7 + 25)
  })
})

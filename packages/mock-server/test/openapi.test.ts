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

it('openapi.json is up to date; if not, run pnpm docs:openapi', () => {
  const file = readFileSync(new URL('../../sdk/openapi.json', import.meta.url), 'utf8')

  expect(file).toBe(openapiText)
})

it('openapi.json is OpenAPI 3.1 by the schema of the OpenAPI Initiative', async () => {
  const validator = new Validator()

  const result = await validator.validate(structuredClone(description))

  expect(result).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

it('openapi.json has version 1.0.0, as the spec says', () => {
  expect([description.openapi, description.info.version]).toEqual(['3.1.1', '1.0.0'])
})

it('openapi.json requires the x-api-key header and the documented scope', () => {
  expect(description.components.securitySchemes.apiKey).toMatchObject({
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
  })
  expect([guild.security, user.security]).toEqual([[{ apiKey: ['guild:read'] }], [{ apiKey: ['guild:read'] }]])
})

describe('parameters in openapi.json', () => {
  const amount = { type: 'number', minimum: 0 }
  const date = { type: 'string', format: 'date-time' }
  const string = { type: 'string' }
  const sortOrder = { type: 'string', enum: ['asc', 'desc'] }
  const userFields = ['amount', 'quantity', 'total', 'createdAt']

  const schemasOf = ({
    parameters,
  }: {
    parameters: { name: string; in: string; required: boolean; schema: object }[]
  }) => Object.fromEntries(parameters.map((one) => [`${one.in} ${one.name}${one.required ? '' : '?'}`, one.schema]))

  it('the parameters of list-all are those of the spec, with their defaults', () => {
    expect(schemasOf(guild)).toEqual({
      'query page?': { type: 'integer', minimum: 1, default: 1 },
      'query limit?': { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      'query platformId?': string,
      'query from?': string,
      'query minAmount?': amount,
      'query maxAmount?': amount,
      'query startDate?': date,
      'query endDate?': date,
      'query sortBy?': { type: 'string', enum: [...userFields, 'name'], default: 'createdAt' },
      'query sortOrder?': { ...sortOrder, default: 'desc' },
    })
  })

  it('the parameters of the one-user endpoint are those of the spec, without defaults', () => {
    expect(schemasOf(user)).toEqual({
      'path platformId': string,
      'query page?': { type: 'integer', minimum: 1 },
      'query limit?': { type: 'integer', minimum: 1, maximum: 100 },
      'query from?': string,
      'query minAmount?': amount,
      'query maxAmount?': amount,
      'query sortBy?': { type: 'string', enum: userFields },
      'query sortOrder?': sortOrder,
    })
  })
})

describe('responses in openapi.json', () => {
  const messagesOf = (responses: object) =>
    Object.entries(responses).flatMap(([status, { content }]: [string, typeof guild.responses.default]) =>
      Object.values(('examples' in content['application/json'] ? content['application/json'].examples : {}) as object)
        .filter(({ value }: { value: { success: boolean } }) => !value.success)
        .map(({ value }: { value: { message: string } }) => [status, value.message]),
    )

  it.each([
    ['list-all', guild, 'No transactions found for this guild', 'Failed to fetch guild transactions'],
    ['one user', user, 'No transactions found for this user', 'Failed to fetch user transactions'],
  ])(
    'the responses of %s are the documented statuses with their messages',
    (_endpoint, { responses }, noTransactions, failed) => {
      expect(messagesOf(responses)).toEqual([
        ['400', 'No guild ID provided'],
        ['401', 'Unauthorized - invalid API key'],
        ['404', noTransactions],
        ['500', failed],
      ])
    },
  )

  it('the responses of each operation are the documented statuses', () => {
    const statuses = ['200', '400', '401', '404', '500', 'default']
    for (const { responses } of Object.values(operations)) expect(Object.keys(responses)).toEqual(statuses)
  })

  it('only the response of list-all has a summary', () => {
    const { GuildResponse, UserResponse } = description.components.schemas

    expect(GuildResponse.required).toEqual(['success', 'data', 'pagination', 'summary'])
    expect(UserResponse.required).toEqual(['success', 'data', 'pagination'])
  })

  it('response schemas allow unknown fields', () => {
    expect(JSON.stringify(description)).not.toContain('additionalProperties')
  })

  it('example responses are valid by their schemas', async () => {
    const validator = await createDescriptionValidator()
    const fits = Object.values(operations).flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        const { examples = {} } = content['application/json'] as { examples?: Record<string, { value: unknown }> }
        return Object.values(examples).map(
          ({ value }) => validator.validateResponse(value, operationId, Number(status)).valid,
        )
      }),
    )

    expect(fits.length).toBeGreaterThanOrEqual(10)
    expect(fits).not.toContain(false)
  })
})

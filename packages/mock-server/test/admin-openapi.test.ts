import { readFileSync } from 'node:fs'
import { createMockLedger } from '@guild-ledger/mock-server'
import { createMockClock } from '@guild-ledger/mock-server/admin'
import description from '@guild-ledger/mock-server/admin.openapi.json' with { type: 'json' }
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { adminOpenapiText } from '../scripts/admin-openapi/document.ts'
import { adminRoutes } from '../src/admin/routes/index.ts'
import { guildChecks } from '../src/ledger/options.ts'
import { operations } from './admin-server.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const routes = Object.entries(adminRoutes).flatMap(([path, byMethod]) =>
  Object.entries(byMethod).map(([method, route]) => ({ name: `${method} ${path}`, route })),
)

it('admin.openapi.json is up to date; if not, run pnpm docs:openapi', () => {
  expect(read('../admin.openapi.json')).toBe(adminOpenapiText)
})

it('admin.openapi.json is OpenAPI 3.1 by the schema of the OpenAPI Initiative', async () => {
  const validator = new Validator()

  const result = await validator.validate(structuredClone(description))

  expect(result).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

it('admin.openapi.json describes every route with a unique operation id and with its responses', () => {
  expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(routes.map(({ name }) => name))
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
  for (const { operation } of operations) {
    const statuses = Object.keys(operation.responses)
    expect(statuses).toEqual(expect.arrayContaining(['401', '403']))
    expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1)
  }
})

describe('coverage of the objects by the admin API', () => {
  // The service itself has its own paths, the value of a key is shown only at its creation, and options have functions.
  const notCovered = [
    'mock.respond',
    'mock.fetch',
    'mock.handlers',
    'mock.origin',
    'mock.apiKey',
    'mock.clientOptions',
    'guild.clientOptions',
  ]
  const mock = createMockLedger({ transactions: 0 })
  const objects = { mock, guild: mock.guild, clock: createMockClock() }
  const members = Object.entries(objects).flatMap(([name, object]) =>
    Object.keys(object).map((member) => `${name}.${member}`),
  )
  const covered = new Set<string>(routes.flatMap(({ route }) => route.covers))

  it.each(members.filter((member) => !notCovered.includes(member)))('a route covers %s', (member) => {
    expect([...covered]).toContain(member)
  })

  it('every route covers members that exist', () => {
    expect([...covered].filter((member) => !members.includes(member))).toEqual([])
    expect(notCovered.filter((member) => !members.includes(member) || covered.has(member))).toEqual([])
  })
})

it('admin.openapi.json says of each array what its items are, as linters require', () => {
  const without: unknown[] = []
  JSON.stringify(description, (_name, value: unknown) => {
    if ((value as { type?: unknown } | null)?.type === 'array' && !Object.hasOwn(value as object, 'items'))
      without.push(value)
    return value
  })

  expect(without).toEqual([])
})

it('POST /_mock/guilds takes the options of createGuild', () => {
  const { requestBody } = adminRoutes['/_mock/guilds']?.POST ?? {}
  const fields = requestBody && 'fields' in requestBody ? requestBody.fields : {}

  expect(new Set(Object.keys(fields))).toEqual(new Set(Object.keys(guildChecks)))
})

describe('the table in docs/http-server.md', () => {
  const rows = read('../../../docs/http-server.md')
    .split('\n')
    .filter((line) => /^\| `(GET|POST|PATCH|DELETE) /.test(line))
  const documented = rows.map((row) => {
    const [, calls = '', body = ''] = row.split('|')
    return { calls: [...calls.matchAll(/`([^`]+)`/g)].map(([, call]) => call), body }
  })

  it('docs/http-server.md lists every route once', () => {
    const calls = documented.flatMap((row) => row.calls)

    expect(calls).toHaveLength(routes.length)
    expect(new Set(calls)).toEqual(new Set(routes.map(({ name }) => name)))
  })

  it.each(routes)('docs/http-server.md names each field of $name', ({ name, route }) => {
    const { body } = documented.find(({ calls }) => calls.includes(name)) ?? {}
    const { requestBody } = route
    const fields = requestBody && 'fields' in requestBody ? Object.keys(requestBody.fields) : []

    expect([...(body?.matchAll(/`(\w+)`/g) ?? [])].map(([, field]) => field)).toEqual(fields)
  })
})

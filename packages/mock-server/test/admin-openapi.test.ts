import { readFileSync } from 'node:fs'
import { createMockLedger } from '@guild-ledger/mock-server'
import { createClock } from '@guild-ledger/mock-server/admin'
import description from '@guild-ledger/mock-server/admin.openapi.json' with { type: 'json' }
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { adminOpenapiText } from '../scripts/admin-openapi/document.ts'
import { verbs } from '../src/admin/verbs/index.ts'
import { guildOptions } from '../src/mock-ledger/options.ts'
import { operations } from './admin-server.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const named = Object.entries(verbs).flatMap(([path, byMethod]) =>
  Object.entries(byMethod).map(([method, verb]) => ({ name: `${method} ${path}`, verb })),
)

it('admin.openapi.json is up to date; if not, run pnpm docs:openapi', () => {
  expect(read('../admin.openapi.json')).toBe(adminOpenapiText)
})

it('is OpenAPI 3.1 by the schema of the OpenAPI Initiative', async () => {
  const validator = new Validator()

  const result = await validator.validate(structuredClone(description))

  expect(result).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

it('describes every verb, each under a name of its own, and every reply', () => {
  expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(named.map(({ name }) => name))
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
  for (const { operation } of operations) {
    const statuses = Object.keys(operation.responses)
    expect(statuses).toEqual(expect.arrayContaining(['401', '403']))
    expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1)
  }
})

describe('whatever the objects do has a verb', () => {
  // The service itself is asked at its own paths, and the value of a key is shown only when it is created.
  const noVerb = [
    'mock.answer',
    'mock.handle',
    'mock.wait',
    'mock.fetch',
    'mock.handlers',
    'mock.origin',
    'mock.apiKey',
  ]
  const mock = createMockLedger({ transactions: 0 })
  const objects = { mock, guild: mock.guild, clock: createClock() }
  const members = Object.entries(objects).flatMap(([name, object]) =>
    Object.keys(object).map((member) => `${name}.${member}`),
  )
  const done = new Set<string>(named.flatMap(({ verb }) => verb.does))

  it.each(members.filter((member) => !noVerb.includes(member)))('%s', (member) => {
    expect([...done]).toContain(member)
  })

  it('and no verb does what they do not', () => {
    expect([...done].filter((member) => !members.includes(member))).toEqual([])
    expect(noVerb.filter((member) => !members.includes(member) || done.has(member))).toEqual([])
  })
})

it('a guild is created with what createGuild takes', () => {
  const { takes } = verbs['/_mock/guilds']?.POST ?? {}
  const fields = takes && 'fields' in takes ? takes.fields : {}

  expect(new Set(Object.keys(fields))).toEqual(new Set(guildOptions))
})

describe('the table in the README', () => {
  const [, section = ''] = read('../README.md').split('## Admin API')
  const rows =
    section
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('| `')) ?? []
  const told = rows.map((row) => {
    const [, calls = '', body = ''] = row.split('|')
    return { calls: [...calls.matchAll(/`([^`]+)`/g)].map(([, call]) => call), body }
  })

  it('has every verb once', () => {
    const calls = told.flatMap((row) => row.calls)

    expect(calls).toHaveLength(named.length)
    expect(new Set(calls)).toEqual(new Set(named.map(({ name }) => name)))
  })

  it.each(named)('names each field of $name', ({ name, verb }) => {
    const { body } = told.find(({ calls }) => calls.includes(name)) ?? {}
    const fields = verb.takes && 'fields' in verb.takes ? Object.keys(verb.takes.fields) : []

    expect([...(body?.matchAll(/`(\w+)`/g) ?? [])].map(([, field]) => field)).toEqual(fields)
  })
})

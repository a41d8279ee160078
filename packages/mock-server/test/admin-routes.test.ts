import { readFileSync } from 'node:fs'
import { createMockLedger } from '@guild-ledger/mock-server'
import { createMockClock } from '@guild-ledger/mock-server/admin'
import assumptionsSchema from '@guild-ledger/mock-server/assumptions.schema.json' with { type: 'json' }
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { assumptionsSchemaText } from '../scripts/assumptions-schema.ts'
import { routes } from '../src/admin/routes.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const names = Object.keys(routes)

/** The routes that do what members do in code. */
const membersOf: Readonly<Record<string, string>> = {
  'GET /_mock/guilds': 'mock.guilds mock.guild',
  'POST /_mock/guilds': 'mock.createGuild guild.apiKey',
  'DELETE /_mock/guilds/{id}': 'mock.removeGuild',
  'GET /_mock/assumptions': 'mock.assumptions',
  'PATCH /_mock/assumptions': 'mock.assume',
  'GET /_mock/keys': 'mock.unboundKeys',
  'POST /_mock/keys': 'mock.createUnboundKey',
  'DELETE /_mock/keys/{keyId}': 'mock.deleteUnboundKey',
  'GET /_mock/stubs': 'mock.stubs',
  'POST /_mock/stubs': 'mock.stub',
  'DELETE /_mock/stubs': 'mock.clearStubs',
  'GET /_mock/requests': 'mock.requests',
  'POST /_mock/requests/expect': 'mock.expectRequests',
  'POST /_mock/requests/expect-in-order': 'mock.expectRequestsInOrder',
  'POST /_mock/requests/wait': 'mock.waitForRequests',
  'POST /_mock/snapshots': 'mock.snapshot',
  'POST /_mock/snapshots/{snapshotId}/restore': 'mock.restore',
  'POST /_mock/reset': 'mock.reset',
  'GET /_mock/guilds/{id}': 'guild.id guild.assumptions',
  'PATCH /_mock/guilds/{id}': 'guild.assume guild.subscription guild.rateLimit',
  'GET /_mock/guilds/{id}/transactions': 'guild.transactions guild.export',
  'POST /_mock/guilds/{id}/transactions': 'guild.add',
  'DELETE /_mock/guilds/{id}/transactions': 'guild.remove',
  'POST /_mock/guilds/{id}/transactions/load': 'guild.load',
  'POST /_mock/guilds/{id}/transactions/schedule': 'guild.schedule',
  'GET /_mock/guilds/{id}/keys': 'guild.keys',
  'POST /_mock/guilds/{id}/keys': 'guild.createKey',
  'DELETE /_mock/guilds/{id}/keys/{keyId}': 'guild.deleteKey',
  'GET /_mock/guilds/{id}/faults': 'guild.faults guild.unusedFaults',
  'POST /_mock/guilds/{id}/faults': 'guild.fault',
  'DELETE /_mock/guilds/{id}/faults': 'guild.clearFaults',
  'GET /_mock/guilds/{id}/requests': 'guild.requests',
  'POST /_mock/guilds/{id}/requests/expect': 'guild.expectRequests',
  'POST /_mock/guilds/{id}/requests/expect-in-order': 'guild.expectRequestsInOrder',
  'POST /_mock/guilds/{id}/requests/wait': 'guild.waitForRequests',
  'GET /_mock/guilds/{id}/audit': 'guild.audit',
  'POST /_mock/guilds/{id}/reset': 'guild.reset',
  'GET /_mock/clock': 'clock.now clock.frozen',
  'POST /_mock/clock/freeze': 'clock.freeze',
  'POST /_mock/clock/advance': 'clock.advance',
  'POST /_mock/clock/resume': 'clock.resume',
  'POST /_mock/clock/reset': 'clock.reset',
}
/**
 * Members without a route: the service has its own paths, the value of a key is shown only when it is created, and
 * coverage is that of a suite in the same process.
 */
const withoutRoute =
  'mock.respond mock.fetch mock.handlers mock.origin mock.apiKey mock.clientOptions mock.coverage guild.clientOptions'

it('every member of a mock, a guild and a clock has a route, or is known to have none', () => {
  const mock = createMockLedger({ transactions: 0 })
  const members = Object.entries({ mock, guild: mock.guild, clock: createMockClock() }).flatMap(([name, object]) =>
    Object.keys(object).map((member) => `${name}.${member}`),
  )

  const known = [...Object.values(membersOf), withoutRoute].flatMap((words) => words.split(' '))
  expect(members.toSorted()).toEqual(known.toSorted())
  expect(Object.keys(membersOf).filter((route) => !names.includes(route))).toEqual([])
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

    expect(calls).toHaveLength(names.length)
    expect(new Set(calls)).toEqual(new Set(names))
  })

  it.each(names)('docs/http-server.md names each field of %s', (name) => {
    const { body: documentedBody = '' } = documented.find(({ calls }) => calls.includes(name)) ?? {}
    const { body } = routes[name] ?? {}
    const documentedFields = [...documentedBody.matchAll(/`(\w+)`/g)].map(([, field]) => field)

    expect(new Set(documentedFields)).toEqual(new Set(Array.isArray(body) ? (body as string[]) : []))
  })
})

it('assumptions.schema.json is up to date; if not, run pnpm docs:openapi', () => {
  const isAssumptions = new Ajv2020({ strict: false }).compile(assumptionsSchema)

  expect(read('../assumptions.schema.json')).toBe(assumptionsSchemaText)
  expect(isAssumptions({ $schema: 'x', pageUnit: 'group', maxPage: null })).toBe(true)
  expect(isAssumptions({ pageUnit: 'groups' })).toBe(false)
  expect(isAssumptions({ pageUnits: 'group' })).toBe(false)
})

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

/** The route that does what a member does in code; `null` where there is none. */
const routeOf: Readonly<Record<string, string | null>> = {
  'mock.guilds': 'GET /_mock/guilds',
  'mock.guild': 'GET /_mock/guilds',
  'mock.createGuild': 'POST /_mock/guilds',
  'mock.removeGuild': 'DELETE /_mock/guilds/{id}',
  'mock.assumptions': 'GET /_mock/assumptions',
  'mock.assume': 'PATCH /_mock/assumptions',
  'mock.unboundKeys': 'GET /_mock/keys',
  'mock.createUnboundKey': 'POST /_mock/keys',
  'mock.deleteUnboundKey': 'DELETE /_mock/keys/{keyId}',
  'mock.stubs': 'GET /_mock/stubs',
  'mock.stub': 'POST /_mock/stubs',
  'mock.clearStubs': 'DELETE /_mock/stubs',
  'mock.requests': 'GET /_mock/requests',
  'mock.expectRequests': 'POST /_mock/requests/expect',
  'mock.expectRequestsInOrder': 'POST /_mock/requests/expect-in-order',
  'mock.waitForRequests': 'POST /_mock/requests/wait',
  'mock.snapshot': 'POST /_mock/snapshots',
  'mock.restore': 'POST /_mock/snapshots/{snapshotId}/restore',
  'mock.reset': 'POST /_mock/reset',
  // The service itself has its own paths, and the value of a key is shown only when it is created.
  'mock.respond': null,
  'mock.fetch': null,
  'mock.handlers': null,
  'mock.origin': null,
  'mock.apiKey': null,
  'mock.clientOptions': null,
  // It covers a suite in the same process; the reporter for Vitest adds up processes.
  'mock.coverage': null,
  'guild.clientOptions': null,
  'guild.id': 'GET /_mock/guilds/{id}',
  'guild.apiKey': 'POST /_mock/guilds',
  'guild.assumptions': 'GET /_mock/guilds/{id}',
  'guild.assume': 'PATCH /_mock/guilds/{id}',
  'guild.subscription': 'PATCH /_mock/guilds/{id}',
  'guild.rateLimit': 'PATCH /_mock/guilds/{id}',
  'guild.transactions': 'GET /_mock/guilds/{id}/transactions',
  'guild.export': 'GET /_mock/guilds/{id}/transactions',
  'guild.add': 'POST /_mock/guilds/{id}/transactions',
  'guild.remove': 'DELETE /_mock/guilds/{id}/transactions',
  'guild.load': 'POST /_mock/guilds/{id}/transactions/load',
  'guild.schedule': 'POST /_mock/guilds/{id}/transactions/schedule',
  'guild.keys': 'GET /_mock/guilds/{id}/keys',
  'guild.createKey': 'POST /_mock/guilds/{id}/keys',
  'guild.deleteKey': 'DELETE /_mock/guilds/{id}/keys/{keyId}',
  'guild.faults': 'GET /_mock/guilds/{id}/faults',
  // Those that happened 0 times.
  'guild.unusedFaults': 'GET /_mock/guilds/{id}/faults',
  'guild.fault': 'POST /_mock/guilds/{id}/faults',
  'guild.clearFaults': 'DELETE /_mock/guilds/{id}/faults',
  'guild.requests': 'GET /_mock/guilds/{id}/requests',
  'guild.expectRequests': 'POST /_mock/guilds/{id}/requests/expect',
  'guild.expectRequestsInOrder': 'POST /_mock/guilds/{id}/requests/expect-in-order',
  'guild.waitForRequests': 'POST /_mock/guilds/{id}/requests/wait',
  'guild.audit': 'GET /_mock/guilds/{id}/audit',
  'guild.reset': 'POST /_mock/guilds/{id}/reset',
  'clock.now': 'GET /_mock/clock',
  'clock.frozen': 'GET /_mock/clock',
  'clock.freeze': 'POST /_mock/clock/freeze',
  'clock.advance': 'POST /_mock/clock/advance',
  'clock.resume': 'POST /_mock/clock/resume',
  'clock.reset': 'POST /_mock/clock/reset',
}

it('every member of a mock, a guild and a clock has a route, or is known to have none', () => {
  const mock = createMockLedger({ transactions: 0 })
  const members = Object.entries({ mock, guild: mock.guild, clock: createMockClock() }).flatMap(([name, object]) =>
    Object.keys(object).map((member) => `${name}.${member}`),
  )

  expect(members.toSorted()).toEqual(Object.keys(routeOf).toSorted())
  expect(Object.values(routeOf).filter((route) => route !== null && !names.includes(route))).toEqual([])
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

import * as fc from 'fast-check'
import {
  assumptionDefinitions,
  createMockLedger,
  type AssumptionDefinition,
  type Assumptions,
} from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { cases, entry } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { createDescriptionValidator } from './description-validator.ts'

/**
 * An independent validator checks what the mock serves against openapi.json.
 *
 * @proves each response over HTTP has a documented form
 * @against the OpenAPI description, with an independent validator
 */

const validator = await createDescriptionValidator()

const valuesOf = (definition: AssumptionDefinition): readonly unknown[] =>
  'values' in definition
    ? definition.values.map(([value]) => value)
    : [definition.default, definition.min, definition.min + 1]
const assumptionValues = fc
  .record(
    Object.fromEntries(
      Object.entries<AssumptionDefinition>(assumptionDefinitions).map(([key, definition]) => [
        key,
        fc.constantFrom(...valuesOf(definition)),
      ]),
    ),
  )
  .map((drawn): Partial<Assumptions> => ({ ...drawn, maxKeysPerGuild: null }))

const texts: Record<string, fc.Arbitrary<string>> = {
  page: fc.constantFrom('1', '1', '2', '3', '9', '0', '-1', '1.5', 'x', ''),
  limit: fc.constantFrom('1', '2', '7', '100', '101', '0', 'x'),
  platformId: fc.constantFrom('ann', 'nobody', ''),
  from: fc.oneof(fc.constantFrom('shop', 'SHOP', 'trade', ''), fc.string({ maxLength: 5 })),
  minAmount: fc.constantFrom('0', '1', '50.5', '-1', '5e0', 'x', ''),
  maxAmount: fc.constantFrom('0', '20', '1e6', '-0.5', 'x'),
  startDate: fc.constantFrom('2025-12-01T00:00:00Z', '2026-01-15T12:00:00.5+01:00', 'yesterday'),
  endDate: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-15T12:00:00.5+01:00', 'tomorrow'),
  sortBy: fc.constantFrom('amount', 'quantity', 'total', 'createdAt', 'name', 'price'),
  sortOrder: fc.constantFrom('asc', 'desc', 'up'),
  colour: fc.constant('red'),
}
const pairOf = (names: readonly string[]) =>
  fc.constantFrom(...names).chain((name) => fc.tuple(fc.constant(name), texts[name] ?? fc.constant('')))
const oneUser = fc.option(
  fc.oneof(fc.constantFrom('ann', 'ann', 'nobody', 'a/b ?'), fc.string({ minLength: 1, maxLength: 4 })),
)
const pathOf = (user: string | null) =>
  user === null ? '/guild/ledger/transactions' : `/guild/ledger/${encodeURIComponent(user)}/transactions`
const encodable = (user: string | null) => user === null || !/^\.{1,2}$/.test(user)

const request = fc.record({
  path: oneUser.filter(encodable).map(pathOf),
  query: fc.array(pairOf(Object.keys(texts)), { maxLength: 3 }),
  key: fc.constantFrom('good', 'good', 'good', 'good', 'good', 'good', 'wrong', 'expired', 'weak', 'unbound'),
})
const guildSetup = fc.record({
  assumptions: assumptionValues,
  transactions: fc.constantFrom(0, 1, 40),
  subscription: fc.constantFrom('developer', 'enterprise', 'developer', 'enterprise', 'none'),
  failing: fc.boolean(),
  requests: fc.array(request, { minLength: 40, maxLength: 40, size: 'max' }),
})

const guilds = cases(30, 5)

it('responses over HTTP match openapi.json under all assumptions', { timeout: 240_000 }, async () => {
  const clock = { now: Date.UTC(2026, 1, 1) }
  const mock = createMockLedger({ rateLimit: 'off', now: () => clock.now })
  await using server = await startMockServer({ mock })
  const met: Record<number, number> = {}
  const soon = { name: 'watched', scopes: ['guild:read'], expiresAt: '2026-02-02T00:00:00Z' } as const
  const late = { ...soon, expiresAt: '2027-01-01T00:00:00Z' } as const

  await fc.assert(
    fc.asyncProperty(guildSetup, async ({ assumptions, transactions, subscription, failing, requests }) => {
      clock.now = Date.UTC(2026, 1, 1)
      const guild = mock.createGuild({ transactions, users: 4, assumptions })
      if (transactions > 0) guild.add([entry(11), entry(12), entry(13)])
      const keys: Record<string, string> = {
        good: guild.apiKey,
        wrong: 'no-such-key',
        expired: guild.createKey(soon).value,
        weak: guild.createKey({ ...late, scopes: [] }).value,
        unbound: mock.createUnboundKey(late).value,
      }
      guild.subscription = subscription
      if (failing) guild.fault({ kind: 'internal-error', probability: 0.2 })
      clock.now = Date.UTC(2026, 2, 1)

      const checked = await Promise.all(
        requests.map(async ({ path, query, key }) => {
          const target = `${path}?${new URLSearchParams(query).toString()}`
          const response = await fetch(server.url + target, { headers: { 'x-api-key': keys[key] ?? '' } })
          const operation = validator.router.matchOperation({ method: 'get', path, headers: {} })
          const body: unknown = await response.json()
          const { errors } = validator.validateResponse(body, operation?.operationId ?? '', response.status)
          met[response.status] = (met[response.status] ?? 0) + 1
          return { target, type: response.headers.get('content-type'), errors: errors ?? [] }
        }),
      )

      expect(checked.filter(({ type, errors }) => type !== 'application/json' || errors.length > 0)).toEqual([])
    }),
    { numRuns: guilds, seed: 7 },
  )
  for (const status of [200, 400, 401, 403, 404, 500])
    expect(met[status], `status ${status}`).toBeGreaterThan(guilds / 5)
})

it.each([
  ['a number as a string', { amount: '1' }],
  ['no identifier', { transactionId: undefined }],
  ['a time in another zone', { createdAt: '2026-01-01T00:00:00+01:00' }],
])('the validator finds %s', (_mistake, change) => {
  const { platformId, ...fields } = entry(11)
  const transaction = JSON.parse(JSON.stringify({ ...fields, ...change })) as unknown
  const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 }
  const body = { success: true, data: { platformId, transactions: [transaction] }, pagination }

  const { valid } = validator.validateResponse(body, 'listUserTransactions', 200)

  expect(valid).toBe(false)
})

const queryCount = cases(500, 80)

it('the validator rejects the same queries as the mock', () => {
  const mock = createMockLedger({ rateLimit: 'off' })
  const met = { wrong: 0, right: 0 }
  const names = Object.keys(texts).filter((name) => name !== 'colour')
  const queries = fc.uniqueArray(pairOf(names), { maxLength: 3, selector: ([name]) => name })

  fc.assert(
    fc.property(fc.constantFrom(null, 'ann'), queries, (user, pairs) => {
      // The validator knows only parameters that are listed, and rejects others.
      const listed = (name: string) => user === null || !['platformId', 'startDate', 'endDate'].includes(name)
      const query = Object.fromEntries(pairs.filter(([name]) => listed(name)))
      fc.pre(query.platformId !== '') // a valid string to the validator, but not a valid user
      const path = pathOf(user)
      const target = `${path}?${new URLSearchParams(query).toString()}`

      const { status, body } = mock.respond({ method: 'GET', target, apiKey: mock.apiKey })
      const { valid } = validator.validateRequest({ method: 'get', path, query, headers: { 'x-api-key': mock.apiKey } })

      met[valid ? 'right' : 'wrong']++
      expect({ target, body, rejected: status === 400 }).toEqual({ target, body, rejected: !valid })
    }),
    { numRuns: queryCount, seed: 7 },
  )
  expect(Math.min(met.wrong, met.right)).toBeGreaterThan(queryCount / 7)
})

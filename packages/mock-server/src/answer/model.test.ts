import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { processorMs } from '@guild-ledger/test-kit'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { alternativesTo } from '../assumptions/alternatives.ts'
import { assume, type AssumptionKey, type Assumptions } from '../assumptions/values.ts'
import { recordReads } from '../assumptions/record-reads.ts'
import { createMockLedger } from '../index.ts'
import { loadLedger, respond, type ModelRequest } from './model.ts'

const mock = createMockLedger({ users: 5, transactions: 40, rateLimit: 'off' })
const { transactions } = mock.guild
const ledger = loadLedger(transactions)
const { platformId, source, createdAt } = transactions[0] as LedgerEntry

const value = (...texts: string[]) => fc.constantFrom(...texts)
const parameter = <Text>(one: fc.Arbitrary<Text>) =>
  fc.oneof({ weight: 4, arbitrary: one }, fc.array(one, { minLength: 2, maxLength: 2 }))
const query = fc.record(
  {
    page: parameter(value('1', '2', '3', '0', 'x', '99')),
    limit: parameter(value('1', '3', '100', '0', '101', '2.5')),
    platformId: parameter(value(platformId, 'nobody')),
    from: parameter(value(source, source.toUpperCase(), source.slice(1), 'nothing')),
    minAmount: parameter(value('0', '5', '-1')),
    maxAmount: parameter(value('1', '50', 'x')),
    startDate: parameter(value(createdAt, createdAt.slice(0, 19), createdAt.slice(0, 10), 'x')),
    endDate: parameter(value(createdAt, createdAt.slice(0, 19), createdAt.slice(0, 10), 'x')),
    sortBy: parameter(value('name', 'amount', 'createdAt', 'source')),
    sortOrder: parameter(value('asc', 'desc', 'up')),
    other: parameter(value('1')),
  },
  { requiredKeys: [] },
)
const request: fc.Arbitrary<ModelRequest> = fc.record({
  endpoint: fc.constantFrom('guild', 'user'),
  platformId: value(platformId, 'nobody'),
  query,
  key: fc.constantFrom('valid', 'valid', 'valid', 'expired', 'unscoped', 'lapsed'),
})
/** Some values other than the defaults. */
const assumptions: fc.Arbitrary<Assumptions> = fc
  .subarray(alternativesTo(assume()), { maxLength: 6 })
  .map((chosen) => assume(Object.fromEntries(chosen.map(({ key, value: other }) => [key, other]))))

it('the model does not depend on an assumption that was not read', () => {
  fc.assert(
    fc.property(request, assumptions, (asked, current) => {
      const read = new Set<AssumptionKey>()
      const response = respond(ledger, asked, recordReads(current, read))
      for (const { key, value: other } of alternativesTo(current)) {
        if (read.has(key)) continue
        expect(respond(ledger, asked, { ...current, [key]: other })).toEqual(response)
      }
    }),
    { numRuns: 400 },
  )
})

it('the model reads only what may matter', () => {
  const read = new Set<AssumptionKey>()
  const asked: ModelRequest = { endpoint: 'user', platformId, query: { page: '2', limit: '5' } }
  expect(respond(ledger, asked, recordReads(assume(), read), []).body).toEqual({ success: true })
  expect([...read].toSorted()).toEqual(['maxLimit', 'maxPage', 'userSortBy', 'userSortOrder'])
  respond(ledger, asked, recordReads(assume(), read))
  expect([...read].toSorted()).toEqual([
    'createdAtFormat',
    'maxLimit',
    'maxPage',
    'tieOrder',
    'userSortBy',
    'userSortOrder',
  ])
})

it('the model responds as a mock with these transactions and assumptions does', async () => {
  await fc.assert(
    fc.asyncProperty(request, assumptions, async (asked, current) => {
      const other = createMockLedger({
        transactions: 0,
        rateLimit: 'off',
        assumptions: { ...current, maxKeysPerGuild: null },
      })
      other.guild.add(transactions)
      const { endpoint, platformId: user, query: sent = {}, key } = asked
      const search = new URLSearchParams(
        Object.entries(sent).flatMap(([name, texts]) => [texts].flat().map((text) => [name, text])),
      )
      const apiKey = other.guild.createKey({
        name: 'one',
        scopes: key === 'unscoped' ? [] : ['guild:read'],
        expiresAt: key === 'expired' ? '2000-01-01T00:00:00Z' : '9999-01-01T00:00:00Z',
      }).value
      if (key === 'lapsed') other.guild.subscription = 'none'
      const path = endpoint === 'guild' ? 'transactions' : `${user}/transactions`
      const response = await other.fetch(`${other.origin}/guild/ledger/${path}?${search}`, {
        headers: { 'x-api-key': apiKey },
      })
      const { status, body } = respond(ledger, asked, current)
      expect({ status, body: JSON.parse(JSON.stringify(body)) as unknown }).toEqual({
        status: response.status,
        body: await response.json(),
      })
    }),
    { numRuns: 200 },
  )
})

it('the model responds a thousand times per second on a ledger of a thousand transactions', async () => {
  const { transactions: many } = createMockLedger({ users: 40, transactions: 1000 }).guild
  const large = loadLedger(many)
  const changes = Array.from({ length: 10 }, () => alternativesTo(assume())).flat()

  const ms = await processorMs(() => {
    for (const [i, { key, value: other }] of changes.entries())
      JSON.stringify(
        respond(large, { endpoint: 'guild', query: { page: String((i % 5) + 1) } }, assume({ [key]: other })),
      )
  })

  expect(ms / changes.length).toBeLessThan(1)
})

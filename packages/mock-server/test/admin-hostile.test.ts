import * as fc from 'fast-check'
import { cases } from '@guild-ledger/test-kit'
import { describe, expect, it } from 'vitest'
import { routes } from '../src/admin/routes.ts'
import { startAdmin } from './admin-server.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

// Lone surrogates, names of object properties, extreme numbers.
const edgeCase = fc.constantFrom<Json>(
  '\ud800',
  '\udfff x',
  '',
  '\u0000',
  'a\r\nb: c',
  '__proto__',
  'constructor',
  'x'.repeat(100_000),
  '2026-02-30T00:00:00Z',
  '275760-09-14',
  1e308,
  -0,
  2 ** 53,
  -1,
  0.5,
  null,
  true,
  [],
  [[]],
  {},
  { toString: 1, valueOf: 1 },
  { length: 9 },
  [null],
)
/** Any code point but surrogates. The unit 'binary' is the same, but lists all of them first, which takes a second. */
const codePoint = fc
  .integer({ min: 0, max: 0x10_ffff - 0x800 })
  .map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800))
const anyJson = fc.oneof(edgeCase, fc.jsonValue({ stringUnit: codePoint }) as fc.Arbitrary<Json>)
const names = fc.oneof(fc.constantFrom('toString', 'valueOf', 'hasOwnProperty', 'kind', 'at', '0'), fc.string())

/** Mutations of an example: a value replaced at some depth, or a field added or removed. */
const mutated = (example: Json): fc.Arbitrary<Json> => {
  if (typeof example !== 'object' || example === null) return anyJson
  const keys = Object.keys(example)
  const inside = (name: string): fc.Arbitrary<Json> => {
    const copy = (value: Json): Json =>
      Array.isArray(example) ? example.with(Number(name), value) : { ...example, [name]: value }
    const own = Array.isArray(example) ? example[Number(name)] : example[name]
    return fc.oneof(mutated(own ?? null), anyJson).map(copy)
  }
  const without = (name: string): Json =>
    Array.isArray(example) ? [] : Object.fromEntries(Object.entries(example).filter(([key]) => key !== name))
  return fc.oneof(
    fc.constant(example),
    anyJson,
    ...keys.map(inside),
    ...(keys.length > 0 ? [fc.constantFrom(...keys).map(without)] : []),
    fc.tuple(names, anyJson).map(([name, value]) => (Array.isArray(example) ? [value] : { ...example, [name]: value })),
  )
}

const deep = (open: string, close: string) => open.repeat(30_000) + close.repeat(30_000)
const invalidJson = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.constantFrom(
    '',
    ' ',
    '{',
    'null',
    '\ufeff{}',
    deep('[', ']'),
    `${deep('{"kind":', '')}1${'}'.repeat(30_000)}`,
    `{"kind":"status","status":200,"body":${deep('[', ']')}}`,
    '{"__proto__":{"kind":"hang"},"constructor":{}}',
    '{"kind":"hang","__proto__":{"times":1}}',
    '{"name":"\\ud800","scopes":[],"expiresAt":"2999-01-01"}',
    '{"users":1e999,"transactions":-0}',
    '{"count":0,"query":{"__proto__":{}}}',
  ),
)

const ids = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('guild-1', 'key-1', 'snapshot-1') },
  fc.constantFrom('__proto__', 'constructor', '%00', '%ED%A0%80', '%', '..%2f', '.', '%F0%9F%92%A9', 'x'.repeat(3900)),
  fc.string({ minLength: 1, unit: 'grapheme' }).map(encodeURIComponent),
)

// Texts of engine errors and of stack traces.
const leak =
  /Cannot |undefined \(|is not a function|is not iterable|Invalid time|call stack|circular|\[object|node:|\bat \S+:\d/
const leaks = (message: string) => leak.test(message.replaceAll(/"(?:\\.|[^"\\])*"/g, '""'))

/** A body that each route takes which takes one. */
const examples: Readonly<Record<string, Json>> = {
  'POST /_mock/guilds': { users: 3, transactions: 40, assumptions: { pageUnit: 'group' } },
  'PATCH /_mock/guilds/{id}': { rateLimit: 'off', assumptions: { pageUnit: 'group', maxPage: null } },
  'POST /_mock/guilds/{id}/keys': { name: 'bot', scopes: ['guild:read'], expiresAt: '2030-01-01T00:00:00Z' },
  'POST /_mock/keys': { name: 'bot', scopes: ['guild:read'], expiresAt: '2030-01-01T00:00:00Z' },
  'POST /_mock/guilds/{id}/transactions': [{ platformId: '8412', name: 'Shield' }],
  'DELETE /_mock/guilds/{id}/transactions': { transactionIds: ['6f9b6f0e-3c1d-4a52-9f0a-2b7c1d5e8a90'] },
  'POST /_mock/guilds/{id}/transactions/load': { data: [{ platformId: '8412', transactions: [] }] },
  'POST /_mock/guilds/{id}/transactions/schedule': { transactions: [{ platformId: '8412' }], afterRequests: 1 },
  'POST /_mock/guilds/{id}/faults': { kind: 'status', status: 503, headers: { 'retry-after': '5' }, times: 2 },
  'POST /_mock/guilds/{id}/requests/expect': { count: 1, endpoint: 'guild', query: { from: 'shop' } },
  'POST /_mock/requests/expect': { atLeast: 1, endpoint: 'guild' },
  'POST /_mock/guilds/{id}/requests/expect-in-order': { matchers: [{ endpoint: 'guild' }] },
  'POST /_mock/requests/expect-in-order': { matchers: [{ endpoint: 'guild' }] },
  'POST /_mock/guilds/{id}/requests/wait': { count: 1, timeoutMs: 1000, endpoint: 'guild' },
  'POST /_mock/requests/wait': { count: 1, timeoutMs: 1000 },
  'POST /_mock/stubs': { path: '/guild/unlisted', body: { success: true, data: [] } },
  'PATCH /_mock/assumptions': { pageUnit: 'group' },
  'POST /_mock/clock/freeze': { at: '2026-05-01T00:00:00Z' },
  'POST /_mock/clock/advance': { ms: 60_000 },
}

it('every route that takes a body has an example', () => {
  const taking = Object.entries(routes).filter(([, { body = [] }]) => body.length > 0)

  expect(Object.keys(examples).toSorted()).toEqual(taking.map(([name]) => name).toSorted())
})

describe.each(Object.keys(routes).map((name) => name.split(' ')))(
  'hostile bodies for %s %s',
  (method = '', path = '') => {
    const { [`${method} ${path}`]: example = {} } = examples
    const bodies = mutated(example).map((value) => JSON.stringify(value))
    const paths = fc.array(ids, { minLength: 2, maxLength: 2 }).map(([first = '', second = '']) => {
      const [start = '', ...rest] = path.split(/\{\w+\}/)
      return rest.reduce((whole, part, i) => whole + (i === 0 ? first : second) + part, start)
    })

    /** A wait that is valid ends after a millisecond: nothing that it waits for comes. */
    const withShortWait = (text: string): string => {
      if (!path.endsWith('/wait')) return text
      try {
        const body: unknown = JSON.parse(text)
        const isWait = typeof body === 'object' && body !== null && !Array.isArray(body)
        const { timeoutMs = 1 } = (isWait ? body : {}) as { timeoutMs?: unknown }
        return isWait && typeof timeoutMs === 'number' && timeoutMs > 0
          ? JSON.stringify({ ...body, timeoutMs: 1 })
          : text
      } catch {
        return text
      }
    }

    it(
      `${method} ${path} responds to any body without a 5xx, and an error changes nothing`,
      { timeout: 240_000 },
      async () => {
        const { admin, mock, clock } = await startAdmin()
        const state = () =>
          JSON.stringify([
            mock.guilds.map((guild) => [guild, guild.keys, guild.transactions, guild.faults, guild.assumptions]),
            [mock.assumptions, mock.unboundKeys, mock.requests, clock.now(), clock.frozen],
          ])

        await fc.assert(
          fc.asyncProperty(paths, fc.oneof(bodies, invalidJson).map(withShortWait), async (target, sent) => {
            const before = state()
            const { status, body } = await admin(`${method} ${target}`, sent)

            const { success, message = '' } = (body ?? {}) as { success?: boolean; message?: string }
            const violations = {
              noErrorBody: status >= 400 && success !== false,
              noMessage: status >= 400 && (message === '' || leaks(message)),
              changed: status >= 400 && state() !== before,
              serverError: status >= 500,
            }
            expect(Object.entries(violations).filter(([, applies]) => applies)).toEqual([])
            mock.reset()
            clock.reset()
          }),
          { numRuns: cases(20, 3) },
        )
      },
    )
  },
)

it('a body that is not UTF-8 is a 400 and changes nothing', async () => {
  const { server, mock } = await startAdmin()
  const bytes = new Uint8Array([0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d])

  const response = await fetch(`${server.url}/_mock/guilds/guild-1/transactions`, { method: 'POST', body: bytes })

  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ success: false, message: 'The body must be UTF-8 text.' })
  expect(mock.guild.transactions).toHaveLength(5)
})

import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { checkerOf, errorBody, guildReply, issuesOf, userReply } from './index.ts'

const row = {
  transactionId: '0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a11',
  amount: 12.5,
  quantity: 2,
  name: 'Iron Sword',
  source: 'shop',
  total: 25,
  createdAt: '2026-01-31T10:00:00.000Z',
}
const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 }
const group = { platformId: '8412', transactions: [row, row] }
const replies = {
  guild: {
    success: true,
    data: [group, group],
    pagination,
    summary: { totalTransactions: 1, totalValue: 25, uniqueUsers: 1 },
  },
  user: { success: true, data: group, pagination },
}

/** Every place in a value, as a list of keys. */
const placesIn = (value: unknown, path: string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, part]) => placesIn(part, [...path, key]))]
    : [path]

/** A copy of `value` with something else at `path`. */
const changed = (value: unknown, [key, ...rest]: string[], to: unknown): unknown => {
  if (key === undefined) return to
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = changed(copy[key], rest, to)
  if (copy[key] === undefined) delete copy[key]
  return copy
}

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    false,
    0,
    -0,
    1.5,
    2 ** 53,
    -1,
    Number.NaN,
    Infinity,
    '',
    [],
    {},
    [[]],
    row,
    group,
  ),
  fc.constantFrom('2026-01-31T10:00:00Z', '2026-02-31T25:00:00Z', '0B9D1C1E-6F6A-4D3E-9C55-0A1F5F0C8A11', 'x'),
  fc.anything(),
)

it.each([
  ['guild', guildReply],
  ['user', userReply],
] as const)(
  'accepts a %s reply exactly when its schema does, and has the same words, whatever stands wherever',
  (name, schema) => {
    const { fits, issues } = checkerOf(schema)
    fc.assert(
      fc.property(fc.constantFrom(...placesIn(replies[name])), odd, (place, value) => {
        const body = changed(replies[name], place, value)
        expect(fits(body)).toBe(issuesOf(schema, body).length === 0)
        expect([...issues(body)]).toEqual(issuesOf(schema, body))
      }),
      { numRuns: 3_000 },
    )
    expect(fits(replies[name])).toBe(true)
  },
)

it.each([
  ['a format', z.email(), 'x', 'a@b.de'],
  ['a length', z.string().check(z.minLength(2)), 'x', 'xx'],
  ['a range', z.number().check(z.gte(1)), 0, 1],
  ['another number format', z.int32(), 2 ** 40, 1],
  ['an unlisted field', z.strictObject({ a: z.string() }), { a: '', b: 1 }, { a: '' }],
  ['an optional field', z.object({ a: z.optional(z.string()) }), { a: 1 }, {}],
  ['a choice', z.union([z.string(), z.null()]), 1, null],
  ['a list with a length', z.array(z.string()).check(z.minLength(1)), [], ['']],
  ['an error body', errorBody, { success: true, message: '' }, { success: false, message: '' }],
])('asks the schema itself about what it does not know: %s', (_, schema, wrong, right) => {
  expect([checkerOf(schema).fits(wrong), checkerOf(schema).fits(right)]).toEqual([false, true])
})

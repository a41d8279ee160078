import { expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { checkedBy, decodeBody, isStandardSchema, madeBy, parseJson } from './decode.ts'

const wrong = () => ({ issues: [{ path: 'a', expected: 'a string', received: '1' }], advice: 'Report it.' })

it('passes on a body that the contract allows itself', () => {
  const body = { a: 1, unknown: 2 }

  expect(checkedBy(z.object({ a: z.number() }))(body)).toHaveProperty('value', body)
})

it.each([
  [99, 99],
  [100, 100],
  [150, 100],
])('finds the first 100 issues of a body: of %i it finds %i', async (count, found) => {
  const result = await checkedBy(z.array(z.number()))(Array.from({ length: count }, () => 'x'))

  const issues = 'issues' in result ? result.issues : []
  expect(issues.map(({ path }) => path)).toEqual(Array.from({ length: found }, (_, i) => `[${i}]`))
})

it.each<[number, unknown, string]>([
  [1, { message: 'maintenance' }, '`a0` must be a string, got 1. The service says: "maintenance".'],
  [1, { message: 5 }, '`a0` must be a string, got 1.'],
  [1, 'message', '`a0` must be a string, got 1.'],
  [1, null, '`a0` must be a string, got 1.'],
  [3, {}, '`a0` must be a string, got 1. `a1` must be a string, got 1. `a2` must be a string, got 1.'],
  [4, {}, '`a0` must be a string, got 1. `a1` must be a string, got 1. `a2` must be a string, got 1 (and 1 more).'],
])('words %d issues of the body %j', async (count, body, message) => {
  const log = vi.fn()
  const issues = Array.from({ length: count }, (_, i) => ({ path: `a${i}`, expected: 'a string', received: '1' }))

  await decodeBody(body, () => ({ issues, advice: 'Report it.' }), 'warn', 'GET /x', log)

  expect(log).toHaveBeenCalledWith('warn', `GET /x: the response violates the contract: ${message}`)
})

it.each([
  ['strict', undefined],
  ['warn', { b: 1 }],
  ['off', { b: 1 }],
] as const)("decodes a body that violates the contract with validation '%s'", async (validation, expected) => {
  const log = vi.fn()

  const value = await decodeBody({ b: 1 }, wrong, validation, 'GET /x', log).catch(() => undefined)

  expect(value).toEqual(expected)
  expect(log.mock.calls).toEqual(
    validation === 'warn' ? [['warn', 'GET /x: the response violates the contract: `a` must be a string, got 1.']] : [],
  )
})

it('passes on the value of a schema, and joins the paths of its issues', async () => {
  const schemaOf = (result: object) =>
    ({ '~standard': { version: 1, vendor: 'test', validate: () => result } }) as never

  expect(await madeBy(schemaOf({ value: 7 }))({})).toEqual({ value: 7 })
  expect(
    await madeBy(schemaOf({ issues: [{ message: 'a string', path: ['a', { key: 0 }] }, { message: 'x' }] }))([]),
  ).toEqual({
    issues: [
      {
        path: 'a[0]',
        expected: 'a string',
        received: 'undefined',
        message: '`a[0]` does not match the schema: a string',
      },
      { path: '', expected: 'x', received: 'an array of 0', message: 'the body does not match the schema: x' },
    ],
    advice: 'Check the schema.',
  })
})

it.each([
  [{ '~standard': { validate: () => {} } }, true],
  [{ '~standard': {} }, false],
  [{}, false],
  [null, false],
])('tells whether %o is a Standard Schema: %s', (value, expected) => {
  expect(isStandardSchema(value)).toBe(expected)
})

it('parses JSON, and words what is none', () => {
  expect(parseJson('{"a":1}', 'GET /x')).toEqual({ a: 1 })
  expect(() => parseJson('<p>', 'GET /x')).toThrow(
    'GET /x failed: the response body must be JSON, got a body that starts with "<p>". Check baseUrl, or try again.',
  )
})

it.each([
  ['', 'an empty body'],
  [`<p>${'x'.repeat(57)}`, `a body that starts with "<p>${'x'.repeat(57)}"`],
  [`<p>${'x'.repeat(58)}`, `a body that starts with "<p>${'x'.repeat(57)}"`],
])('names what came in place of JSON, its first 60 characters at most: %s', (text, received) => {
  expect(() => parseJson(text, 'GET /x')).toThrow(
    expect.objectContaining({ issues: [{ path: '', expected: 'JSON', received }] }),
  )
})
